"""The documentation in a real browser: barriers, widths, the search by keyboard, and "Send"."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.conftest import Environ
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import eventually
from tests.support.service.browser import DESKTOP, PHONE, barriers, page
from tests.support.service.browser_players import come_in
from tests.support.service.shared_fixtures import environ

__all__ = ["environ"]  # shared by the tests of this module
SENT = (
    ("POST", "/v1/players", "players"),
    ("POST", "/v1/games/{game}/moves", "moves"),  # after what makes a game
    ("GET", "/v1/lobby/stream", "lobby-stream"),  # does not end
    ("DELETE", "/v1/me", "players"),  # asks before
)
OF_SESSIONS = (
    ("DELETE", "/v1/programs/{program}"),  # after one was registered
    ("POST", "/oauth/device_authorization"),
    ("POST", "/oauth/revoke"),
)
SUCCESS = re.compile(r"^(Sent before.*\n\n)?20\d ", re.DOTALL)
EXPECTED = {
    "/v1/lobby/stream": "The stream goes on",
}
PAGES = ("/docs", "/docs/quickstart", "/docs/errors", "/docs/formats", "/docs/reference/players")


@pytest.fixture(scope="module")
def url(environ: Environ, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running service."""
    with serving(environ, "service.app:create_app()", tmp_path_factory.mktemp("served") / "log") as (_, url):
        assert eventually(lambda: answers(url))
        yield url


def test_pages_fit_a_phone_in_the_dark_without_barriers(url: str, opened: Browser) -> None:
    with page(opened, PHONE, dark=True) as shown:
        for path in PAGES:
            shown.goto(url + path)
            assert shown.evaluate("document.documentElement.scrollWidth") == PHONE["width"], path
            assert barriers(shown) == [], path


def test_the_search_goes_by_keyboard_and_send_succeeds(url: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{url}/docs")
        assert barriers(shown) == []
        shown.keyboard.press("/")
        shown.keyboard.type("stale_version")
        expect(shown.locator("#found a").first).to_have_text("stale_version")
        shown.keyboard.press("ArrowDown")
        shown.keyboard.press("Enter")
        shown.wait_for_url("**/docs/errors#stale_version")
        shown.on("dialog", lambda dialog: dialog.accept())
        for method, operation, subject in SENT:  # the first one gives a token
            send(shown, url, method, operation, subject)


def test_a_typed_token_does_not_stand_for_the_session(url: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, url)
        shown.goto(f"{url}/docs/reference/oauth")
        shown.locator("#token").fill("cab_a-token-that-may-not")
        shown.locator("#token").blur()
        for method, operation in OF_SESSIONS:
            send(shown, url, method, operation, "oauth")


def send(shown: Page, url: str, method: str, operation: str, subject: str) -> None:
    """Sends the form of an operation; fails unless it succeeds."""
    shown.goto(f"{url}/docs/reference/{subject}")
    form = shown.locator(f'form[data-method="{method}"][data-path="{operation}"]')
    form.locator("xpath=..").locator("summary").click()
    form.locator("button.main").click()
    expect(form.locator("output")).to_contain_text(EXPECTED.get(operation, SUCCESS))

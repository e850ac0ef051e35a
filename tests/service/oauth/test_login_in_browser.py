"""The client package logs in with a player's browser; consent is given in one, too, and the account lists both."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT
from tests.support.service.browser import PHONE, barriers, page, picture
from tests.support.service.browser_players import come_in
from tests.support.service.oauth_programs import Consenter
from tests.support.service.running_service import House

SCROLL_WIDTH = "document.documentElement.scrollWidth"
ASKED = {
    "response_type": "code",
    "scope": "read play annotate host",
    "state": "some state",
    "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    "code_challenge_method": "S256",
}
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"  # of the challenge, an example of RFC 7636
EXCHANGE = """
async ([service, sent]) => {
  const form = (path, fields) => fetch(service + path, { method: "POST", body: new URLSearchParams(fields) });
  const token = (await (await form("/oauth/token", { grant_type: "authorization_code", ...sent })).json()).access_token;
  const status = (path, asked) => fetch(service + path, asked).then((answer) => answer.status, () => "unreadable");
  const headers = { Authorization: `Bearer ${token}`, "Idempotency-Key": "once", "Content-Type": "application/json" };
  const body = JSON.stringify({ game: "spice_road", seats: ["me", "open"] });
  const told = [
    await status("/v1/me", { headers }),
    await status("/v1/games", { method: "POST", headers, body }),
    await status("/v1/games"),
    await status("/v1/me", { credentials: "include" }),
    await status("/account", { credentials: "include" }),
    await status("/v1/games", { method: "POST", headers: { "Content-Type": "application/json" }, body }),
    await status("/v1/games", { method: "POST", credentials: "include", body }),
  ];
  return [...told, (await form("/oauth/revoke", { client_id: sent.client_id, token })).status];
}
"""
EXCHANGED = [200, 201, 200, "unreadable", "unreadable", 403, "unreadable", 200]  # by token; by cookie or none, nothing


def fits(shown: Page, name: str) -> None:
    """Looks for barriers, and for what is wider than a phone."""
    picture(shown, f"oauth-{name}")
    assert shown.evaluate(SCROLL_WIDTH) <= PHONE["width"], name
    assert barriers(shown) == [], name


def command(*words: str, environ: dict[str, str]) -> subprocess.Popen[str]:
    """Starts a command of the client package."""
    run = bound((sys.executable, "-m", "cabildo_client", *words))
    return subprocess.Popen(run, cwd=PROJECT, env=environ, stdout=subprocess.PIPE, text=True)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The variables of commands without a keyring or a token."""
    own = {"XDG_CONFIG_HOME": str(tmp_path), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    return {name: value for name, value in os.environ.items() if name != "CABILDO_TOKEN"} | own


def test_command_line_and_page_get_tokens_that_the_account_lists(
    house: House, opened: Browser, environ: dict[str, str]
) -> None:
    forgiven = ("422", "403", "CORS", "ERR_FAILED")  # a wrong code; what another origin may not read
    with page(opened, PHONE, dark=True, forgiving=forgiven) as shown:
        name = come_in(shown, house.url)
        log_the_command_line_in(shown, house, name, environ)
        allow_a_page(shown, house)
        shown.goto(f"{house.url}/account")
        section = shown.locator("#programs")
        expect(section.get_by_role("row", name="cabildo-client")).to_be_visible()
        section.locator("summary").click()
        fits(shown, "account")
        ended = output("logout", house, environ)
        assert ended.startswith("logged out")
        shown.reload()
        expect(shown.locator("#programs table")).to_have_count(0)
        register_a_program(shown, house)


def log_the_command_line_in(shown: Page, house: House, name: str, environ: dict[str, str]) -> None:
    """Enters a wrong code and the right one, and looks at the kept token."""
    login = command("login", "--url", house.url, environ=environ)
    assert login.stdout is not None
    code = login.stdout.readline().split()[-1]
    shown.goto(f"{house.url}/oauth/device?{urlencode({'user_code': 'BCDF-BCDF'})}")
    shown.get_by_role("button", name="Continue").click()
    expect(shown.locator("main").get_by_role("alert")).to_contain_text("This code is wrong")
    fits(shown, "wrong-code")
    shown.get_by_label("Code").fill(code.lower())
    shown.get_by_role("button", name="Continue").click()
    expect(shown.locator("strong.user-code")).to_have_text(code)
    fits(shown, "device")
    shown.get_by_role("button", name="Allow", exact=True).click()
    expect(shown.locator("main").get_by_role("status")).to_contain_text("is logged in")
    told, _ = login.communicate(timeout=PATIENCE)
    assert f"as {name}" in told
    kept = Path(environ["XDG_CONFIG_HOME"]) / "cabildo" / "tokens.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert json.loads(kept.read_text()).keys() == {house.url}
    assert output("whoami", house, environ).startswith(f"{name} (")


def output(word: str, house: House, environ: dict[str, str]) -> str:
    """Returns what a command prints."""
    told, _ = command(word, "--url", house.url, environ=environ).communicate(timeout=PATIENCE)
    return told


class ProgramsPage(BaseHTTPRequestHandler):
    """The page of a program on this machine, to which the browser returns."""

    def do_GET(self) -> None:
        """Answers any address."""
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def program_listening() -> Iterator[str]:
    """The address of a program on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), ProgramsPage) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/callback"
        server.shutdown()
        thread.join()


def allow_a_page(shown: Page, house: House) -> None:
    """Allows a program with an address on this machine."""
    with program_listening() as address:
        program = Consenter(house.app).register(address)
        asks = {**ASKED, "client_id": program, "redirect_uri": address}
        shown.goto(f"{house.url}/oauth/authorize?{urlencode(asks)}")
        fits(shown, "consent")
        shown.get_by_role("button", name="Allow", exact=True).click()
        shown.wait_for_url(f"{address}?*")
        brought = parse_qs(urlsplit(shown.url).query)
        assert brought.keys() == {"code", "state", "iss"}
        form = {"client_id": program, "redirect_uri": address, "code": brought["code"][0]}
        assert shown.evaluate(EXCHANGE, [house.url, {**form, "code_verifier": VERIFIER}]) == EXCHANGED


def register_a_program(shown: Page, house: House) -> None:
    """Registers a program on its page."""
    shown.goto(f"{house.url}/programs")
    shown.get_by_label("Name, as players see it").fill("My board")
    shown.get_by_label("Addresses to return to").fill("https://app.example/back")
    shown.get_by_role("button", name="Register the program").click()
    expect(shown.get_by_role("row", name="My board")).to_be_visible()
    fits(shown, "programs")

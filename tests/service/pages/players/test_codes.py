"""The login page asks for the code of a second factor, and the recovery page sends codes by mail; without scripts."""

from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from projections.rules.catalogue import LANGUAGES
from service.web.auth import SESSION_COOKIE
from tests.service.conftest import Environ, opened_app
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import eventually
from tests.support.service.authenticators import LoggedInBrowser
from tests.support.service.browser import DESKTOP, barriers, page, picture
from tests.support.service.mail_duty import code_in, send_mails
from tests.support.service.mail_fixtures import app, environ, mails, server
from tests.support.service.mail_server import TakenMails
from tests.support.service.page_layout import SIZES
from tests.support.service.players import Person, answer
from tests.support.service.scriptless_browser import BROWSER, PASSWORD, token

__all__ = ["app", "environ", "mails", "server"]  # shared by the tests of this module
NEW = "another horse"


@pytest.fixture
def ada(app: Flask) -> LoggedInBrowser:
    """A browser of a player."""
    return LoggedInBrowser(app, Person(app.test_client(), f"Ada {uuid4().hex[:12]}", password=PASSWORD).name, PASSWORD)


def name_of(browser: LoggedInBrowser) -> str:
    return str(answer(browser.ask("GET", "/v1/me"), 200)["name"])


def send(visitor: FlaskClient, page: str, path: str, **fields: str) -> tuple[int, str]:
    """Submits a form with the value of its page. Returns status and page."""
    sent = visitor.post(path, data={"csrf": token(page), **fields}, headers=BROWSER)
    return sent.status_code, sent.text


def ticket_in(page: str) -> str:
    return page.partition('name="ticket" value="')[2].partition('"')[0]


def test_login_page_asks_for_the_code(app: Flask, ada: LoggedInBrowser) -> None:
    authenticator, visitor = ada.enrol(), app.test_client()
    form = visitor.get("/login?next=/games").text
    status, page = send(visitor, form, "/login", name=name_of(ada), password=PASSWORD, next="/games")
    assert (status, 'autocomplete="one-time-code"' in page, PASSWORD in page) == (200, True, False)
    assert visitor.get_cookie(SESSION_COOKIE) is None
    status, page = send(
        visitor, page, "/login/code", ticket=ticket_in(page), code=authenticator.wrong_code(), next="/games"
    )
    assert (status, 'role="alert"' in page) == (401, True)
    code = authenticator.code()
    data = {"csrf": token(page), "ticket": ticket_in(page), "code": code, "next": "/games"}
    done = visitor.post("/login/code", data=data, headers=BROWSER)
    assert (done.status_code, done.location) == (303, "/games")
    assert visitor.get_cookie(SESSION_COOKIE) is not None


def test_login_that_took_too_long_begins_again(app: Flask, ada: LoggedInBrowser) -> None:
    authenticator, visitor = ada.enrol(), app.test_client()
    form = visitor.get("/login").text
    status, page = send(visitor, form, "/login/code", ticket="none", code=authenticator.code())
    assert (status, 'name="password"' in page, 'role="alert"' in page) == (401, True, True)


def test_code_form_of_another_site_logs_nobody_in(app: Flask, ada: LoggedInBrowser) -> None:
    authenticator, visitor = ada.enrol(), app.test_client()
    form = visitor.get("/login").text
    _, page = send(visitor, form, "/login", name=name_of(ada), password=PASSWORD)
    data = {"csrf": "guessed", "ticket": ticket_in(page), "code": authenticator.code()}
    assert visitor.post("/login/code", data=data, headers=BROWSER).status_code == 403


@pytest.mark.parametrize("language", LANGUAGES)
def test_code_form_speaks_every_language(app: Flask, ada: LoggedInBrowser, language: str) -> None:
    ada.enrol()
    visitor = app.test_client()
    data = {"csrf": token(visitor.get("/login").text), "name": name_of(ada), "password": PASSWORD}
    page = visitor.post("/login", data=data, headers={**BROWSER, "Accept-Language": language}).text
    assert f'<html lang="{language}">' in page


def test_recovery_page_sends_a_code(app: Flask, environ: Environ, mails: TakenMails, ada: LoggedInBrowser) -> None:
    answer(ada.ask("PUT", "/v1/me/email", {"address": f"ada.{uuid4().hex}@example.org"}), 202)
    send_mails(environ)
    answer(ada.ask("POST", "/v1/me/email/confirmation", {"code": code_in(mails.mails[-1])}), 200)
    visitor = app.test_client()
    told = [
        send(visitor, visitor.get("/recovery").text, "/recovery/mail", account=account)
        for account in (name_of(ada), f"nobody {uuid4().hex}")
    ]
    assert {status for status, _ in told} == {200}
    assert len({page.partition("<main")[2] for _, page in told}) == 1
    assert "a code is on its way" in told[0][1]
    send_mails(environ)
    fields = {"name": name_of(ada), "code": code_in(mails.mails[-1]), "password": NEW}
    status, page = send(visitor, visitor.get("/recovery").text, "/recovery", **fields)
    assert (status, "the new password is set" in page) == (200, True)


def test_recovery_page_offers_no_mail_without_a_server(environ: Environ) -> None:
    with opened_app({name: value for name, value in environ.items() if name != "CABILDO_SMTP"}) as bare:
        visitor = bare.test_client()
        page = visitor.get("/recovery").text
        assert "/recovery/mail" not in page
        assert send(visitor, page, "/recovery/mail", account="ada")[0] == 409


def test_pages_for_codes_have_no_barriers_and_fit_every_width(
    app: Flask, environ: Environ, opened: Browser, tmp_path: Path, ada: LoggedInBrowser
) -> None:
    authenticator = ada.enrol()
    with serving(environ, "service.app:create_app()", tmp_path / "log") as (_, url), page(opened, DESKTOP) as shown:
        assert eventually(lambda: answers(url))
        shown.goto(f"{url}/recovery")
        check_page(shown, "recovery-mail")
        shown.goto(f"{url}/login")
        shown.fill("#name", name_of(ada))
        shown.fill("#password", PASSWORD)
        shown.locator("main button.main").click()
        shown.get_by_label("Code").wait_for()
        check_page(shown, "login-code")
        shown.get_by_label("Code").fill(authenticator.code())
        shown.locator("main button.main").click()
        shown.locator(".who").wait_for()
        shown.locator(".site-menu summary").click()  # at the width of a phone the links of the site are in a menu
        shown.get_by_role("button", name="Log out").wait_for()


def check_page(shown: Page, name: str) -> None:
    """Looks at a page in every size."""
    for size in SIZES:
        shown.set_viewport_size(size)
        assert shown.evaluate("document.documentElement.scrollWidth") <= size["width"], size
        picture(shown, f"{name}-{size['width']}")
    assert barriers(shown) == []

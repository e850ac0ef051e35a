"""The e-mail address on the account's page: stored, confirmed by the code of its mail, replaced, removed."""

from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask
from playwright.sync_api import Browser

from tests.service.conftest import Environ
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import eventually
from tests.support.service.browser import DESKTOP, barriers, page, picture
from tests.support.service.mail_duty import code_in, send_mails
from tests.support.service.mail_fixtures import app, environ, mails, server
from tests.support.service.mail_server import TakenMails
from tests.support.service.page_layout import SIZES
from tests.support.service.scriptless_browser import PASSWORD, Visitor

__all__ = ["app", "environ", "mails", "server"]  # shared by the tests of this module
STORE, CONFIRM, REMOVE = "/account/email", "/account/email/confirmation", "/account/email/removal"


@pytest.fixture
def ada(app: Flask) -> Visitor:
    """A visitor with a session."""
    return Visitor(app.test_client(), f"Ada {uuid4().hex[:12]}")


def test_address_is_stored_confirmed_and_removed(environ: Environ, mails: TakenMails, ada: Visitor) -> None:
    address = f"ada.{uuid4().hex[:12]}@example.org"
    assert "No address is stored" in ada.open("/account")
    assert ada.send(STORE, address="no address").status_code == 422
    assert ada.sent(STORE, address=address) == "/account?done=email-sent#email"
    waits = ada.open("/account?done=email-sent")
    told = ("a mail with a code is on its way", address, "No address is stored")
    assert [text for text in told if text not in waits] == []
    assert ada.send(CONFIRM, code="00000-00000-00000-00000").status_code == 422
    send_mails(environ)
    assert ada.sent(CONFIRM, code=code_in(mails.wait(1)[-1])) == "/account?done=email-confirmed#email"
    stored = ada.open("/account?done=email-confirmed")
    assert (f">{address}</strong>" in stored, CONFIRM in stored) == (True, False)
    assert ada.sent(REMOVE) == "/account?done=email-removed#email"
    assert address not in ada.open("/account")


def test_forms_about_the_address_take_the_value_of_the_page(ada: Visitor) -> None:
    forged = {"csrf": "guessed", "address": "ada@example.org", "code": "x", "present": PASSWORD}
    assert [ada.client.post(path, data=forged).status_code for path in (STORE, CONFIRM, REMOVE)] == [403] * 3
    assert "No address is stored" in ada.open("/account")


def test_section_has_no_barriers_and_fits_every_width(environ: Environ, opened: Browser, tmp_path: Path) -> None:
    with serving(environ, "service.app:create_app()", tmp_path / "log") as (_, url), page(opened, DESKTOP) as shown:
        assert eventually(lambda: answers(url))
        shown.goto(f"{url}/register")
        shown.fill("#name", f"Ada {uuid4().hex[:12]}")
        shown.fill("#password", PASSWORD)
        shown.locator("main button.main").click()
        shown.goto(f"{url}/account#email")
        shown.get_by_label("E-mail address").fill(f"{'long' * 12}@{'example' * 6}.example.org")
        shown.get_by_role("button", name="Mail a code to the address").press("Enter")
        shown.get_by_label("Code of the mail").wait_for()
        for size in SIZES:
            shown.set_viewport_size(size)
            assert shown.evaluate("document.documentElement.scrollWidth") <= size["width"], size
            picture(shown, f"account-email-{size['width']}")
        assert barriers(shown) == []

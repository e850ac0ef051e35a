"""The page of the account without scripts: every form of it, with the password where it is needed."""

import io
import json
import re
import zipfile
from uuid import uuid4

import psycopg
import pytest
from flask import Flask
from pyotp.totp import TOTP

from projections.rules.catalogue import LANGUAGES
from service.players.commands.confirmation import CONFIRMED_FOR
from tests.service.conftest import Environ
from tests.support.service.scriptless_browser import BROWSER, PASSWORD, Visitor
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]  # shared by the tests of this module
NEW = "another horse"
SECTIONS = [
    *("name", "language", "email", "vacation", "password", "second-factor", "recovery-codes", "sessions"),
    *("tokens", "programs", "webhooks", "quotas", "export", "deletion"),
]


@pytest.fixture
def ada(app: Flask) -> Visitor:
    """A visitor with a session."""
    return Visitor(app.test_client(), f"Ada {uuid4().hex[:12]}")


def again(app: Flask, visitor: Visitor, password: str = PASSWORD, status: int = 201) -> Visitor:
    """The same player in another browser."""
    other = object.__new__(Visitor)
    other.client, other.name = app.test_client(), visitor.name
    body = {"name": visitor.name, "password": password}
    assert other.client.post("/v1/session", json=body).status_code == status
    return other


def is_logged_in(visitor: Visitor) -> bool:
    return visitor.client.get("/account", headers=BROWSER).status_code == 200


def forget_password_was_given(environ: Environ) -> None:
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE sessions SET confirmed = confirmed - %s", (CONFIRMED_FOR,))


def test_sessions_are_ended_one_by_one_and_all_others(app: Flask, ada: Visitor) -> None:
    others = [again(app, ada) for _ in range(3)]
    ends = re.findall(r'action="(/account/sessions/[0-9a-f-]+/end)"', ada.open("/account"))
    assert len(ends) == 4
    assert ada.sent(ends[0]) == "/account?done=sessions#sessions"  # the newest one
    assert [is_logged_in(other) for other in others] == [True, True, False]
    assert ada.sent("/account/sessions/end") == "/account?done=sessions#sessions"
    assert [is_logged_in(other) for other in others] == [False] * 3
    assert ada.sent(ends[3]) == "/"
    assert not is_logged_in(ada)


def test_password_is_changed_with_the_present_one(app: Flask, ada: Visitor) -> None:
    other = again(app, ada)
    wrong = ada.send("/account/password", present="wrong horse", password=NEW)
    assert (wrong.status_code, 'role="alert"' in wrong.text, is_logged_in(other)) == (401, True, True)
    short = ada.send("/account/password", present=PASSWORD, password="short")
    assert short.status_code == 422
    assert ada.sent("/account/password", present=PASSWORD, password=NEW) == "/account?done=password#password"
    assert "Done" in ada.open("/account?done=password")
    assert not is_logged_in(other)
    again(app, ada, status=401)
    again(app, ada, NEW)


def test_recovery_codes_are_made_with_the_password_and_shown_once(app: Flask, ada: Visitor) -> None:
    assert "Codes left: 0" in ada.open("/account")
    assert ada.send("/account/recovery-codes", present="wrong horse").status_code == 401
    made = ada.send("/account/recovery-codes", present=PASSWORD)
    codes = re.findall(r"<code>([0-9a-z-]{23})</code>", made.text)
    assert (made.status_code, len(codes), "Codes left: 8" in made.text) == (200, 8, True)
    assert made.headers["Cache-Control"] == "no-store"
    assert not [code for code in codes if code in ada.open("/account")]
    body = {"name": ada.name, "code": codes[0], "password": NEW}
    assert app.test_client().post("/v1/recovery", json=body).status_code == 200
    again(app, ada, NEW)


def test_account_is_deleted_with_the_present_password(app: Flask, ada: Visitor) -> None:
    refused = ada.send("/account/deletion", present=PASSWORD, name=f"{ada.name}?")
    assert (refused.status_code, "is not the name of your account" in refused.text) == (422, True)
    assert ada.send("/account/deletion", present="wrong horse", name=ada.name).status_code == 401
    assert is_logged_in(ada)
    assert ada.sent("/account/deletion", present=PASSWORD, name=ada.name) == "/"
    assert not is_logged_in(ada)
    again(app, ada, status=401)


def test_page_asks_for_the_password_again_after_a_while(environ: Environ, ada: Visitor) -> None:
    asked: dict[str, str | list[str]] = {"scopes": ["read"], "label": "x", "days": "0"}
    fields = ("present-tokens", "present-export", "present-codes", "present-factor")
    assert [field for field in fields if field in ada.open("/account")] == []
    forget_password_was_given(environ)
    assert [field for field in fields if field not in ada.open("/account")] == []
    for path in ("/account/tokens", "/account/export", "/account/recovery-codes", "/account/second-factor"):
        refused = ada.send(path, **asked)
        assert (refused.status_code, 'role="alert"' in refused.text) == (403, True), path
        assert ada.send(path, present="wrong horse", **asked).status_code == 401, path
    made = ada.send("/account/tokens", present=PASSWORD, **asked)
    assert (made.status_code, "cab_" in made.text) == (200, True)


def test_name_is_changed(app: Flask, ada: Visitor) -> None:
    bob, new = Visitor(app.test_client(), f"Bob {uuid4().hex[:12]}"), f"Ada {uuid4().hex[:12]}"
    taken = ada.send("/account/name", name=bob.name)
    assert (taken.status_code, "Another player has this name" in taken.text) == (409, True)
    assert ada.sent("/account/name", name=new) == "/account?done=name#name"
    page = ada.open("/account?done=name")
    assert ("Done: the name has changed" in page, f'value="{new}"' in page) == (True, True)


def test_second_factor_is_switched_on_and_off(app: Flask, ada: Visitor) -> None:
    other = again(app, ada)
    made = ada.send("/account/second-factor")
    secret = re.search(r'id="factor-secret"[^>]*>([A-Z2-7]+)<', made.text)
    assert secret is not None
    assert ("<svg" in made.text, made.headers["Cache-Control"]) == (True, "no-store")
    assert secret.group(1) not in ada.open("/account")
    assert ada.send("/account/second-factor/confirmation", code="").status_code == 422
    assert ada.send("/account/second-factor/confirmation", code="nothing").status_code == 401
    code = {"code": TOTP(secret.group(1)).now()}
    assert ada.sent("/account/second-factor/confirmation", **code) == "/account?done=second-factor-on#second-factor"
    assert "logins need a code from now on" in ada.open("/account?done=second-factor-on")
    assert not is_logged_in(other)
    again(app, ada, status=401)
    codes = re.findall(r"<code>([0-9a-z-]{23})</code>", ada.send("/account/recovery-codes").text)
    removal = "/account/second-factor/removal"
    assert ada.send(removal, code="nothing").status_code == 401
    assert ada.sent(removal, code=codes[0]) == "/account?done=second-factor-off#second-factor"
    again(app, ada)


def test_everything_stored_is_downloaded(ada: Visitor) -> None:
    sent = ada.send("/account/export", after="")
    assert (sent.status_code, sent.content_type, sent.headers["Cache-Control"]) == (200, "application/zip", "no-store")
    with zipfile.ZipFile(io.BytesIO(sent.data)) as archive:
        assert json.loads(archive.read("account.json"))[0]["name"] == ada.name
    assert ada.send("/account/export", after="nonsense").status_code == 422


def test_service_without_mail_says_so(ada: Visitor) -> None:
    assert ("This service sends no mail" in ada.open("/account"), 'name="address"' in ada.open("/account")) == (
        True,
        False,
    )
    assert ada.send("/account/email", address="ada@example.org").status_code == 409


def test_quotas_are_told(ada: Visitor) -> None:
    before = re.findall(r"<tr><th scope=\"row\">studies</th><td>(\d+)</td><td>(\d+)</td>", ada.open("/account"))
    assert ada.send("/studies", title="Openings").status_code == 303
    after = re.findall(r"<tr><th scope=\"row\">studies</th><td>(\d+)</td><td>(\d+)</td>", ada.open("/account"))
    assert (before, after) == ([("0", "500")], [("1", "500")])


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/sessions", "/account#sessions"),
        ("/tokens", "/account#tokens"),
        ("/tokens?scopes=read&label=a+b", "/account?scopes=read&label=a+b#tokens"),
        ("/account/second-factor/confirmation", "/account#second-factor"),
        ("/account/password", "/account#password"),
    ],
)
def test_former_addresses_and_those_of_forms_lead_to_the_page(app: Flask, path: str, leads_to: str) -> None:
    assert app.test_client().get(path).headers["Location"] == leads_to


def test_form_of_another_site_and_a_stranger_change_nothing(app: Flask, ada: Visitor) -> None:
    forged = {"csrf": "guessed", "present": PASSWORD, "password": NEW}
    for path in re.findall(r'action="(/account/[^"#]*)', ada.open("/account")):
        assert ada.client.post(path, data=forged, headers=BROWSER).status_code == 403
    assert app.test_client().get("/account", headers=BROWSER).headers["Location"] == "/login?next=%2Faccount"
    again(app, ada)


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_is_shown_in_every_language(language: str, ada: Visitor) -> None:
    page = ada.client.get("/account", headers={**BROWSER, "Accept-Language": language}).text
    assert f'<html lang="{language}">' in page
    assert re.findall(r'id="([a-z-]+)-title"', page) == SECTIONS
    assert [id for id in SECTIONS if f'<section id="{id}"' not in page or f'href="#{id}"' not in page] == []

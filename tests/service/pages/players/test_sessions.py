"""The page of sessions without scripts: lists and ends sessions, changes the password, deletes the account."""

import re
from uuid import uuid4

import psycopg
import pytest
from flask import Flask

from projections.rules.catalogue import LANGUAGES
from service.players.commands.confirmation import CONFIRMED_FOR
from tests.service.conftest import Environ
from tests.support.service.scriptless_browser import BROWSER, PASSWORD, Visitor
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]  # shared by the tests of this module
NEW = "another horse"


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
    return visitor.client.get("/sessions", headers=BROWSER).status_code == 200


def forget_password_was_given(environ: Environ) -> None:
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE sessions SET confirmed = confirmed - %s", (CONFIRMED_FOR,))


def test_sessions_are_ended_one_by_one_and_all_others(app: Flask, ada: Visitor) -> None:
    others = [again(app, ada) for _ in range(3)]
    ends = re.findall(r'action="(/sessions/[0-9a-f-]+/end)"', ada.open("/sessions"))
    assert len(ends) == 4
    assert ada.sent(ends[0]) == "/sessions?ended=1"  # the newest one
    assert [is_logged_in(other) for other in others] == [True, True, False]
    assert ada.sent("/sessions/end") == "/sessions?ended=1"
    assert [is_logged_in(other) for other in others] == [False] * 3
    assert ada.sent(ends[3]) == "/"
    assert not is_logged_in(ada)


def test_password_is_changed_with_the_present_one(app: Flask, ada: Visitor) -> None:
    other = again(app, ada)
    wrong = ada.send("/sessions/password", present="wrong horse", password=NEW)
    assert (wrong.status_code, 'role="alert"' in wrong.text, is_logged_in(other)) == (401, True, True)
    short = ada.send("/sessions/password", present=PASSWORD, password="short")
    assert short.status_code == 422
    assert ada.sent("/sessions/password", present=PASSWORD, password=NEW) == "/sessions?changed=1"
    assert "Done" in ada.open("/sessions?changed=1")
    assert not is_logged_in(other)
    again(app, ada, status=401)
    again(app, ada, NEW)


def test_recovery_codes_are_made_with_the_password_and_shown_once(app: Flask, ada: Visitor) -> None:
    assert "Codes left: 0" in ada.open("/sessions")
    assert ada.send("/sessions/recovery-codes", present="wrong horse").status_code == 401
    made = ada.send("/sessions/recovery-codes", present=PASSWORD)
    codes = re.findall(r"<code>([0-9a-z-]{23})</code>", made.text)
    assert (made.status_code, len(codes), "Codes left: 8" in made.text) == (200, 8, True)
    assert made.headers["Cache-Control"] == "no-store"
    assert not [code for code in codes if code in ada.open("/sessions")]
    body = {"name": ada.name, "code": codes[0], "password": NEW}
    assert app.test_client().post("/v1/recovery", json=body).status_code == 200
    again(app, ada, NEW)


def test_account_is_deleted_with_the_present_password(app: Flask, ada: Visitor) -> None:
    assert ada.send("/sessions/deletion", present="wrong horse").status_code == 401
    assert is_logged_in(ada)
    assert ada.sent("/sessions/deletion", present=PASSWORD) == "/"
    assert not is_logged_in(ada)
    again(app, ada, status=401)


def test_page_of_tokens_asks_for_the_password_again_after_a_while(environ: Environ, ada: Visitor) -> None:
    assert 'name="present"' not in ada.open("/tokens")
    forget_password_was_given(environ)
    assert 'name="present"' in ada.open("/tokens")
    asked: dict[str, str | list[str]] = {"scopes": ["read"], "label": "x", "days": "0"}
    assert ada.send("/tokens", **asked).status_code == 403
    assert ada.send("/tokens", present="wrong horse", **asked).status_code == 401
    made = ada.send("/tokens", present=PASSWORD, **asked)
    assert (made.status_code, "cab_" in made.text) == (200, True)


def test_form_of_another_site_and_a_stranger_change_nothing(app: Flask, ada: Visitor) -> None:
    forged = {"csrf": "guessed", "present": PASSWORD, "password": NEW}
    for path in ("/sessions/password", "/sessions/deletion", "/sessions/end", "/sessions/recovery-codes"):
        assert ada.client.post(path, data=forged, headers=BROWSER).status_code == 403
    assert app.test_client().get("/sessions", headers=BROWSER).headers["Location"] == "/login?next=%2Fsessions"
    again(app, ada)


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_is_shown_in_every_language(language: str, ada: Visitor) -> None:
    page = ada.client.get("/sessions", headers={**BROWSER, "Accept-Language": language}).text
    assert f'<html lang="{language}">' in page

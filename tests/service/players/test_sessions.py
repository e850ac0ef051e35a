"""Sessions are listed and ended; changes of rights take a session and its password, given again after ten minutes."""

from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.container import Container
from service.players.agents import agent_of
from service.players.commands.confirmation import CONFIRMED_FOR
from service.players.commands.sessions import MOST_SESSIONS
from service.web.routing import EXTENSION
from tests.service.conftest import Environ
from tests.support.service.players import Person, answer, problem, somebody
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]  # shared by the tests of this module
PASSWORD, OTHER = "over the hills", "and far away"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
CHROME = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0 Safari/537.36"
ALL = ["read", "play", "annotate", "host"]


class LoggedIn:
    """A browser that is logged in."""

    def __init__(self, app: Flask, name: str, password: str = PASSWORD, agent: str = FIREFOX) -> None:
        self.client = app.test_client()
        body = {"name": name, "password": password}
        answered = answer(self.client.post("/v1/session", json=body, headers={"User-Agent": agent}), 201)
        self.csrf = answered["csrf"]

    def ask(self, method: str, path: str, body: Any = None) -> TestResponse:
        return self.client.open(path, method=method, json=body, headers={"X-CSRF-Token": self.csrf})

    def sessions(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = answer(self.ask("GET", "/v1/sessions"), 200)["sessions"]
        return found


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of the application."""
    return app.test_client()


@pytest.fixture
def anna(client: FlaskClient) -> Person:
    """A player with a password and the first token."""
    return Person(client, f"Anna {uuid4().hex[:12]}", password=PASSWORD)


@pytest.fixture
def browser(app: Flask, anna: Person) -> LoggedIn:
    """A browser of Anna's."""
    return LoggedIn(app, anna.name)


@pytest.fixture
def stale(environ: Environ, browser: LoggedIn) -> LoggedIn:
    """A browser whose password was given more than ten minutes ago."""
    (session,) = browser.sessions()
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as database:
        database.execute("UPDATE sessions SET confirmed = confirmed - %s WHERE id = %s", (CONFIRMED_FOR, session["id"]))
    return browser


@pytest.mark.parametrize("seconds", [60, None])
@pytest.mark.parametrize("scopes", [["host"], ALL])
def test_token_cannot_take_over_an_account_with_a_password(
    client: FlaskClient, app: Flask, anna: Person, seconds: int | None, scopes: list[str]
) -> None:
    brief = {} if seconds is None else {"seconds": seconds}
    anna.token = anna.post("/v1/tokens", {"label": "", "scopes": scopes, **brief})["token"]
    refused = answer(anna.ask("PATCH", "/v1/me", {"password": OTHER}), 403)
    assert problem(refused) == "confirmation_required"
    assert problem(answer(anna.ask("DELETE", "/v1/me"), 403)) == "confirmation_required"
    LoggedIn(app, anna.name)  # the password is the same
    assert answer(anna.ask("PATCH", "/v1/me", {"name": f"{anna.name} II"}), 200)


def test_brief_token_cannot_take_over_an_account_without_a_password(client: FlaskClient) -> None:
    birgir = somebody(client)
    full = birgir.token
    birgir.token = birgir.post("/v1/tokens", {"label": "", "scopes": ["host"], "seconds": 60})["token"]
    for change in ({"password": OTHER}, {"password": OTHER, "revoke_tokens": True}):
        assert problem(answer(birgir.ask("PATCH", "/v1/me", change), 403)) == "confirmation_required"
    assert problem(answer(birgir.ask("DELETE", "/v1/me"), 403)) == "confirmation_required"
    birgir.token = full
    answer(birgir.ask("PATCH", "/v1/me", {"password": OTHER}), 200)  # the first password, by the owner's token
    assert problem(answer(birgir.ask("PATCH", "/v1/me", {"password": PASSWORD}), 403)) == "confirmation_required"


def test_token_of_a_bot_has_no_more_rights_than_the_token_that_made_it(client: FlaskClient, anna: Person) -> None:
    anna.token = anna.post("/v1/tokens", {"label": "", "scopes": ["host", "read"], "seconds": 60})["token"]
    bot = anna.post("/v1/bots", {"name": f"bot {uuid4().hex[:12]}", "engine": "e 1"})
    held = client.get("/v1/tokens", headers={"Authorization": f"Bearer {bot['token']}"}).get_json()["tokens"]
    assert [token["scopes"] for token in held] == [["read", "host"]]
    assert held[0]["expires"] is not None


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/v1/me", {"password": OTHER}),
        ("DELETE", "/v1/me", None),
        ("POST", "/v1/tokens", {"label": "", "scopes": ["read"]}),
    ],
)
def test_stale_session_changes_rights_only_after_its_password_is_given(
    stale: LoggedIn, method: str, path: str, body: Any
) -> None:
    assert problem(answer(stale.ask(method, path, body), 403)) == "confirmation_required"
    wrong = stale.ask("POST", "/v1/session/confirmation", {"password": "not the hills"})
    assert problem(answer(wrong, 401)) == "unauthenticated"
    assert problem(answer(stale.ask(method, path, body), 403)) == "confirmation_required"
    assert stale.ask("POST", "/v1/session/confirmation", {"password": PASSWORD}).status_code == 204
    assert stale.ask(method, path, body).status_code in (200, 201, 204)


def test_token_confirms_nothing_and_lists_and_ends_no_sessions(anna: Person, browser: LoggedIn) -> None:
    (session,) = browser.sessions()
    asked = (
        ("POST", "/v1/session/confirmation", {"password": PASSWORD}),
        ("GET", "/v1/sessions", None),
        ("DELETE", "/v1/sessions", None),
        ("DELETE", f"/v1/sessions/{session['id']}", None),
    )
    for method, path, body in asked:
        assert answer(anna.ask(method, path, body), 403)["reason"] == "session_only"
    assert len(browser.sessions()) == 1


def test_new_password_ends_the_other_sessions_and_leaves_tokens(app: Flask, anna: Person, browser: LoggedIn) -> None:
    other = LoggedIn(app, anna.name)
    assert other.ask("GET", "/v1/me").status_code == 200
    answer(browser.ask("PATCH", "/v1/me", {"password": OTHER}), 200)
    assert other.ask("GET", "/v1/me").status_code == 401
    assert browser.ask("GET", "/v1/me").status_code == 200
    assert anna.ask("GET", "/v1/me").status_code == 200
    LoggedIn(app, anna.name, OTHER)


def test_new_password_revokes_tokens_when_asked_to(anna: Person, browser: LoggedIn) -> None:
    answer(browser.ask("PATCH", "/v1/me", {"password": OTHER, "revoke_tokens": True}), 200)
    assert anna.ask("GET", "/v1/me").status_code == 401
    assert browser.ask("GET", "/v1/me").status_code == 200


def test_removed_password_ends_all_sessions(anna: Person, browser: LoggedIn) -> None:
    answer(browser.ask("PATCH", "/v1/me", {"password": None}), 200)
    assert browser.ask("GET", "/v1/me").status_code == 401
    assert anna.ask("GET", "/v1/me").status_code == 200


def test_sessions_are_listed_with_browser_and_network_and_ended_one_by_one(app: Flask, anna: Person) -> None:
    first, second = LoggedIn(app, anna.name), LoggedIn(app, anna.name, agent=CHROME)
    newest, oldest = second.sessions()
    assert [one["agent"] for one in (newest, oldest)] == ["Chrome, Windows", "Firefox, Linux"]
    assert [one["current"] for one in (newest, oldest)] == [True, False]
    assert (newest["address"], newest["used"] is not None, oldest["used"]) == ("127.0.0.1", True, None)
    assert second.ask("DELETE", f"/v1/sessions/{oldest['id']}").status_code == 204
    assert first.ask("GET", "/v1/me").status_code == 401
    assert second.ask("DELETE", f"/v1/sessions/{oldest['id']}").status_code == 404


def test_session_of_another_player_is_not_ended(app: Flask, client: FlaskClient, browser: LoggedIn) -> None:
    eve = Person(client, f"Eve {uuid4().hex[:12]}", password=PASSWORD)
    (own,) = browser.sessions()
    assert LoggedIn(app, eve.name).ask("DELETE", f"/v1/sessions/{own['id']}").status_code == 404
    assert browser.ask("GET", "/v1/me").status_code == 200


@pytest.mark.parametrize(("query", "left"), [("?others=true", 200), ("", 401)])
def test_all_sessions_or_all_others_end(app: Flask, anna: Person, query: str, left: int) -> None:
    browser, others = LoggedIn(app, anna.name), [LoggedIn(app, anna.name) for _ in range(2)]
    assert browser.ask("DELETE", f"/v1/sessions{query}").status_code == 204
    assert [other.ask("GET", "/v1/me").status_code for other in others] == [401, 401]
    assert browser.ask("GET", "/v1/me").status_code == left


def test_number_of_sessions_is_bounded(app: Flask, anna: Person, browser: LoggedIn, environ: Environ) -> None:
    here: Container = app.extensions[EXTENSION]
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as database:
        database.execute(
            "INSERT INTO sessions (hash, player, csrf, created, expires) "
            "SELECT sha256(n::text::bytea), %s, '', %s - n, %s FROM generate_series(1, %s) AS n",
            (UUID(anna.id), here.now(), here.now() * 2, MOST_SESSIONS),
        )
    assert len(LoggedIn(app, anna.name).sessions()) == MOST_SESSIONS


@pytest.mark.parametrize(
    ("header", "agent"),
    [
        (FIREFOX, "Firefox, Linux"),
        (CHROME, "Chrome, Windows"),
        (f"{CHROME} Edg/139.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari, iOS"),
        ("curl/8.0", ""),
        ("", ""),
    ],
)
def test_browser_and_system_are_named_coarsely(header: str, agent: str) -> None:
    assert agent_of(header) == agent

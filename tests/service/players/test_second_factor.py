"""A second factor: logins need a code of the moment, each once; guessing is slow, and a lost device is no loss."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest
from flask import Flask
from freezegun import freeze_time

from service.players.commands.confirmation import CONFIRMED_FOR
from service.players.login_delays import FREE_OF_ACCOUNT
from service.players.second_factor.begun_logins import MOST_TICKETS, TICKET_SECONDS
from tests.service.conftest import Environ
from tests.support.service.authenticators import (
    AuthenticatorApp,
    LoggedInBrowser,
    send_code,
    send_login,
    ticket_of,
)
from tests.support.service.operator_help import reset_code, run_player
from tests.support.service.players import Person, answer, problem
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]  # shared by the tests of this module
PASSWORD, NEW = "over the hills", "and far away"
STATUS, CONFIRM, REMOVE = "/v1/me/second-factor", "/v1/me/second-factor/confirmation", "/v1/me/second-factor/removal"


@pytest.fixture
def anna(app: Flask) -> Person:
    """A player with a password."""
    return Person(app.test_client(), f"Anna {uuid4().hex[:12]}", password=PASSWORD)


@pytest.fixture
def browser(app: Flask, anna: Person) -> LoggedInBrowser:
    """Anna's browser."""
    return LoggedInBrowser(app, anna.name, PASSWORD)


def is_on(browser: LoggedInBrowser) -> bool:
    """Whether logins of the browser's account need a code."""
    return bool(answer(browser.ask("GET", STATUS), 200)["on"])


def test_secret_counts_after_its_first_code(app: Flask, anna: Person, browser: LoggedInBrowser) -> None:
    made = answer(browser.ask("POST", STATUS), 201)
    authenticator = AuthenticatorApp(made["uri"])
    assert made["secret"] in made["uri"]
    assert made["qr"].startswith("<svg")
    assert not is_on(browser)
    assert send_login(app, anna.name, PASSWORD).status_code == 201
    refused = browser.ask("POST", CONFIRM, {"code": authenticator.wrong_code()})
    assert problem(answer(refused, 401)) == "second_factor_refused"
    assert browser.ask("POST", CONFIRM, {"code": authenticator.code()}).status_code == 204
    assert is_on(browser)
    assert problem(answer(browser.ask("POST", STATUS), 409)) == "second_factor_on"


def test_login_needs_password_and_code(app: Flask, anna: Person, browser: LoggedInBrowser) -> None:
    authenticator = browser.enrol()
    assert problem(answer(send_login(app, anna.name, "wrong"), 401)) == "unauthenticated"
    ticket = ticket_of(app, anna.name, PASSWORD)
    assert problem(answer(send_code(app, ticket, authenticator.wrong_code()), 401)) == "second_factor_refused"
    assert answer(send_code(app, ticket, authenticator.code()), 201)["player"]["id"] == anna.id
    assert problem(answer(send_code(app, ticket, authenticator.code(1)), 401)) == "login_over"


def test_code_is_used_once(app: Flask, anna: Person, browser: LoggedInBrowser) -> None:
    authenticator = browser.enrol()
    code, earlier = authenticator.code(1), authenticator.code()
    assert send_code(app, ticket_of(app, anna.name, PASSWORD), code).status_code == 201
    for used in (code, earlier):
        refused = send_code(app, ticket_of(app, anna.name, PASSWORD), used)
        assert problem(answer(refused, 401)) == "second_factor_refused"


def test_code_that_confirmed_logs_nobody_in(app: Flask, anna: Person, browser: LoggedInBrowser) -> None:
    authenticator = AuthenticatorApp(answer(browser.ask("POST", STATUS), 201)["uri"])
    code = authenticator.code(1)
    assert browser.ask("POST", CONFIRM, {"code": code}).status_code == 204
    assert send_code(app, ticket_of(app, anna.name, PASSWORD), code).status_code == 401


def test_two_logins_at_once_use_a_code_once(app: Flask, anna: Person, browser: LoggedInBrowser) -> None:
    authenticator = browser.enrol()
    tickets, code = [ticket_of(app, anna.name, PASSWORD) for _ in range(4)], authenticator.code()
    with ThreadPoolExecutor(4) as threads:
        answers = threads.map(lambda ticket: send_code(app, ticket, code).status_code, tickets)
    assert sorted(answers) == [201, 401, 401, 401]


def test_wrong_codes_slow_down_all_strange_addresses(app: Flask, anna: Person, browser: LoggedInBrowser) -> None:
    authenticator = browser.enrol()
    ticket, wrong = ticket_of(app, anna.name, PASSWORD), authenticator.wrong_code()
    with freeze_time():  # the delay does not pass meanwhile
        told = [
            send_code(app, ticket, wrong, f"198.51.100.{number}").status_code for number in range(FREE_OF_ACCOUNT + 2)
        ]
        assert told == [401] * FREE_OF_ACCOUNT + [429] * 2
        delayed = send_code(app, ticket, authenticator.code(), "203.0.113.9")
        assert (delayed.status_code, delayed.headers["Retry-After"]) == (429, "2")
    assert send_code(app, ticket, authenticator.code()).status_code == 201  # from where the owner has logged in before


def test_new_password_voids_begun_logins(app: Flask, anna: Person, browser: LoggedInBrowser) -> None:
    authenticator = browser.enrol()
    ticket = ticket_of(app, anna.name, PASSWORD)
    answer(browser.ask("PATCH", "/v1/me", {"password": NEW}), 200)
    assert problem(answer(send_code(app, ticket, authenticator.code()), 401)) == "login_over"


def test_begun_logins_end_and_are_bounded(app: Flask, environ: Environ, anna: Person, browser: LoggedInBrowser) -> None:
    authenticator = browser.enrol()
    tickets = [ticket_of(app, anna.name, PASSWORD) for _ in range(MOST_TICKETS + 1)]
    assert problem(answer(send_code(app, tickets[0], authenticator.code()), 401)) == "login_over"
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE begun_logins SET expires = expires - %s", (TICKET_SECONDS * 1_000_000,))
    assert problem(answer(send_code(app, tickets[-1], authenticator.code()), 401)) == "login_over"


def test_recovery_code_stands_in_once(app: Flask, anna: Person, browser: LoggedInBrowser) -> None:
    codes = answer(browser.ask("POST", "/v1/me/recovery-codes"), 201)["codes"]
    browser.enrol()
    assert send_code(app, ticket_of(app, anna.name, PASSWORD), codes[0]).status_code == 201
    assert send_code(app, ticket_of(app, anna.name, PASSWORD), codes[0]).status_code == 401
    assert send_code(app, ticket_of(app, anna.name, PASSWORD), codes[1].upper()).status_code == 201


def test_code_of_the_operator_does_not_stand_in(
    app: Flask, environ: Environ, anna: Person, browser: LoggedInBrowser
) -> None:
    browser.enrol()
    body = {"name": anna.name, "code": reset_code(environ, anna.name), "password": NEW}
    answer(app.test_client().post("/v1/recovery", json=body), 200)
    assert send_code(app, ticket_of(app, anna.name, NEW), reset_code(environ, anna.name)).status_code == 401


def test_damaged_secret_leaves_the_recovery_codes(
    app: Flask, environ: Environ, anna: Person, browser: LoggedInBrowser
) -> None:
    codes = answer(browser.ask("POST", "/v1/me/recovery-codes"), 201)["codes"]
    authenticator = browser.enrol()
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE second_factors SET sealed = sealed || '\\x00' WHERE player = %s", (anna.id,))
    refused = send_code(app, ticket_of(app, anna.name, PASSWORD), authenticator.code())
    assert problem(answer(refused, 401)) == "second_factor_refused"
    assert send_code(app, ticket_of(app, anna.name, PASSWORD), codes[0]).status_code == 201
    assert browser.ask("POST", REMOVE, {"code": codes[1]}).status_code == 204


def test_switching_on_ends_other_sessions(app: Flask, anna: Person, browser: LoggedInBrowser) -> None:
    other = LoggedInBrowser(app, anna.name, PASSWORD)
    browser.enrol()
    assert other.ask("GET", "/v1/sessions").status_code == 401
    assert len(answer(browser.ask("GET", "/v1/sessions"), 200)["sessions"]) == 1


def test_switching_off_takes_password_and_code(
    app: Flask, environ: Environ, anna: Person, browser: LoggedInBrowser
) -> None:
    authenticator = browser.enrol()
    assert problem(answer(browser.ask("POST", REMOVE, {"code": authenticator.wrong_code()}), 401)) == (
        "second_factor_refused"
    )
    forget_confirmation(environ, anna)
    for path in (STATUS, CONFIRM, REMOVE):
        body = None if path == STATUS else {"code": authenticator.code()}
        assert problem(answer(browser.ask("POST", path, body), 403)) == "confirmation_required"
    assert browser.ask("POST", "/v1/session/confirmation", {"password": PASSWORD}).status_code == 204
    assert browser.ask("POST", REMOVE, {"code": authenticator.code()}).status_code == 204
    assert not is_on(browser)
    assert send_login(app, anna.name, PASSWORD).status_code == 201


def forget_confirmation(environ: Environ, person: Person) -> None:
    """Lets the time pass in which the password counts as just given."""
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE sessions SET confirmed = confirmed - %s WHERE player = %s", (CONFIRMED_FOR, person.id))


def test_token_cannot_touch_the_second_factor(app: Flask, anna: Person, browser: LoggedInBrowser) -> None:
    authenticator = browser.enrol()
    for method, path in (("GET", STATUS), ("POST", STATUS), ("POST", CONFIRM), ("POST", REMOVE)):
        body = {"code": authenticator.code()} if path in (CONFIRM, REMOVE) else None
        assert answer(anna.ask(method, path, body), 403)["reason"] == "session_only"


def test_operator_takes_a_second_factor_off(
    app: Flask, environ: Environ, anna: Person, browser: LoggedInBrowser
) -> None:
    browser.enrol()
    kept = run_player(environ, "reset", anna.name)
    assert "the second factor stays" in kept.stderr
    done = run_player(environ, "reset", anna.name, "--second-factor")
    assert "the second factor is off" in done.stderr
    body = {"name": anna.name, "code": done.stdout.strip(), "password": NEW}
    answer(app.test_client().post("/v1/recovery", json=body), 200)
    assert send_login(app, anna.name, NEW).status_code == 201
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        acts = database.execute("SELECT act FROM administrative_acts WHERE subject = %s ORDER BY number", (anna.id,))
        assert [act for (act,) in acts] == ["password_reset", "second_factor_removed", "password_reset"]


def test_secrets_are_stored_sealed_and_erased(
    app: Flask, environ: Environ, anna: Person, browser: LoggedInBrowser
) -> None:
    made = answer(browser.ask("POST", STATUS), 201)
    browser.confirm(made["uri"])
    ticket_of(app, anna.name, PASSWORD)
    query = "SELECT (SELECT sealed FROM second_factors WHERE player = %s), count(*) FROM begun_logins WHERE player = %s"
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        sealed, begun = database.execute(query, (anna.id, anna.id)).fetchone() or (b"", 0)
    assert (made["secret"].encode() in bytes(sealed), begun) == (False, 1)
    assert browser.ask("DELETE", "/v1/me").status_code == 204
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        assert database.execute(query, (anna.id, anna.id)).fetchone() == (None, 0)

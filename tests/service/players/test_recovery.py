"""A lost password is replaced with a code: once, slowly for guessers, and without telling which names exist."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.players.commands.confirmation import CONFIRMED_FOR
from service.players.commands.recovery import CODES
from service.players.login_delays import FREE_OF_ACCOUNT
from tests.service.conftest import Environ
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.operator_help import reset_code
from tests.support.service.players import Person, answer, problem
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]  # shared by the tests of this module
OLD, NEW = "over the hills", "and far away"
WRONG = "00000-00000-00000-00000"


@pytest.fixture
def anna(app: Flask) -> Person:
    """A player with a password and the first token."""
    return Person(app.test_client(), f"Anna {uuid4().hex[:12]}", password=OLD)


def recover(app: Flask, name: str, code: str, address: str = "192.0.2.1", **more: Any) -> TestResponse:
    """A recovery from an address."""
    body = {"name": name, "code": code, "password": NEW, **more}
    return app.test_client().post("/v1/recovery", json=body, environ_base={"REMOTE_ADDR": address})


def log_in(client: FlaskClient, name: str, password: str) -> int:
    return client.post("/v1/session", json={"name": name, "password": password}).status_code


def test_recovery_ends_sessions_and_keeps_tokens(app: Flask, environ: Environ, anna: Person) -> None:
    code, browser = reset_code(environ, anna.name), app.test_client()
    told = {"player": anna.id, "sessions": 0, "tokens": 1, "recovery_codes": 0}
    assert recover(app, anna.name, code).get_json() == told
    assert log_in(browser, anna.name, NEW) == 201
    code = reset_code(environ, anna.name)
    answer(recover(app, anna.name, code), 200)
    assert browser.get("/v1/sessions").status_code == 401
    assert anna.ask("GET", "/v1/me").status_code == 200


def test_recovery_revokes_tokens_when_asked_to(app: Flask, environ: Environ, anna: Person) -> None:
    code = reset_code(environ, anna.name)
    assert answer(recover(app, anna.name, code, revoke_tokens=True), 200)["tokens"] == 0
    assert anna.ask("GET", "/v1/me").status_code == 401


def test_code_of_another_player_recovers_nothing(app: Flask, environ: Environ, anna: Person) -> None:
    eve = Person(app.test_client(), f"Eve {uuid4().hex[:12]}", password=OLD)
    code = reset_code(environ, eve.name)
    assert recover(app, anna.name, code).status_code == 401
    assert recover(app, eve.name, code).status_code == 200


def test_unfit_password_uses_no_code_up(app: Flask, environ: Environ, anna: Person) -> None:
    code = reset_code(environ, anna.name)
    assert problem(answer(recover(app, anna.name, code, password="short"), 422)) == "invalid_request"
    assert recover(app, anna.name, code).status_code == 200


def test_two_recoveries_at_once_use_a_code_once(app: Flask, environ: Environ, anna: Person) -> None:
    code, gate = reset_code(environ, anna.name), app.extensions["cabildo"].passwords.gate
    with ThreadPoolExecutor(2) as threads:
        with gate.passed(), gate.passed():  # both have found their code valid and wait for the hash
            both = [threads.submit(recover, app, anna.name, code) for _ in range(2)]
            assert eventually(lambda: gate.waiting() == 2)
        assert sorted(one.result().status_code for one in both) == [200, 401]


def test_recovery_hashes_without_a_connection(app: Flask, environ: Environ, anna: Person) -> None:
    code, here = reset_code(environ, anna.name), app.extensions["cabildo"]
    pool, gate = here.stores.pool, here.passwords.gate
    with ThreadPoolExecutor(1) as thread:
        with gate.passed(), gate.passed():
            waiting = thread.submit(recover, app, anna.name, code)
            assert eventually(lambda: gate.waiting() == 1)
            pool.wait(PATIENCE)
            stats = pool.get_stats()
            assert stats["pool_available"] == stats["pool_size"]
        assert waiting.result().status_code == 200


def test_wrong_codes_slow_down_known_and_unknown_names_alike(app: Flask, anna: Person) -> None:
    for name in (anna.name, f"nobody {uuid4().hex[:12]}"):
        told = [recover(app, name, WRONG, "192.0.2.90") for _ in range(FREE_OF_ACCOUNT + 1)]
        assert [one.status_code for one in told] == [401] * FREE_OF_ACCOUNT + [429]
        assert {one.get_json()["detail"] for one in told[:-1]} == {
            "name or code is wrong, or the code was used or has expired"
        }
        assert told[-1].headers["Retry-After"] == "2"
        assert log_in(app.test_client(), name, OLD) == 429  # one delay for both ways in


def test_erasure_deletes_recovery_codes(app: Flask, environ: Environ, anna: Person) -> None:
    reset_code(environ, anna.name)
    with psycopg.connect(environ["DATABASE_URL"]) as database:  # an account without a password is erased by its token
        database.execute("UPDATE players SET password = NULL WHERE id = %s", (anna.id,))
    assert anna.ask("DELETE", "/v1/me").status_code == 204
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        left = database.execute("SELECT count(*) FROM recovery_codes WHERE player = %s", (anna.id,)).fetchone()
    assert left == (0,)


class Browser:
    """A browser that is logged in."""

    def __init__(self, app: Flask, name: str) -> None:
        self.client = app.test_client()
        told = answer(self.client.post("/v1/session", json={"name": name, "password": OLD}), 201)
        self.headers = {"X-CSRF-Token": told["csrf"]}

    def make_codes(self, status: int = 201) -> dict[str, Any]:
        """Makes new recovery codes."""
        return answer(self.client.post("/v1/me/recovery-codes", headers=self.headers), status)


def left(anna: Person) -> int:
    """The number of codes that the account document tells."""
    return int(answer(anna.ask("GET", "/v1/me"), 200)["recovery_codes"])


def test_each_recovery_code_is_valid_once(app: Flask, environ: Environ, anna: Person) -> None:
    assert left(anna) == 0
    codes = Browser(app, anna.name).make_codes()["codes"]
    assert (len(set(codes)), left(anna)) == (CODES, CODES)
    for number, code in enumerate(codes, 1):
        done = answer(recover(app, anna.name, code), 200)
        assert done["recovery_codes"] == left(anna) == CODES - number
        assert recover(app, anna.name, code).status_code == 401
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        rows = database.execute("SELECT count(*) FROM recovery_codes WHERE player = %s", (anna.id,)).fetchone()
    assert rows == (0,)


def test_new_codes_void_the_old_ones(app: Flask, anna: Person) -> None:
    browser = Browser(app, anna.name)
    old, new = browser.make_codes()["codes"], browser.make_codes()["codes"]
    assert left(anna) == CODES
    assert recover(app, anna.name, old[0]).status_code == 401
    assert recover(app, anna.name, new[0]).status_code == 200


def test_reset_by_the_operator_voids_codes(app: Flask, environ: Environ, anna: Person) -> None:
    own = Browser(app, anna.name).make_codes()["codes"]
    code = reset_code(environ, anna.name)
    assert recover(app, anna.name, own[0]).status_code == 401
    assert recover(app, anna.name, code).status_code == 200


def test_codes_take_a_session_and_its_password(app: Flask, environ: Environ, anna: Person) -> None:
    assert answer(anna.ask("POST", "/v1/me/recovery-codes"), 403)["reason"] == "session_only"
    browser = Browser(app, anna.name)
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE sessions SET confirmed = confirmed - %s WHERE player = %s", (CONFIRMED_FOR, anna.id))
    assert problem(browser.make_codes(403)) == "confirmation_required"
    assert left(anna) == 0
    confirmed = browser.client.post("/v1/session/confirmation", json={"password": OLD}, headers=browser.headers)
    assert confirmed.status_code == 204
    assert len(browser.make_codes()["codes"]) == CODES


def test_password_sent_before_a_reset_is_not_set_after_it(app: Flask, environ: Environ, anna: Person) -> None:
    browser, gate = Browser(app, anna.name), app.extensions["cabildo"].passwords.gate
    with ThreadPoolExecutor(1) as thread:
        with gate.passed(), gate.passed():  # the change was allowed and waits for the hash
            changing = thread.submit(
                browser.client.patch, "/v1/me", json={"password": "a thief's horse"}, headers=browser.headers
            )
            assert eventually(lambda: gate.waiting() == 1)
            code = reset_code(environ, anna.name)
        assert problem(answer(changing.result(), 403)) == "confirmation_required"
    assert log_in(app.test_client(), anna.name, "a thief's horse") == 401
    assert recover(app, anna.name, code).status_code == 200

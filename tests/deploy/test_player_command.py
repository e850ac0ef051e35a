"""`cabildo player reset` as operator and player meet it: an old password ends, a code printed once sets a new one."""

import re
from collections.abc import Iterator

import psycopg
import pytest
from flask.testing import FlaskClient

from service.players.commands.recovery import RESET_VALID
from tests.service.conftest import Environ, opened_app, variables
from tests.support.service.operator_help import reset_code, run_player
from tests.support.service.players import Person, answer, problem

OLD, NEW = "over the hills", "and far away"


@pytest.fixture
def environ(database: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Environ:
    return variables(database, redis_url, tmp_path_factory.mktemp("data")) | {"CABILDO_LOG_LEVEL": "debug"}


@pytest.fixture
def client(environ: Environ) -> Iterator[FlaskClient]:
    with opened_app(environ) as app:
        yield app.test_client()


@pytest.fixture
def anna(client: FlaskClient) -> Person:
    return Person(client, "Anna", password=OLD)


def log_in(client: FlaskClient, password: str) -> int:
    """The status of a login in a new browser."""
    body = {"name": "Anna", "password": password}
    return client.application.test_client().post("/v1/session", json=body).status_code


def recover(client: FlaskClient, code: str, status: int) -> dict[str, object]:
    body = {"name": "Anna", "code": code, "password": NEW}
    return answer(client.application.test_client().post("/v1/recovery", json=body), status)


def test_reset_ends_password_and_sessions_for_a_code(client: FlaskClient, anna: Person, environ: Environ) -> None:
    assert client.post("/v1/session", json={"name": "Anna", "password": OLD}).status_code == 201
    done = run_player(environ, "reset", "ANNA")
    assert (done.exit_code, "sessions ended: 1; tokens that stay valid: 1" in done.stderr) == (0, True)
    code = done.stdout.strip()
    assert re.fullmatch(r"[0-9a-z]{5}(-[0-9a-z]{5}){3}", code)
    assert code not in done.stderr
    client.application.extensions["cabildo"].authenticator.forget()  # other processes accept it for two seconds
    assert client.get("/v1/sessions").status_code == 401
    assert log_in(client, OLD) == 401
    assert problem(answer(anna.ask("PATCH", "/v1/me", {"password": NEW}), 403)) == "confirmation_required"
    assert recover(client, code.upper().replace("-", " "), 200) == {
        "player": anna.id,
        "sessions": 0,
        "tokens": 1,
        "recovery_codes": 0,
    }
    assert log_in(client, NEW) == 201
    assert problem(recover(client, code, 401)) == "unauthenticated"


def test_only_the_newest_code_is_valid(client: FlaskClient, anna: Person, environ: Environ) -> None:
    first, second = reset_code(environ, anna.name), reset_code(environ, anna.name)
    recover(client, first, 401)
    recover(client, second, 200)


def test_code_of_the_operator_expires(client: FlaskClient, anna: Person, environ: Environ) -> None:
    code = reset_code(environ, anna.name)
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("UPDATE recovery_codes SET expires = expires - %s", (RESET_VALID,))
    assert problem(recover(client, code, 401)) == "unauthenticated"


def test_code_is_stored_as_a_hash_only(anna: Person, environ: Environ) -> None:
    code = reset_code(environ, anna.name)
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        (stored,) = database.execute("SELECT recovery_codes::text FROM recovery_codes").fetchall()
    assert code not in stored[0]
    assert code.replace("-", "") not in stored[0]


@pytest.mark.parametrize(("name", "says"), [("Nobody", "there is no player 'Nobody'"), ("\u200b", "is not allowed")])
def test_reset_of_an_unknown_name_is_refused(environ: Environ, name: str, says: str) -> None:
    refused = run_player(environ, "reset", name)
    assert (refused.exit_code, refused.stdout, says in refused.stderr) == (1, "", True)

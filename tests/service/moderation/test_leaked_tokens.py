"""A leaked token for administrators: revoked, it does nothing more, leaves no other token, and its acts are known."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from threading import Barrier
from typing import Final
from uuid import uuid4

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from deploy.cli import main
from tests.service.conftest import Environ, opened_app
from tests.support.service.administrators import acts_of, admin_token, administrator, block
from tests.support.service.players import Person, problem, somebody

ADMIN: Final = {"label": "", "scopes": ["admin"]}


@pytest.fixture
def admin(app: Flask) -> Person:
    return administrator(app)


@pytest.fixture
def thief(environ: Environ, admin: Person) -> Iterator[Person]:
    """A client with the administrator's token, which another web process has in its cache."""
    with opened_app(environ) as app:
        there = copy(admin)
        there.client = app.test_client()
        assert there.ask("GET", "/v1/me").status_code == 200
        yield there


def revoke(environ: Environ, *arguments: str) -> None:
    command = ["--data-dir", environ["CABILDO_DATA_DIR"], "token", "revoke", *arguments]
    done = CliRunner(env=environ).invoke(main, command)
    assert done.exit_code == 0, done.output


def test_a_revoked_token_acts_no_more_in_any_process(
    client: FlaskClient, environ: Environ, admin: Person, thief: Person
) -> None:
    game = somebody(client).create("me", "open")["id"]
    revoke(environ, admin.name, "--all")
    assert thief.ask("POST", f"/v1/games/{game}/end", {"reason": "revenge"}).status_code == 401
    assert thief.ask("GET", "/v1/admin/record").status_code == 401


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/tokens", ADMIN),
        ("/v1/bots", {"name": "bot", "engine": "x"}),
        ("/v1/webhooks", {"url": "https://93.184.215.14/hook"}),
    ],
)
def test_a_revoked_token_makes_no_other_while_it_is_cached(
    environ: Environ, admin: Person, thief: Person, path: str, body: dict[str, object]
) -> None:
    assert thief.ask("GET", "/v1/me").status_code == 200  # into the cache again
    revoke(environ, admin.name, "--all")
    assert problem(thief.post(path, body, 401)) == "unauthenticated"


def test_a_revoked_token_takes_no_account_over_while_it_is_cached(
    app: Flask, client: FlaskClient, environ: Environ
) -> None:
    person = somebody(client)
    assert person.ask("GET", "/v1/me").status_code == 200
    revoke(environ, person.name, "--all")
    for method, body in (("PATCH", {"password": "over the hills"}), ("DELETE", None)):
        assert person.ask(method, "/v1/me", body).status_code == 401


def test_all_tokens_made_with_a_leaked_one_are_revoked(
    app: Flask, environ: Environ, admin: Person, thief: Person
) -> None:
    second, bot = copy(thief), copy(thief)
    second.token = thief.post("/v1/tokens", ADMIN)["token"]
    made = thief.post("/v1/bots", {"name": f"bot {uuid4().hex[:8]}", "engine": "x"})["player"]["id"]
    bot.token = thief.post(f"/v1/bots/{made}/tokens", ADMIN)["token"]
    revoke(environ, admin.name, "--all")
    for left in (second, bot):
        assert left.ask("GET", "/v1/admin/record").status_code == 401
    told = [(act["act"], act["by"]["id"]) for act in acts_of(administrator(app))]
    assert told.count(("token_issued", admin.id)) == 2
    assert ("token_revoked", "operator") in told


def test_the_operator_undoes_what_a_leaked_token_did(environ: Environ, app: Flask, thief: Person) -> None:
    other = administrator(app)
    block(thief, other.id)
    assert other.ask("GET", "/v1/admin/record").status_code == 403
    command = ["--data-dir", environ["CABILDO_DATA_DIR"], "admin", "unblock", other.name, "--reason", "a leaked token"]
    done = CliRunner(env=environ).invoke(main, command)
    assert (done.exit_code, done.stdout) == (0, "unblocked\n")
    assert [act["act"] for act in acts_of(other)] == ["player_unblocked", "player_blocked"]


def test_a_token_for_administrators_takes_no_account_over(admin: Person) -> None:
    for method, body in (("PATCH", {"password": "over the hills"}), ("DELETE", None)):
        refused = admin.ask(method, "/v1/me", body)
        assert (refused.status_code, problem(refused.get_json())) == (403, "confirmation_required")


@pytest.mark.parametrize("ending", ["erasure", "password", "command"])
def test_rights_end_while_others_are_made(app: Flask, environ: Environ, ending: str) -> None:
    person = somebody(app.test_client())
    owners, person.token = person.token, admin_token(app.extensions["cabildo"], person)
    begun, kinds = Barrier(6), 2 if ending == "command" else 3  # the command names the player

    def make(number: int) -> set[int]:
        there, found = copy(person), set()
        there.client = app.test_client()
        begun.wait()
        for turn in range(12):
            name = f"b{number} {turn} {uuid4().hex[:8]}"
            requests = (
                ("POST", "/v1/tokens", ADMIN),
                ("POST", "/v1/bots", {"name": name, "engine": "x"}),
                ("PATCH", "/v1/me", {"name": f"of {name}"}),
            )
            found.add(there.ask(*requests[(number + turn) % kinds]).status_code)
        return found

    with ThreadPoolExecutor(5) as threads:
        runs = [threads.submit(make, number) for number in range(5)]
        begun.wait()
        if ending == "command":
            revoke(environ, person.name, "--all")
        else:
            ends = copy(person)
            ends.token = owners
            change = {"password": "over the hills", "revoke_tokens": True}
            ended = ends.ask("DELETE", "/v1/me") if ending == "erasure" else ends.ask("PATCH", "/v1/me", change)
            assert ended.status_code in (200, 204), ended.text
    assert {status for run in runs for status in run.result()} <= {200, 201, 401, 403, 404, 422}
    assert person.ask("GET", "/v1/admin/record").status_code == 401
    with app.extensions["cabildo"].stores.pool.connection() as connection:
        left = connection.execute("SELECT count(*) FROM tokens WHERE 'admin' = ANY(scopes)").fetchone()
    assert left == (0,)

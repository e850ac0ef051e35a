"""The record of administrative acts: append-only, chained by hashes, written with the act or not at all."""

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from events.store.guards import missing_guards
from service.container import Container
from service.moderation.queries import RecordQuery, first_broken_act, recorded_acts
from service.moderation.record import AdministrativeAct, record_act
from tests.events.store.test_guards import CHANGES, IMPOSSIBLE, NO_PRIVILEGE, REFUSED, ROLES, outcome
from tests.support.service.administrators import acts_of, admin_token, administrator
from tests.support.service.players import answer, problem, somebody

DISARM = "SET cabildo.altering_acts = 'on'; ALTER TABLE administrative_acts DISABLE TRIGGER USER"


@pytest.fixture
def here(app: Flask) -> Container:
    container: Container = app.extensions["cabildo"]
    return container


@pytest.fixture
def as_superuser(database: str) -> Iterator[Callable[[str], object]]:
    """Executes statements as the superuser of the database of this test."""
    with psycopg.connect(database, autocommit=True) as connection:
        yield lambda statements: connection.execute(statements.encode())


def test_the_record_names_actor_act_subject_time_and_reason(app: Flask, client: FlaskClient) -> None:
    admin, host = administrator(app), somebody(client)
    game = host.create("me", "open")["id"]
    admin.post(f"/v1/games/{game}/end", {"reason": "spam"})
    (act,) = acts_of(admin, subject=game)
    assert (act["by"], act["subject"]) == ({"id": admin.id, "name": admin.name}, {"id": game, "name": None})
    assert (act["act"], act["title"], act["reason"], act["kind"]) == ("game_ended", "Game ended", "spam", "game")
    icelandic = answer(admin.ask("GET", "/v1/admin/record?language=is"), 200)["acts"][0]
    assert icelandic["title"] == "Spili lokið"


def test_the_record_is_paged_from_the_newest(app: Flask, here: Container) -> None:
    admin = administrator(app)
    with here.stores.pool.connection() as connection:
        for _ in range(5):
            record_act(connection, 1, AdministrativeAct("operator", "log_opened", "log"))
    pages, before = [], 2**53
    while before:
        page = answer(admin.ask("GET", f"/v1/admin/record?limit=2&before={before}"), 200)
        pages.append([act["number"] for act in page["acts"]])
        before = page["next"]
    assert pages == [[5, 4], [3, 2], [1]]


def test_only_administrators_read_the_record(client: FlaskClient) -> None:
    refused = answer(somebody(client).ask("GET", "/v1/admin/record"), 403)
    assert problem(refused) == "scope_missing"


def test_an_act_that_is_refused_leaves_no_row(app: Flask, client: FlaskClient, here: Container) -> None:
    admin, host = administrator(app), somebody(client)
    game = host.create("me", "open")["id"]
    admin.post(f"/v1/games/{game}/end", {"reason": "spam"})
    admin.post(f"/v1/games/{game}/end", {"reason": "again"}, 409)
    assert [act["reason"] for act in acts_of(admin)] == ["spam"]


def test_a_repeated_request_is_recorded_once(app: Flask, client: FlaskClient) -> None:
    admin, game = administrator(app), somebody(client).create("me", "open")["id"]
    for _ in range(2):
        admin.post(f"/v1/games/{game}/end", {"reason": "spam"}, Idempotency_Key="1")
    assert len(acts_of(admin)) == 1


def test_no_game_ends_when_the_record_cannot_be_written(
    app: Flask, client: FlaskClient, as_superuser: Callable[[str], object]
) -> None:
    admin, host = administrator(app), somebody(client)
    game = host.create("me", "open")["id"]
    as_superuser("REVOKE EXECUTE ON FUNCTION record_administrative_act(bytea) FROM cabildo_service")
    admin.post(f"/v1/games/{game}/end", {"reason": "spam"}, 500)
    assert answer(host.ask("GET", f"/v1/games/{game}"), 200)["status"] == "open"


@pytest.mark.parametrize("become", ROLES)
def test_no_role_changes_or_removes_an_act(
    here: Container, database: str, become: Callable[[psycopg.Connection], None]
) -> None:
    with here.stores.pool.connection() as connection:
        record_act(connection, 1, AdministrativeAct("operator", "log_opened", "log"))
        assert missing_guards(connection) == ()
        before = recorded_acts(connection, RecordQuery())
    with psycopg.connect(database, autocommit=True) as administrator:
        administrator.execute("CREATE SCHEMA other")
        administrator.execute("GRANT ALL ON SCHEMA other TO cabildo_owner, cabildo_service")
        become(administrator)
        for name, change in CHANGES.items():
            statement = change.format(table="administrative_acts", key="number").replace("seq", "number")
            assert outcome(administrator, statement) in {REFUSED, NO_PRIVILEGE, *IMPOSSIBLE}, name
    with here.stores.pool.connection() as connection:
        assert recorded_acts(connection, RecordQuery()) == before


def test_the_service_chooses_neither_number_nor_hash(here: Container) -> None:
    with here.stores.pool.connection() as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("INSERT INTO administrative_acts VALUES (7, 'x', NULL, '', '')")


def test_acts_at_the_same_time_form_one_chain(here: Container) -> None:
    def act(number: int) -> None:
        with here.stores.pool.connection() as connection, connection.transaction():
            record_act(connection, number, AdministrativeAct("operator", "token_issued", str(uuid4())))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(act, range(40)))
    with here.stores.pool.connection() as connection:
        acts = recorded_acts(connection, RecordQuery(limit=100))
        assert [act.number for act in acts] == list(range(40, 0, -1))
        assert first_broken_act(connection) is None
        body = connection.execute("SELECT body FROM administrative_acts WHERE number = 1").fetchone()
    assert body is not None
    assert acts[-1].hash == hashlib.sha256((1).to_bytes(8, "big") + body[0]).digest()


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE administrative_acts SET body = body || ' ' WHERE number = 2",
        "DELETE FROM administrative_acts WHERE number = 1",
    ],
)
def test_a_changed_act_breaks_the_chain(here: Container, as_superuser: Callable[[str], object], forgery: str) -> None:
    with here.stores.pool.connection() as connection:
        for _ in range(3):
            record_act(connection, 1, AdministrativeAct("operator", "log_opened", "log", "one"))
        as_superuser(f"{DISARM}; {forgery}")
        assert first_broken_act(connection) == 2


def test_an_erased_administrator_leaves_no_name_in_the_record(app: Flask, client: FlaskClient, here: Container) -> None:
    first, second = somebody(client), administrator(app)
    of_the_account, first.token = first.token, admin_token(here, first)
    game = somebody(client).create("me", "open")["id"]
    first.post(f"/v1/games/{game}/end", {"reason": "spam"})
    for_everything, first.token = first.token, of_the_account
    assert first.ask("DELETE", "/v1/me").status_code == 204
    first.token = for_everything
    assert first.ask("GET", "/v1/admin/record").status_code == 401
    (revoked, ended) = acts_of(second)
    nameless = {"id": first.id, "name": None}
    assert (ended["act"], ended["by"]) == ("game_ended", nameless)
    assert (revoked["act"], revoked["by"], revoked["subject"]) == ("token_revoked", nameless, nameless)

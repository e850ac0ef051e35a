"""A managed server: no superuser, a role that owns the database and may create roles, no event triggers."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg import Connection

from deploy.local.stores import EmbeddedPostgres
from events.errors import NotAllowedToMigrate
from events.log.sequencer import sequence_once
from events.log.signing_gate import set_gate
from events.store.connections import connect
from events.store.guards import check_guards, has_event_triggers
from events.store.migrations import check_schema, migrate
from tests.conftest import running as serving
from tests.service.conftest import opened_app, variables
from tests.support.service.players import Person

ROLE = "rented"
NUMBERS = count()


@pytest.fixture(scope="module")
def server(module_directory: Path) -> Iterator[EmbeddedPostgres]:
    """A server with a role that is no superuser."""
    rented = EmbeddedPostgres(module_directory / "managed")
    with serving(rented.prepare(), module_directory):
        with psycopg.connect(rented.url(), autocommit=True) as admin:
            admin.execute(f"CREATE ROLE {ROLE} LOGIN CREATEROLE")
        yield rented


@pytest.fixture
def database(server: EmbeddedPostgres) -> str:
    """The name of a new database of that role, on which nothing was ever migrated."""
    name = f"managed_{next(NUMBERS)}"
    with psycopg.connect(server.url(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} OWNER {ROLE}")
    return name


def as_tenant(server: EmbeddedPostgres, database: str) -> str:
    """Returns the address of a database for the role that owns it."""
    return server.url(database).replace("postgres@", f"{ROLE}@")


def refused(connection: Connection, statement: str) -> str:
    """Returns the class of error with which a statement is refused."""
    with pytest.raises(psycopg.Error) as refusal:
        connection.execute(statement.encode())
    return str(refusal.value.sqlstate)


def test_the_owner_of_a_database_migrates_it_and_games_are_played(
    server: EmbeddedPostgres, database: str, redis_url: str, tmp_path: Path
) -> None:
    url = as_tenant(server, database)
    with psycopg.connect(url, autocommit=True) as tenant:
        assert migrate(tenant)
        set_gate(tenant, is_open=True, reason="a new database")
    with connect(url) as service:
        check_schema(service)
        check_guards(service)
        assert not has_event_triggers(service)
    with opened_app(variables(url, redis_url, tmp_path)) as app, connect(url) as service:
        client = app.test_client()
        anna = Person(client, "Anna")
        game = anna.create("me", "bot:random", start_player=0)["id"]
        assert anna.move(game, "play create_2")["version"] == app.extensions["cabildo"].games.load(UUID(game)).head.seq
        assert sequence_once(service) > 0
        told = {check["name"]: check for check in client.get("/readyz").get_json()["checks"]}
        assert told["guards"]["state"] == "ok"
        assert "no event triggers" in told["guards"]["found"]
    with psycopg.connect(url, autocommit=True) as tenant:
        for change in ("UPDATE events SET hash = ''", "DELETE FROM events", "TRUNCATE log"):
            tenant.execute("SET ROLE cabildo_owner")
            assert refused(tenant, change) == "CAB02"


def test_a_superuser_adds_the_event_triggers_later(server: EmbeddedPostgres, database: str) -> None:
    with psycopg.connect(as_tenant(server, database), autocommit=True) as tenant:
        migrate(tenant)
        assert not has_event_triggers(tenant)
    with psycopg.connect(server.url(database), autocommit=True) as admin:
        migrate(admin)
        assert has_event_triggers(admin)
        admin.execute("SET ROLE cabildo_service")
        check_guards(admin)
        admin.execute("RESET ROLE")
        assert refused(admin, "DROP TABLE events CASCADE") == "CAB02"


def test_a_role_that_is_no_member_of_the_roles_is_told_so(server: EmbeddedPostgres, database: str) -> None:
    with psycopg.connect(as_tenant(server, database), autocommit=True) as tenant:
        migrate(tenant)
    with psycopg.connect(server.url(), autocommit=True) as admin:
        admin.execute("CREATE ROLE neighbour LOGIN CREATEROLE")
        admin.execute("CREATE DATABASE next_door OWNER neighbour")
    url = server.url("next_door").replace("postgres@", "neighbour@")
    with (
        psycopg.connect(url, autocommit=True) as other,
        pytest.raises(NotAllowedToMigrate, match="no member of cabildo_owner"),
    ):
        migrate(other)

"""Acts are kept: nobody updates, deletes, truncates, drops or disarms, not even a superuser in replica mode."""

import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import Connection

from events.chain import link
from events.errors import GuardsMissing
from events.event import START, new_stream
from events.log.sequencer import sequence_once
from events.store.guards import check_guards, missing_guards
from events.store.postgres import PostgresStore
from tests.support.events.filled_store import created

REFUSED = "CAB02"
CHANGES = {
    "update": "UPDATE {table} SET hash = ''",
    "update numbers": "UPDATE {table} SET seq = seq + 1",
    "delete": "DELETE FROM {table}",
    "truncate": "TRUNCATE {table}",
    "truncate cascade": "TRUNCATE {table} CASCADE",
    "upsert": "INSERT INTO {table} SELECT * FROM {table} ON CONFLICT ({key}) DO UPDATE SET hash = ''",
    "merge": "MERGE INTO {table} AS t USING {table} AS s ON t.seq = s.seq WHEN MATCHED THEN DELETE",
    "drop": "DROP TABLE {table}",
    "drop cascade": "DROP TABLE {table} CASCADE",
    "drop schema": "DROP SCHEMA public CASCADE",
    "drop trigger": "DROP TRIGGER no_truncate ON {table}",
    "drop function": "DROP FUNCTION refuse_change CASCADE",
    "new function": "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
    "disable": "ALTER TABLE {table} DISABLE TRIGGER no_change",
    "disable all": "ALTER TABLE {table} DISABLE TRIGGER ALL",
    "disable user": "ALTER TABLE {table} DISABLE TRIGGER USER",
    "enable replica": "ALTER TABLE {table} ENABLE REPLICA TRIGGER no_change",
    "rename trigger": "ALTER TRIGGER no_truncate ON {table} RENAME TO other",
    "rename": "ALTER TABLE {table} RENAME TO other",
    "move": "ALTER TABLE {table} SET SCHEMA other",
    "rewrite": "ALTER TABLE {table} ALTER COLUMN hash TYPE text USING ''",
    "drop column": "ALTER TABLE {table} DROP COLUMN hash CASCADE",
    "rule": "CREATE RULE nothing AS ON INSERT TO {table} DO INSTEAD NOTHING",
    "new trigger": "CREATE TRIGGER other BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_change()",
}
PARTITIONS = {
    "detach": "ALTER TABLE events DETACH PARTITION {table}",
    "drop detached": "ALTER TABLE events DETACH PARTITION {table}; DROP TABLE {table}",
}

PLACE = "SELECT tableoid::regclass::text FROM events WHERE stream = %s"
FAR_AWAY = (
    "CREATE TABLE events_new PARTITION OF events FOR VALUES FROM ('e0000000-0000-0000-0000-000000000000') TO (MAXVALUE)"
)


def as_service(admin: Connection) -> None:
    admin.execute("SET ROLE cabildo_service")


def as_owner(admin: Connection) -> None:
    admin.execute("SET ROLE cabildo_owner")


def as_superuser(_admin: Connection) -> None:
    """Nothing to do: tests connect as one."""


def as_replica(admin: Connection) -> None:
    admin.execute("SET session_replication_role = replica")


ROLES = (as_service, as_owner, as_superuser, as_replica)
NO_PRIVILEGE = "42501"
IMPOSSIBLE = {"2BP01", "42P16"}  # others depend on it; a partition has the columns of its parent


@pytest.fixture
def partitions(event_store: PostgresStore, service: Connection) -> dict[str, str]:
    """The partitions that hold stored and numbered events: of this month, of the time before months, of no time."""
    this_month = new_stream(int(time.time() * 1_000_000))
    streams = {"month": this_month, "before": UUID(int=1), "default": UUID(int=2**128 - 1)}
    for stream in streams.values():
        event_store.append(stream, 0, link(stream, START, [created()]))
    sequence_once(service)
    found = {name: service.execute(PLACE, (stream,)).fetchone() for name, stream in streams.items()}
    return {name: str(row[0]) for name, row in found.items() if row is not None}


@pytest.fixture
def partition(partitions: dict[str, str]) -> str:
    """The partition of this month, with an event."""
    return partitions["month"]


@pytest.fixture
def admin(database: str) -> Iterator[Connection]:
    """A superuser's connection."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA other")
        connection.execute("GRANT ALL ON SCHEMA other TO cabildo_owner, cabildo_service")
        yield connection


@pytest.mark.parametrize("become", ROLES)
@pytest.mark.parametrize("where", ["events", "month", "before", "default", "log"])
def test_no_role_changes_what_happened(
    become: Callable[[Connection], None], where: str, admin: Connection, partitions: dict[str, str]
) -> None:
    before = acts(admin)
    table = partitions.get(where, where)
    become(admin)
    key = "idx" if where == "log" else "stream, seq"
    changes = CHANGES | (PARTITIONS if where in partitions else {})
    statements = {name: change.format(table=table, key=key) for name, change in changes.items()}
    outcomes = {name: outcome(admin, statement) for name, statement in statements.items()}
    other = {name: state for name, state in outcomes.items() if state not in {REFUSED, *IMPOSSIBLE}}
    assert set(other.values()) <= {NO_PRIVILEGE}
    assert become is as_service or set(other) == ({"drop schema"} if become is as_owner else set())
    admin.execute("RESET ROLE")
    assert acts(admin) == before


def outcome(connection: Connection, statement: str) -> str:
    """Returns the reason of a refused statement; rolls its changes back."""
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(statement.encode())
    except psycopg.Error as refusal:
        return refusal.sqlstate or "unknown"
    return "done"


def acts(admin: Connection) -> list[Any]:
    """All that is kept."""
    return [admin.execute(f"SELECT * FROM {table}".encode()).fetchall() for table in ("events", "log")]


def test_a_migrated_database_is_guarded(service: Connection) -> None:
    check_guards(service)


def test_what_is_missing_is_listed_and_the_service_refuses_to_start(
    admin: Connection, partition: str, service: Connection
) -> None:
    admin.execute("ALTER EVENT TRIGGER keep_acts_from_alter DISABLE")
    admin.execute(f"ALTER TABLE {partition} DISABLE TRIGGER no_truncate".encode())
    admin.execute("ALTER TABLE log ENABLE TRIGGER no_change")  # fires, but not in replica mode
    admin.execute(f"GRANT DELETE ON {partition} TO cabildo_service".encode())
    with pytest.raises(GuardsMissing) as refusal:
        check_guards(service)
    assert refusal.value.missing == (
        f"cabildo_service may DELETE on {partition}",
        f"{partition} has no trigger no_truncate that always fires",
        "log has no trigger no_change that always fires",
        "there is no event trigger keep_acts_from_alter that always fires",
    )


def test_a_superuser_is_no_role_to_serve_with(admin: Connection) -> None:
    assert "postgres may UPDATE on events" in missing_guards(admin)


def test_a_new_partition_without_guards_is_noticed(admin: Connection, service: Connection) -> None:
    with admin.transaction():
        admin.execute("SET LOCAL cabildo.altering_acts = 'on'")
        admin.execute(FAR_AWAY)
    assert "events_new has no trigger no_truncate that always fires" in missing_guards(service)


def test_a_migration_may_alter_acts_when_it_says_so(admin: Connection, service: Connection) -> None:
    with admin.transaction():
        admin.execute("SET LOCAL cabildo.altering_acts = 'on'")
        admin.execute("ALTER TABLE events ADD COLUMN remark text")
    assert outcome(admin, "ALTER TABLE events DROP COLUMN remark") == REFUSED
    check_guards(service)


def test_other_tables_are_nobodys_concern(admin: Connection) -> None:
    admin.execute("CREATE TABLE other.notes (id integer PRIMARY KEY)")
    admin.execute("ALTER TABLE other.notes ADD COLUMN text text")
    admin.execute("DROP TABLE other.notes")

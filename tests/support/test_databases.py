"""Tests find their databases as if each were new, whatever an earlier test did in it."""

from typing import Any

import psycopg
import pytest
from psycopg import Connection

from events.store.guards import missing_guards
from tests.support.databases import Databases
from tests.support.events.filled_store import aborted, record, stream_of

WRITTEN = "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM log), (SELECT last_value FROM outbox_number_seq)"


def admin(url: str) -> Connection:
    return psycopg.connect(url, autocommit=True)


def oid(connection: Connection) -> Any:
    """Which database this is, whatever it is called."""
    return connection.execute("SELECT oid FROM pg_database WHERE datname = current_database()").fetchone()


def test_what_was_written_is_gone_and_acts_are_guarded_again(databases: Databases) -> None:
    with databases.migrated() as url, admin(url) as connection:
        first, fresh, guards = oid(connection), connection.execute(WRITTEN).fetchone(), missing_guards(connection)
        record(connection, stream_of(1), 3, last=aborted())
        assert connection.execute(WRITTEN).fetchone() != fresh
    with databases.migrated() as url, admin(url) as connection:
        assert oid(connection) == first
        assert connection.execute(WRITTEN).fetchone() == fresh
        assert missing_guards(connection) == guards


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TABLE mine ()",
        "DROP VIEW event_documents CASCADE",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql RETURN 1",
        "ALTER TABLE players ALTER COLUMN name SET DEFAULT 'x'",
        "GRANT SELECT ON outbox TO PUBLIC",
        "DELETE FROM migrations WHERE name LIKE '%0001%'",
        "SET cabildo.altering_acts = 'on'; ALTER TABLE events DISABLE TRIGGER no_change",
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = 1024', current_database()); END $$",
    ],
)
def test_a_database_in_which_more_was_changed_is_not_used_again(databases: Databases, change: str) -> None:
    with databases.migrated() as url, admin(url) as connection:
        changed = oid(connection)
        connection.execute(change.encode())
    with databases.migrated() as url, admin(url) as connection:
        assert oid(connection) != changed


def test_who_is_left_behind_is_cut_off_and_finds_nothing_any_more(databases: Databases) -> None:
    with databases.migrated() as url:
        left = admin(url)
    with databases.migrated() as other:
        assert other != url
        with pytest.raises(psycopg.OperationalError):
            left.execute("SELECT 1")
        with pytest.raises(psycopg.OperationalError, match="does not exist"):
            admin(url)
    left.close()

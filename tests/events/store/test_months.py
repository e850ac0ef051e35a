"""Events are partitioned by month: earlier databases are migrated, and the months to come are made ahead."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import Connection

from events.event import new_stream
from events.store.connections import connect
from events.store.guards import missing_guards
from events.store.migrations import migrate, migrations
from events.store.postgres import head, read
from tests.support.events.filled_store import record
from workers.keeper.months import AHEAD, make_months

BY_MONTH = 16  # the migration
STORED = "SELECT stream, seq, kind, at, hash, body FROM events ORDER BY stream, seq"
PLACE = "SELECT tableoid::regclass::text FROM events WHERE stream = %s LIMIT 1"
PARTS = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1"
HASHED = [f"events_{number}" for number in range(4)]  # the partitions of the partition `events_before`
EARLIEST, NO_CLOCK = UUID(int=1), UUID("f47ac10b-58cc-4372-a567-0e02b2c3d479")
INSERT = "INSERT INTO events (stream, seq, kind, at, hash, body) VALUES (%s, %s, 'moved', 0, %s, %s)"


def months_from_now(months: int) -> datetime:
    """The middle of a month."""
    now = datetime.now(UTC)
    return datetime(now.year + (now.month - 1 + months) // 12, (now.month - 1 + months) % 12 + 1, 15, tzinfo=UTC)


def stream_in(months: int) -> UUID:
    """A stream that begins so many months from now."""
    return new_stream(int(months_from_now(months).timestamp() * 1_000_000))


def place(connection: Connection, stream: UUID) -> Any:
    row = connection.execute(PLACE, (stream,)).fetchone()
    return "events_before" if row and row[0] in HASHED else row and row[0]


def name(months: int) -> str:
    """The partition of a month."""
    return f"events_{months_from_now(months):%Y_%m}"


@pytest.fixture
def earlier(empty_database: str) -> Iterator[Connection]:
    """A superuser's connection to a database of the version before."""
    steps = [step for step in migrations() if step.component == "events" and step.number < BY_MONTH]
    with psycopg.connect(empty_database, autocommit=True) as connection:
        migrate(connection, steps)
        yield connection


@pytest.mark.parametrize("months", [(), (-14,), (-1, 0), (0, 1, 2)], ids=["none", "past", "running", "ahead"])
def test_an_earlier_database_is_migrated_with_every_byte(earlier: Connection, months: tuple[int, ...]) -> None:
    streams = [EARLIEST, NO_CLOCK, *map(stream_in, months)]
    for stream in streams:
        for seq in (1, 2):
            earlier.execute(INSERT, (stream, seq, bytes(32), stream.bytes))
    before = earlier.execute(STORED).fetchall()
    migrate(earlier)
    assert earlier.execute(STORED).fetchall() == before
    ahead = {"events_default" if month > 0 else "events_before" for month in months}
    assert {place(earlier, stream) for stream in streams[2:]} <= ahead
    assert [place(earlier, stream) for stream in streams[:2]] == ["events_before", "events_default"]
    earlier.execute("SET ROLE cabildo_service")
    assert missing_guards(earlier) == ()
    for stream in streams:  # the primary key still holds across old and new partitions
        with pytest.raises(psycopg.errors.UniqueViolation):
            earlier.execute(INSERT, (stream, 2, bytes(32), b""))


def test_new_streams_go_to_the_partition_of_their_month(service: Connection) -> None:
    streams = {months: stream_in(months) for months in (-1, 0, 1, AHEAD, AHEAD + 1)}
    written = {stream: record(service, stream, 2) for stream in streams.values()}
    assert place(service, streams[-1]) == "events_before"
    assert [place(service, streams[months]) for months in (0, 1, AHEAD)] == [name(0), name(1), name(AHEAD)]
    assert place(service, streams[AHEAD + 1]) == "events_default"
    for stream, events in written.items():
        assert [*read(service, stream)] == events
        assert head(service, stream) == events[-1].head


def test_the_keeper_makes_guarded_partitions_of_the_months_to_come(database: str, service: Connection) -> None:
    assert (make_months(service), made(service)) == (False, [name(months) for months in range(AHEAD + 1)])
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("SET cabildo.altering_acts = 'on'")
        for months in (1, 2):
            admin.execute(f"DROP TABLE {name(months)}".encode())
    kept = record(service, stream_in(2), 1)[0]
    with connect(database) as keeper:  # with the rights of the service alone
        make_months(keeper)
        assert made(keeper) == [name(months) for months in (0, 1, AHEAD)]
        assert missing_guards(keeper) == ()
    assert place(service, kept.stream) == "events_default"  # its month stays with it
    assert [*read(service, kept.stream)] == [kept]


def made(connection: Connection) -> list[str]:
    """The partitions of months."""
    names = [row[0] for row in connection.execute(PARTS).fetchall()]
    return [one for one in names if one.removeprefix("events_").replace("_", "").isdigit()]

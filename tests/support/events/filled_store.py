"""Fills a real book of acts with short streams, for tests of what comes after the append."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import psycopg
from psycopg import Connection, sql

from events.chain import link
from events.event import START, Event, EventDraft
from events.json_types import JsonObject
from events.store.postgres import write

SEQUENCE = "SELECT sequence(%s)"
COMMITMENT = "11" * 32
GUARDED = "SELECT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE tgname = 'no_change'"


def created(level: int = 0) -> EventDraft:
    data: JsonObject = {
        "game": "spice_road",
        "options": {},
        "seats": 2,
        "chairs": [None, None],
        "clock": {},
        "rated": False,
        "level": level,
        "commitment": COMMITMENT,
        "seed": None,
        "tournament": None,
        "imported": False,
    }
    return EventDraft("game_created", data, "service", 1_800_000_000_000_000, "spice_road/1")


def resigned(seat: int = 0) -> EventDraft:
    return EventDraft("resigned", {"seat": seat}, "player-1", 1_800_000_000_000_001, "spice_road/1")


def aborted() -> EventDraft:
    return EventDraft(
        "game_aborted", {"cause": "agreed", "reason": None}, "service", 1_800_000_000_000_002, "spice_road/1"
    )


def stream_of(number: int) -> UUID:
    return UUID(int=number << 64 | 1)


def record(connection: Connection, stream: UUID, count: int, last: EventDraft | None = None) -> list[Event]:
    """Append a new stream of so many events and let the sequencer take them."""
    drafts = [created(), *(resigned() for _ in range(count - 1))]
    events = list(link(stream, START, drafts if last is None else [*drafts[:-1], last]))
    write(connection, events, None, b"", ())
    sequence(connection)
    return events


def sequence(connection: Connection) -> None:
    """Give every waiting event its place in the log."""
    while (row := connection.execute(SEQUENCE, (10_000,)).fetchone()) and row[0]:
        pass


@contextmanager
def ignoring_guards(url: str) -> Iterator[Connection]:
    """Disables the guards, changes rows and enables the guards again, as a malicious administrator."""
    with psycopg.connect(url) as connection:
        connection.execute("SET cabildo.altering_acts = 'on'")
        guarded = [row[0] for row in connection.execute(GUARDED)]
        for table in guarded:
            connection.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER no_change").format(sql.Identifier(table)))
        yield connection
        for table in guarded:
            connection.execute(sql.SQL("ALTER TABLE {} ENABLE ALWAYS TRIGGER no_change").format(sql.Identifier(table)))

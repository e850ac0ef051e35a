"""Notes beside a stream: written only by a writer that knows the newest event."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.chain import link
from events.errors import StaleVersion
from events.event import START, Event, Head
from events.store.postgres import PostgresStore
from events.store.protocol import request_key
from events.store.statements import Statement
from tests.support.events.filled_store import created, ignoring_guards, resigned, stream_of

STREAM = stream_of(1)
NOTE = Statement("INSERT INTO texts (stream, hash, salt, text) VALUES (%s, 'a hash', 'salt', 'a note')", (STREAM,))
KEY = request_key("a player", "a key", b"a request")


def noted(pool: ConnectionPool[Connection]) -> bool:
    with pool.connection() as connection:
        return connection.execute("SELECT FROM texts").fetchone() is not None


def append(store: PostgresStore, head: Head, seat: int = 0) -> Sequence[Event]:
    events = link(STREAM, head, [resigned(seat) if head.seq else created()])
    store.append(STREAM, head.seq, events)
    return events


def lose_after(database: str, stream: UUID, seq: int) -> None:
    with ignoring_guards(database) as administrator:
        for table in ("events", "outbox"):
            statement = f"DELETE FROM {table} WHERE stream = %s AND seq > %s"
            administrator.execute(statement.encode(), (stream, seq))


def test_a_note_is_written_once_for_its_key(pool: ConnectionPool[Connection], event_store: PostgresStore) -> None:
    head = append(event_store, START)[-1].head
    assert not event_store.note(STREAM, head, [NOTE], key=KEY, answer=b"an answer").repeated
    append(event_store, head)
    again = event_store.note(STREAM, head, [NOTE], key=KEY, answer=b"another answer")
    assert (again.answer, again.repeated) == (b"an answer", True)


def test_a_note_on_an_older_event_is_refused(pool: ConnectionPool[Connection], event_store: PostgresStore) -> None:
    head = append(event_store, START)[-1].head
    append(event_store, head)
    with pytest.raises(StaleVersion):
        event_store.note(STREAM, head, [NOTE])
    assert not noted(pool)


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_note_on_a_lost_event_is_refused(
    pool: ConnectionPool[Connection], event_store: PostgresStore, database: str, goes_on: bool
) -> None:
    first = append(event_store, START)[-1].head
    lost = append(event_store, first)[-1].head
    lose_after(database, STREAM, first.seq)
    if goes_on:
        append(event_store, first, seat=1)  # another event of the same number
    with pytest.raises(StaleVersion):
        event_store.note(STREAM, lost, [NOTE], key=KEY)
    assert not noted(pool)


def test_a_note_needs_a_stream_that_has_begun(pool: ConnectionPool[Connection], event_store: PostgresStore) -> None:
    with pytest.raises(StaleVersion):
        event_store.note(STREAM, Head(1, b"\x01" * 32), [NOTE])
    event_store.note(STREAM, START, [NOTE])
    assert noted(pool)

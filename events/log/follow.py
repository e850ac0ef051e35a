"""Follows the log by index: a lost notification or connection delays events, but loses none."""

import threading
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import psycopg
import structlog
from psycopg import Connection

from events.cold.log_entries import stored_entries
from events.event import Event, stored
from events.log.sequencer import CHANNEL
from events.store.connections import RETRY_AFTER, Connect

PAGE_SIZE = 1_000
POLL = 1.0  # seconds
LISTEN = f"LISTEN {CHANNEL}"

log = structlog.get_logger(__name__)


class LoggedEvent(NamedTuple):
    """An event with its index in the log."""

    idx: int
    event: Event


class LogRow:
    """A stored entry that is parsed when it is asked for, once."""

    def __init__(self, idx: int, body: bytes, hash: bytes) -> None:
        self.idx = idx
        self.hash = hash
        self._body = body

    @cached_property
    def entry(self) -> LoggedEvent:
        """The parsed entry; raises UnknownKind for an event of a newer program."""
        return LoggedEvent(self.idx, stored(self._body, self.hash))


def log_rows(connection: Connection, start: int, limit: int) -> list[LogRow]:
    """Returns the stored entries from an index on; raises FilesAway and ColdFileDamaged."""
    return [
        LogRow(entry.idx, entry.body, entry.hash)
        for entry in stored_entries(connection, start, start + limit)
        if entry.body is not None and entry.hash is not None
    ]


def read_log(connection: Connection, start: int, limit: int = PAGE_SIZE) -> list[LoggedEvent]:
    """Returns the parsed entries from an index on."""
    return [row.entry for row in log_rows(connection, start, limit)]


def follow(
    connect: Connect, start: int, stop: threading.Event, *, poll: float = POLL, page: int = PAGE_SIZE
) -> Iterator[list[LoggedEvent]]:
    """Yields every entry from an index on, in order and once, until `stop` is set.

    Yields an empty list at least every `poll` seconds while nothing is new.
    """
    while not stop.is_set():
        try:
            with connect() as connection:
                connection.execute(LISTEN)
                while not stop.is_set():
                    entries = read_log(connection, start, page)
                    start += len(entries)
                    yield entries
                    if len(entries) < page:
                        wait_for_events(connection, poll)
        except psycopg.OperationalError as problem:
            log.warning("follower lost its connection", next_idx=start, problem=str(problem).strip())
            yield []
            stop.wait(RETRY_AFTER)


def wait_for_events(connection: Connection, longest: float) -> None:
    """Waits for a notification of the sequencer, at most `longest` seconds, because one can be lost."""
    for _ in connection.notifies(timeout=longest, stop_after=1):
        return

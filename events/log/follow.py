"""Reading on along the log's index: what a lost wake-up or a lost connection hides, the next look finds."""

import threading
from collections.abc import Iterator
from typing import NamedTuple

import psycopg
import structlog
from psycopg import Connection

from events.event import Event, stored
from events.log.sequencer import CHANNEL
from events.store.connections import RETRY_AFTER, Connect

PAGE_SIZE = 1_000
POLL = 1.0  # seconds
LISTEN = f"LISTEN {CHANNEL}"
# OFFSET 0 keeps the lookup of each event a lookup, whatever the planner believes about the size of the log.
PAGE = """
SELECT log.idx, event.body, event.hash
FROM log CROSS JOIN LATERAL (
    SELECT body, hash FROM events WHERE stream = log.stream AND seq = log.seq OFFSET 0
) AS event
WHERE log.idx >= %s AND log.idx < %s
ORDER BY log.idx
"""

log = structlog.get_logger(__name__)


class LoggedEvent(NamedTuple):
    """An event and its number in the log."""

    idx: int
    event: Event


class LogRow(NamedTuple):
    """An entry as it is stored; nobody has read it yet."""

    idx: int
    body: bytes
    hash: bytes

    def entry(self) -> LoggedEvent:
        """The entry with its event read; refuses with UnknownKind what a newer program wrote."""
        return LoggedEvent(self.idx, stored(self.body, self.hash))


def log_rows(connection: Connection, start: int, limit: int) -> list[LogRow]:
    """The stored entries from number `start` on."""
    return [LogRow(*row) for row in connection.execute(PAGE, (start, start + limit), binary=True)]


def read_log(connection: Connection, start: int, limit: int = PAGE_SIZE) -> list[LoggedEvent]:
    """The entries from number `start` on."""
    return [row.entry() for row in log_rows(connection, start, limit)]


def follow(
    connect: Connect, start: int, stop: threading.Event, *, poll: float = POLL, page: int = PAGE_SIZE
) -> Iterator[list[LoggedEvent]]:
    """Every entry from number `start` on, in order and once, for as long as nobody stops it.

    An empty list comes at least every `poll` seconds and says: nothing new, still listening.
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
                        wait_for_news(connection, poll)
        except psycopg.OperationalError as problem:
            log.warning("follower lost its connection", next_idx=start, problem=str(problem).strip())
            yield []
            stop.wait(RETRY_AFTER)


def wait_for_news(connection: Connection, longest: float) -> None:
    """Sleep until the sequencer calls, or for `longest` seconds: a call can be lost."""
    for _ in connection.notifies(timeout=longest, stop_after=1):
        return

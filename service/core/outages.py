"""Outages: times in which no keeper worked. Each is stored once, and players' clocks stand still in it."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from psycopg import Connection
from psycopg.rows import class_row
from psycopg_pool import ConnectionPool

NOTE_WORK: Final = """
WITH found AS (
    INSERT INTO outages (since, until)
    SELECT at, %(now)s FROM heartbeat WHERE %(now)s - at > %(grace)s
    ON CONFLICT DO NOTHING
    RETURNING since, until
), noted AS (
    INSERT INTO heartbeat AS newest (at) VALUES (%(now)s)
    ON CONFLICT (one) DO UPDATE SET at = greatest(newest.at, excluded.at)
)
SELECT since, until FROM found
"""
PRESENCE: Final = "SELECT max(at) AS worked, (SELECT coalesce(max(until), 0) FROM outages) AS newest FROM heartbeat"
BETWEEN: Final = """
SELECT since, least(until, %(now)s) AS until FROM outages
WHERE until > %(at)s AND since < %(now)s AND %(now)s > %(at)s
ORDER BY since
"""


class Outage(NamedTuple):
    """A time in which no keeper worked, in microseconds; `since` names it."""

    since: int
    until: int


class Presence(NamedTuple):
    """When a keeper last worked (None: never), and when the newest stored outage ended."""

    worked: int | None = None
    newest: int = 0


def note_work(connection: Connection, now: int, grace: int) -> Outage | None:
    """Store that a keeper works. Returns the outage that ends with it, if any."""
    with connection.cursor(row_factory=class_row(Outage)) as cursor:
        return cursor.execute(NOTE_WORK, {"now": now, "grace": grace}).fetchone()


def read_presence(connection: Connection) -> Presence:
    """Returns the last work of a keeper and the end of the newest outage."""
    with connection.cursor(row_factory=class_row(Presence)) as cursor:
        return cursor.execute(PRESENCE).fetchone() or Presence()


class Outages:
    """The outages as a process knows them.

    What was read last is enough until the grace period is over: a later outage begins after the work that was read, and
    lasts longer than the grace period.
    """

    def __init__(self, pool: ConnectionPool[Connection], now: Callable[[], int], grace: int) -> None:
        self._pool = pool
        self._now = now
        self._grace = grace
        self._known = Presence()

    def presence(self) -> Presence:
        """Returns what is known of the keeper's work."""
        worked = self._known.worked
        if worked is None or self._now() - worked > self._grace:
            with self._pool.connection() as connection:
                self._known = read_presence(connection)
        return self._known

    def after(self, at: int, now: int) -> Sequence[Outage]:
        """Returns the outages between two times, in their order; one that goes on has no row yet and ends now."""
        known = self.presence()
        found = self._stored(at, now) if known.newest > at else []
        if known.worked is not None and now - known.worked > self._grace and now > at:
            current = Outage(known.worked, now)
            if current.since not in {outage.since for outage in found}:  # else stored after the keeper's work was read
                found.append(current)
        return found

    def stored(self, at: int, now: int) -> Sequence[Outage]:
        """Returns the stored outages between two times, in their order."""
        return self._stored(at, now) if self.presence().newest > at else ()

    def _stored(self, at: int, now: int) -> list[Outage]:
        with self._pool.connection() as connection, connection.cursor(row_factory=class_row(Outage)) as cursor:
            return cursor.execute(BETWEEN, {"at": at, "now": now}).fetchall()

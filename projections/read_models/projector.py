"""Keeps read models level with the log: applies each entry once; rows and position share one transaction."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import LiteralString, NamedTuple, Protocol
from uuid import UUID

import psycopg
import structlog
from psycopg import Connection
from psycopg.rows import class_row

from events.errors import CabildoError, UnknownKind
from events.log.follow import LoggedEvent, LogRow, log_rows

BATCH = 500
ENROL = "INSERT INTO projections (name, shadow, version) VALUES (%s, false, %s) ON CONFLICT DO NOTHING"
STANDING = """
SELECT
    next_idx < (SELECT coalesce(max(idx) + 1, 0) FROM log),
    next_idx = 0 OR head IS NULL OR EXISTS (SELECT FROM log WHERE idx = next_idx - 1 AND leaf = head)
FROM projections WHERE name = %s AND NOT shadow
"""
BEAT = "UPDATE projections SET seen = now() WHERE name = %s AND NOT shadow AND seen < now() - interval '5 seconds'"
# The lock on the row is the lease of the only writer; it ends with the transaction or the process.
TAKE = """
SELECT version, next_idx, lease, poison FROM projections
WHERE name = %s AND shadow = %s FOR UPDATE SKIP LOCKED
"""
SEARCH_PATH: dict[bool, LiteralString] = {
    False: "SET LOCAL search_path = public",
    True: "SET LOCAL search_path = shadow, public",
}
MOVE_ON = """
UPDATE projections
SET next_idx = %(next)s, head = (SELECT leaf FROM log WHERE idx = %(next)s - 1), poison = %(poison)s, seen = now()
WHERE name = %(name)s AND shadow = %(shadow)s
"""
RESUME = "UPDATE projections SET poison = NULL WHERE name = %s AND NOT shadow AND poison IS NOT NULL"
STATUS = """
SELECT
    name, shadow, version, next_idx, poison, seen,
    entries - next_idx AS behind,
    coalesce(extract(epoch FROM now()) - (
        SELECT time_of_event(stream, seq) / 1e6 FROM log WHERE idx = next_idx
    ), 0)::float AS seconds
FROM projections CROSS JOIN (SELECT coalesce(max(idx) + 1, 0) AS entries FROM log) AS size
ORDER BY name, shadow
"""
# Errors that an event can cause in a projection; deadlocks and lost connections, also between the servers of a cluster,
# are retried instead.
POISON = (
    CabildoError,
    psycopg.DataError,
    psycopg.IntegrityError,
    psycopg.ProgrammingError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)

log = structlog.get_logger(__name__)


class LogReplaced(Exception):
    """The log does not have the entries (any more) that a projection has applied."""


ReadRows = Callable[[Connection, int, int], Sequence[LogRow]]


class Projection(Protocol):
    """A read model. A change of its rows needs a new version."""

    name: str
    version: int

    def apply(self, connection: Connection, entries: Sequence[LoggedEvent]) -> None:
        """Writes the changes of entries in their order, into tables named without a schema.

        The same entries always make the same rows, however they are cut into batches: no clock, no randomness, no
        other source, and no effect outside of the transaction.
        """


class ModelPosition(NamedTuple):
    """The position of a projection, read under its lease."""

    version: int
    next_idx: int
    lease: UUID
    poison: str | None


class Status(NamedTuple):
    """The status of a projection for operators."""

    name: str
    shadow: bool
    version: int
    next_idx: int
    poison: str | None
    seen: datetime
    behind: int
    seconds: float


def advance(connection: Connection, projection: Projection, most: int = BATCH, read: ReadRows = log_rows) -> int:
    """Applies at most so many entries to the live projection; returns how many.

    Returns 0 also when another process holds the lease, when it is parked, or when its rows need a
    rebuild. An entry that cannot be applied parks the projection and logs an error. Raises LogReplaced.
    """
    found = connection.execute(STANDING, (projection.name,)).fetchone()
    if found is None:
        connection.execute(ENROL, (projection.name, projection.version))
    elif not found[1]:
        raise LogReplaced(projection.name)
    elif not found[0]:
        connection.execute(BEAT, (projection.name,))
        return 0
    with connection.transaction():
        standing = take_lease(connection, projection.name, shadow=False)
        if standing is None or standing.version != projection.version:
            return 0
        return apply_next(connection, projection, standing, most, shadow=False, read=read)


def take_lease(connection: Connection, name: str, *, shadow: bool) -> ModelPosition | None:
    """Takes the lease for this transaction; returns the projection's position, or None without the lease."""
    row = connection.execute(TAKE, (name, shadow)).fetchone()
    return ModelPosition(*row) if row else None


def apply_next(
    connection: Connection,
    projection: Projection,
    standing: ModelPosition,
    most: int,
    *,
    shadow: bool,
    read: ReadRows = log_rows,
) -> int:
    """Applies the next entries under the lease; returns how many."""
    if standing.poison is not None:
        return 0
    connection.execute(SEARCH_PATH[shadow])
    rows = read(connection, standing.next_idx, most)
    whole = [row for expected, row in enumerate(rows, standing.next_idx) if row.idx == expected]
    applied, poison = _apply(connection, projection, whole)
    if poison is None and len(whole) < len(rows) and applied == len(whole):
        poison = f"the event of log index {standing.next_idx + applied} is not stored"
    if poison is not None:
        log.error("projection parked", projection=projection.name, idx=standing.next_idx + applied, reason=poison)
    position = {"next": standing.next_idx + applied, "poison": poison, "name": projection.name, "shadow": shadow}
    connection.execute(MOVE_ON, position)
    return applied


def _apply(connection: Connection, projection: Projection, rows: Sequence[LogRow]) -> tuple[int, str | None]:
    """Returns how many entries were applied, and the error of the next one."""
    try:
        with connection.transaction(), connection.pipeline():
            projection.apply(connection, [row.entry for row in rows])
    except POISON:
        return _apply_singly(connection, projection, rows)
    return len(rows), None


def _apply_singly(connection: Connection, projection: Projection, rows: Sequence[LogRow]) -> tuple[int, str | None]:
    """Applies one entry at a time, to find the one that fails."""
    for applied, row in enumerate(rows):
        try:
            with connection.transaction():
                projection.apply(connection, [row.entry])
        except UnknownKind as unknown:
            log.warning("projection waits for a newer program", projection=projection.name, reason=str(unknown))
            return applied, None
        except POISON as fault:
            return applied, f"{type(fault).__name__}: {fault}"
    return len(rows), None


def resume(connection: Connection, name: str) -> bool:
    """Unparks a projection, to retry where it stopped; returns False when none of this name is parked."""
    return connection.execute(RESUME, (name,)).rowcount > 0


def statuses(connection: Connection) -> list[Status]:
    """Returns the status of all projections."""
    with connection.cursor(row_factory=class_row(Status)) as cursor:
        return cursor.execute(STATUS).fetchall()

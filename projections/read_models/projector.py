"""Keeps read models level with the log: each entry once, its rows and the position in one transaction."""

from collections.abc import Sequence
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
BEHIND = "SELECT next_idx < (SELECT coalesce(max(idx) + 1, 0) FROM log) FROM projections WHERE name = %s AND NOT shadow"
BEAT = "UPDATE projections SET seen = now() WHERE name = %s AND NOT shadow AND seen < now() - interval '5 seconds'"
# The lock on the row is the lease: who holds it writes, alone; it ends with the transaction or with the process.
TAKE = """
SELECT version, next_idx, lease, poison FROM projections
WHERE name = %s AND shadow = %s FOR UPDATE SKIP LOCKED
"""
SEARCH_PATH: dict[bool, LiteralString] = {
    False: "SET LOCAL search_path = public",
    True: "SET LOCAL search_path = shadow, public",
}
MOVE_ON = "UPDATE projections SET next_idx = %s, poison = %s, seen = now() WHERE name = %s AND shadow = %s"
RESUME = "UPDATE projections SET poison = NULL WHERE name = %s AND NOT shadow AND poison IS NOT NULL"
STATUS = """
SELECT
    name, shadow, version, next_idx, poison, seen,
    entries - next_idx AS behind,
    coalesce(extract(epoch FROM now()) - (
        SELECT at / 1e6 FROM log JOIN events USING (stream, seq) WHERE idx = next_idx
    ), 0)::float AS seconds
FROM projections CROSS JOIN (SELECT coalesce(max(idx) + 1, 0) AS entries FROM log) AS size
ORDER BY name, shadow
"""
# What an event can make a projection raise. A lost connection or a deadlock is nobody's poison: it is tried again.
POISON = (
    CabildoError,
    psycopg.DataError,
    psycopg.IntegrityError,
    psycopg.InternalError,
    psycopg.ProgrammingError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)

log = structlog.get_logger(__name__)


class Projection(Protocol):
    """A read model. A change of what it writes is a new version."""

    name: str
    version: int

    def apply(self, connection: Connection, entry: LoggedEvent) -> None:
        """Write what an entry means, into tables named without a schema.

        The same entries always make the same rows: no clock, no chance, no other source, and nothing outside of
        the transaction.
        """


class ModelPosition(NamedTuple):
    """Where a projection stands, read under its lease."""

    version: int
    next_idx: int
    lease: UUID
    poison: str | None


class Status(NamedTuple):
    """What an operator wants to know of a projection."""

    name: str
    shadow: bool
    version: int
    next_idx: int
    poison: str | None
    seen: datetime
    behind: int
    seconds: float


def advance(connection: Connection, projection: Projection, most: int = BATCH) -> int:
    """Bring the live projection on by at most so many entries; how many it was.

    0 also when another process is at it, when it is parked, or when its rows are of another version and wait for a
    rebuild. An entry that cannot be applied parks the projection: it stops there, and says so.
    """
    behind = connection.execute(BEHIND, (projection.name,)).fetchone()
    if behind is None:
        connection.execute(ENROL, (projection.name, projection.version))
    elif not behind[0]:
        connection.execute(BEAT, (projection.name,))
        return 0
    with connection.transaction():
        standing = take(connection, projection.name, shadow=False)
        if standing is None or standing.version != projection.version:
            return 0
        return move_on(connection, projection, standing, most, shadow=False)


def take(connection: Connection, name: str, *, shadow: bool) -> ModelPosition | None:
    """Returns where a projection stands, and its lease for this transaction, or None when there is none to be had."""
    row = connection.execute(TAKE, (name, shadow)).fetchone()
    return ModelPosition(*row) if row else None


def move_on(connection: Connection, projection: Projection, standing: ModelPosition, most: int, *, shadow: bool) -> int:
    """Apply the next entries under a lease that was taken; how many it was."""
    if standing.poison is not None:
        return 0
    connection.execute(SEARCH_PATH[shadow])
    rows = log_rows(connection, standing.next_idx, most)
    applied, poison = _apply(connection, projection, rows)
    if poison is not None:
        log.error("projection parked", projection=projection.name, idx=standing.next_idx + applied, reason=poison)
    connection.execute(MOVE_ON, (standing.next_idx + applied, poison, projection.name, shadow))
    return applied


def _apply(connection: Connection, projection: Projection, rows: Sequence[LogRow]) -> tuple[int, str | None]:
    """Returns how many entries could be applied, and what is wrong with the next one."""
    try:
        with connection.transaction(), connection.pipeline():
            for row in rows:
                projection.apply(connection, row.entry())
    except POISON:
        return _apply_singly(connection, projection, rows)
    return len(rows), None


def _apply_singly(connection: Connection, projection: Projection, rows: Sequence[LogRow]) -> tuple[int, str | None]:
    """Returns the same one entry at a time, to learn which of them it is."""
    for applied, row in enumerate(rows):
        try:
            with connection.transaction():
                projection.apply(connection, row.entry())
        except UnknownKind as unknown:
            log.warning("projection waits for a newer program", projection=projection.name, reason=str(unknown))
            return applied, None
        except POISON as fault:
            return applied, f"{type(fault).__name__}: {fault}"
    return len(rows), None


def resume(connection: Connection, name: str) -> bool:
    """Let a parked projection try again where it stopped; False when none of this name is parked."""
    return connection.execute(RESUME, (name,)).rowcount > 0


def statuses(connection: Connection) -> list[Status]:
    """Returns where all projections stand."""
    with connection.cursor(row_factory=class_row(Status)) as cursor:
        return cursor.execute(STATUS).fetchall()

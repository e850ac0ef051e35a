"""Rebuilds a projection in a shadow schema while the live one serves, compares both, and switches atomically."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID, uuid4

from psycopg import Connection, sql

from events.log.leaves import log_size
from projections.read_models.errors import LeaseLost, ProjectionDiffers, ProjectionParked
from projections.read_models.projector import BATCH, ModelPosition, Projection, apply_next, take_lease

NO_TIME_LIMIT = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'"
CLAIM = """
INSERT INTO projections (name, shadow, version, lease) VALUES (%(name)s, true, %(version)s, %(lease)s)
ON CONFLICT (name, shadow)
DO UPDATE SET version = %(version)s, lease = %(lease)s, next_idx = 0, head = NULL, poison = NULL
"""
BEGIN = "SELECT begin_shadow(%s)"
LOCK = "SELECT FROM projections WHERE name = %s ORDER BY shadow FOR UPDATE"
SWITCH = "SELECT switch_to_shadow(%s)"
FORGET_LIVE = "DELETE FROM projections WHERE name = %s AND NOT shadow"
BECOME_LIVE = "UPDATE projections SET shadow = false WHERE name = %s"
TABLES = "SELECT name FROM projection_tables WHERE projection = %s ORDER BY name"
ROWS = sql.SQL('COPY (SELECT t::text FROM {} AS t ORDER BY t::text COLLATE "C") TO STDOUT')

Progress = Callable[[int, int], None]


class Rebuilt(NamedTuple):
    """The outcome of a rebuild."""

    entries: int
    content: str
    compared: bool  # with the live rows, and found equal


def rebuild(connection: Connection, projection: Projection, progress: Progress, *, accept: bool = False) -> Rebuilt:
    """Builds, compares and switches; with `accept`, replaces the live rows without comparing.

    Raises ProjectionDiffers or ProjectionParked and keeps the live rows; raises LeaseLost when another rebuild began.
    """
    connection.execute(NO_TIME_LIMIT)
    lease = _begin(connection, projection)
    done = 0
    while moved := _build(connection, projection, lease):
        done += moved
        progress(done, max(done, log_size(connection)))
    with connection.transaction():
        return _finish(connection, projection, lease, accept)


def _begin(connection: Connection, projection: Projection) -> UUID:
    """Takes the lease of the shadow and empties it; a build under an older lease will raise LeaseLost."""
    lease = uuid4()
    with connection.transaction():
        connection.execute(CLAIM, {"name": projection.name, "version": projection.version, "lease": lease})
        connection.execute(BEGIN, (projection.name,))
    return lease


def _build(connection: Connection, projection: Projection, lease: UUID) -> int:
    """Applies one batch in the shadow, under its lease."""
    with connection.transaction():
        standing = _shadow(connection, projection, lease)
        return apply_next(connection, projection, standing, BATCH, shadow=True)


def _shadow(connection: Connection, projection: Projection, lease: UUID) -> ModelPosition:
    standing = take_lease(connection, projection.name, shadow=True)
    if standing is None or standing.lease != lease:
        raise LeaseLost(projection.name)
    if standing.poison is not None:
        raise ProjectionParked(projection.name, standing.next_idx, standing.poison)
    return standing


def _finish(connection: Connection, projection: Projection, lease: UUID, accept: bool) -> Rebuilt:
    """Locks out writers, brings both to the same entry, compares and switches."""
    connection.execute(LOCK, (projection.name,))
    _shadow(connection, projection, lease)
    size = log_size(connection)
    entries = _bring_to(connection, projection, size, shadow=True)
    rebuilt = content(connection, projection.name, "shadow")
    compared = not accept and _compare(connection, projection, size, rebuilt)
    connection.execute(SWITCH, (projection.name,))
    connection.execute(FORGET_LIVE, (projection.name,))
    connection.execute(BECOME_LIVE, (projection.name,))
    return Rebuilt(entries, rebuilt, compared)


def _compare(connection: Connection, projection: Projection, size: int, rebuilt: str) -> bool:
    """Raises ProjectionDiffers when the rows differ; returns False when no comparison is possible."""
    live = take_lease(connection, projection.name, shadow=False)
    if live is None or live.version != projection.version or live.poison is not None:
        return False
    _bring_to(connection, projection, size, shadow=False)
    served = content(connection, projection.name, "public")
    if served != rebuilt:
        raise ProjectionDiffers(projection.name, served, rebuilt)
    return True


def _bring_to(connection: Connection, projection: Projection, size: int, *, shadow: bool) -> int:
    """Applies all entries below `size`; raises ProjectionParked when one cannot be applied."""
    while True:
        standing = take_lease(connection, projection.name, shadow=shadow)
        assert standing is not None, "the row is locked by this transaction"
        if standing.poison is not None:
            raise ProjectionParked(projection.name, standing.next_idx, standing.poison)
        if standing.next_idx >= size or not apply_next(
            connection, projection, standing, min(BATCH, size - standing.next_idx), shadow=shadow
        ):
            return standing.next_idx


def content(connection: Connection, name: str, schema: str) -> str:
    """Returns a hash over all rows of a projection's tables, in a fixed order."""
    digest = hashlib.sha256()
    for (table,) in connection.execute(TABLES, (name,)).fetchall():
        digest.update(f"{table}\n".encode())
        with connection.cursor().copy(ROWS.format(sql.Identifier(schema, table))) as rows:
            for block in rows:
                digest.update(block)
    return digest.hexdigest()

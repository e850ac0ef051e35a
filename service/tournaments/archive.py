"""The archive of a tournament that is over: its own bundle and those of all its games, for anybody to verify."""

from typing import Any
from uuid import UUID

from psycopg import Connection

from events.store import head, read
from projections.archives import pack
from projections.tournaments.chronology import OPENS, record_of
from projections.tournaments.record import ALIVE, DRAFT, Record
from service.bundles import bundle
from service.config import Settings
from service.errors import NotAtThisStage
from service.tournaments.desk import Held

FIRST = "SELECT kind FROM events WHERE stream = %s AND seq = 1"
OVER = "SELECT id FROM games WHERE id = ANY(%s) AND status IN ('finished', 'aborted')"


def archive(connection: Connection[Any], settings: Settings, held: Held) -> bytes:
    """One file with all there is; refuses with NotAtThisStage before the tournament is over."""
    if held.known.status in (DRAFT, *ALIVE):
        raise NotAtThisStage(held.known.status, "the archive is made when the tournament is over")
    streams = _with(connection, held.id, held.known)
    return pack((stream, bundle(connection, settings, stream, head(connection, stream).seq)) for stream in streams)


def with_games(connection: Connection[Any], stream: UUID) -> list[UUID]:
    """A stream by itself, and with a tournament all its games that are over."""
    if connection.execute(FIRST, (stream,)).fetchone() != (OPENS,):
        return [stream]
    record = record_of(read(connection, stream))
    assert record is not None  # its first event was just seen
    return _with(connection, stream, record)


def _with(connection: Connection[Any], tournament: UUID, record: Record) -> list[UUID]:
    return [tournament, *(row[0] for row in connection.execute(OVER, (games(record),)))]


def games(record: Record) -> list[UUID]:
    """Every game that was declared."""
    return [UUID(table.game) for _, table in record.games()]

"""The archive of a tournament that is over: its own bundle and those of all its games, for anybody to verify."""

from typing import Any
from uuid import UUID

from psycopg import Connection

from events.store import head
from projections.archives import pack
from projections.tournaments.record import ALIVE, DRAFT, Record
from service.bundles import bundle
from service.config import Settings
from service.errors import NotAtThisStage
from service.tournaments.desk import Held

OVER = "SELECT id FROM games WHERE id = ANY(%s) AND status IN ('finished', 'aborted')"


def archive(connection: Connection[Any], settings: Settings, held: Held) -> bytes:
    """One file with all there is; refuses with NotAtThisStage before the tournament is over."""
    if held.known.status in (DRAFT, *ALIVE):
        raise NotAtThisStage(held.known.status, "the archive is made when the tournament is over")
    streams = [held.id, *(row[0] for row in connection.execute(OVER, (games(held.known),)))]
    return pack((stream, bundle(connection, settings, stream, head(connection, stream).seq)) for stream in streams)


def games(record: Record) -> list[UUID]:
    """Every game that was declared."""
    return [UUID(table.game) for _, table in record.games()]

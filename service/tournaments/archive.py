"""The archive of a tournament that is over: its own bundle and those of all its games, for anybody to verify."""

from typing import Any
from uuid import UUID

from psycopg import Connection

from events.store import head, read
from projections.archives import pack
from projections.rating_files import RatingFile
from projections.tournaments.chronology import OPENS, record_of
from projections.tournaments.record import ALIVE, DRAFT, Record
from service.bundles import bundle
from service.config import Settings
from service.errors import NotAtThisStage
from service.ratings import files_of
from service.shared_deals import SharedDeals
from service.tournaments.desk import Held

FIRST = "SELECT kind FROM events WHERE stream = %s AND seq = 1"
OVER = "SELECT id FROM games WHERE id = ANY(%s) AND status IN ('finished', 'aborted')"


def archive(connection: Connection[Any], settings: Settings, deals: SharedDeals, held: Held) -> bytes:
    """One file with all there is; refuses with NotAtThisStage before the tournament and all its deals are over."""
    if held.known.status in (DRAFT, *ALIVE):
        raise NotAtThisStage(held.known.status, "the archive is made when the tournament is over")
    if any(deals.still_played(one.deal) for one in held.known.rounds):  # it was called off while they played
        raise NotAtThisStage(held.known.status, "the archive is made when the last table of each deal has ended")
    streams = with_games(connection, held.id, held.known)
    bundles = [(stream, bundle(connection, settings, stream, head(connection, stream).seq)) for stream in streams]
    return pack(bundles, ratings(connection, held.known))


def tournament(connection: Connection[Any], stream: UUID) -> Record | None:
    """The tournament that a stream is of; None for a game."""
    if connection.execute(FIRST, (stream,)).fetchone() != (OPENS,):
        return None
    return record_of(read(connection, stream))


def with_games(connection: Connection[Any], tournament: UUID, record: Record) -> list[UUID]:
    """A tournament and all its games that are over."""
    return [tournament, *(row[0] for row in connection.execute(OVER, (games(record),)))]


def games(record: Record) -> list[UUID]:
    """Every game that was declared."""
    return [UUID(table.game) for _, table in record.games()]


def ratings(connection: Connection[Any], record: Record) -> list[RatingFile]:
    """What the ratings of the entrants come from."""
    return files_of(connection, record.regulations["game"], [entry.player for entry in record.entries])

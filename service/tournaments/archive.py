"""Builds the archive of a finished tournament: its own bundle and the bundles of all its games."""

from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.store.postgres import head, read
from projections.ratings.input_files import RatingFile
from projections.tournaments.fold import OPENS, record_of
from projections.tournaments.record import ALIVE, DRAFT, Edition, TournamentRecord
from projections.verify.archive import pack
from service.core.clock import iso_time as told_time
from service.core.errors import NotAtThisStage, NotThere
from service.games.shared_deals import SharedDeals
from service.proof.queries import bundle
from service.ratings.queries import files_of
from service.settings import Settings
from service.tournaments.documents import Document, TournamentNames, computed
from service.tournaments.tournament_repository import TournamentState

FIRST = "SELECT kind FROM streams_begun WHERE stream = %s"
OVER = "SELECT id FROM games WHERE id = ANY(%s) AND status IN ('finished', 'aborted')"


def archive(
    pool: ConnectionPool,
    settings: Settings,
    deals: SharedDeals,
    state: TournamentState,
    edition: int | None = None,
) -> bytes:
    """Returns an edition of the archive; without a number, the newest.

    Raises NotAtThisStage before the tournament and all its deals are over, NotThere for an edition that was not issued.
    """
    version = _edition(state.known, edition).event
    if any(deals.still_played(one.deal) for one in state.known.rounds):  # the host called it off during the games
        raise NotAtThisStage(state.known.status, "the archive is made when the last table of each deal has ended")
    with pool.connection() as connection:
        streams = with_games(connection, state.id, state.known)
        versions = {stream: version if stream == state.id else head(connection, stream).seq for stream in streams}
        rated = ratings(connection, state.known)
    return pack([(stream, bundle(pool, settings, stream, seq)) for stream, seq in versions.items()], rated)


def _edition(record: TournamentRecord, number: int | None) -> Edition:
    """Returns the edition with a number, or the newest. Raises NotAtThisStage, NotThere."""
    if record.status in (DRAFT, *ALIVE):
        raise NotAtThisStage(record.status, "the archive is made when the tournament is over")
    found = next((one for one in record.editions if one.number == (number or len(record.editions))), None)
    if found is None:
        raise NotThere("edition", str(number))
    return found


def editions(connection: Connection, state: TournamentState, known: TournamentNames) -> Document:
    """Returns all editions of the archive and marks the valid one; there is none before the tournament is over."""
    record = state.known
    rulings = {ruling.event: ruling for ruling in record.rulings}
    last = (event for one in record.editions for event in read(connection, state.id, one.event - 1, 1))
    hashes = {event.seq: event.hash.hex() for event in last}
    found = []
    for one in record.editions:
        ruling = None if one.ruling is None else rulings[one.ruling]
        found.append(
            {
                "edition": one.number,
                "version": one.event,
                "head": hashes[one.event],
                "at": told_time(one.at),
                "holds": one is record.editions[-1],
                "ruling": one.ruling,
                "by": None if ruling is None else known.person(ruling.actor),
                "reason": None if ruling is None else known.texts.get(ruling.reason),
                "archive": f"/v1/tournaments/{state.id}/archive?edition={one.number}",
            }
        )
    return computed(state, archives=found)


def tournament(connection: Connection, stream: UUID) -> TournamentRecord | None:
    """Returns the tournament of a stream; None for the stream of a game."""
    if connection.execute(FIRST, (stream,)).fetchone() != (OPENS,):
        return None
    return record_of(read(connection, stream))


def with_games(connection: Connection, tournament: UUID, record: TournamentRecord) -> list[UUID]:
    """Returns the ids of a tournament and of all its finished or aborted games."""
    return [tournament, *(row[0] for row in connection.execute(OVER, (games(record),)))]


def games(record: TournamentRecord) -> list[UUID]:
    """Returns the ids of all declared games."""
    return [UUID(table.game) for _, table in record.games()]


def ratings(connection: Connection, record: TournamentRecord) -> list[RatingFile]:
    """Returns the rating files of the entrants."""
    return files_of(connection, record.regulations["game"], [entry.player for entry in record.entries])

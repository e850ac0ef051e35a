"""The archive of a tournament that is over: its own bundle and those of all its games, for anybody to verify."""

from typing import Any
from uuid import UUID

from psycopg import Connection

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
from service.tournaments.repository import TournamentState

FIRST = "SELECT kind FROM events WHERE stream = %s AND seq = 1"
OVER = "SELECT id FROM games WHERE id = ANY(%s) AND status IN ('finished', 'aborted')"


def archive(
    connection: Connection[Any],
    settings: Settings,
    deals: SharedDeals,
    held: TournamentState,
    edition: int | None = None,
) -> bytes:
    """One file with all there is, in the edition that holds or in an earlier one.

    Refuses with NotAtThisStage before the tournament and all its deals are over, and with NotThere an edition that was
    not issued.
    """
    version = _edition(held.known, edition).event
    if any(deals.still_played(one.deal) for one in held.known.rounds):  # it was called off while they played
        raise NotAtThisStage(held.known.status, "the archive is made when the last table of each deal has ended")
    streams = with_games(connection, held.id, held.known)
    versions = {stream: version if stream == held.id else head(connection, stream).seq for stream in streams}
    bundles = [(stream, bundle(connection, settings, stream, seq)) for stream, seq in versions.items()]
    return pack(bundles, ratings(connection, held.known))


def _edition(record: TournamentRecord, number: int | None) -> Edition:
    """The edition of a number, or the one that holds."""
    if record.status in (DRAFT, *ALIVE):
        raise NotAtThisStage(record.status, "the archive is made when the tournament is over")
    found = next((one for one in record.editions if one.number == (number or len(record.editions))), None)
    if found is None:
        raise NotThere("edition", str(number))
    return found


def editions(connection: Connection[Any], held: TournamentState, known: TournamentNames) -> Document:
    """All editions of the archive, and which holds; before the tournament is over there is none."""
    record = held.known
    rulings = {ruling.event: ruling for ruling in record.rulings}
    last = (event for one in record.editions for event in read(connection, held.id, one.event - 1, 1))
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
                "archive": f"/v1/tournaments/{held.id}/archive?edition={one.number}",
            }
        )
    return computed(held, archives=found)


def tournament(connection: Connection[Any], stream: UUID) -> TournamentRecord | None:
    """The tournament that a stream is of; None for a game."""
    if connection.execute(FIRST, (stream,)).fetchone() != (OPENS,):
        return None
    return record_of(read(connection, stream))


def with_games(connection: Connection[Any], tournament: UUID, record: TournamentRecord) -> list[UUID]:
    """A tournament and all its games that are over."""
    return [tournament, *(row[0] for row in connection.execute(OVER, (games(record),)))]


def games(record: TournamentRecord) -> list[UUID]:
    """Every game that was declared."""
    return [UUID(table.game) for _, table in record.games()]


def ratings(connection: Connection[Any], record: TournamentRecord) -> list[RatingFile]:
    """What the ratings of the entrants come from."""
    return files_of(connection, record.regulations["game"], [entry.player for entry in record.entries])

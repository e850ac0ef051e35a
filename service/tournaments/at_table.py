"""Finds the round, the table and the entrants of a tournament game."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from uuid import UUID

from psycopg import Connection

from events.json_types import JsonObject
from events.store.free_texts import shown_texts
from projections.tournaments.record import TournamentRecord
from service.games.search import GameEntry, SeatEntry
from service.i18n.messages import hidden_notice
from service.tournaments.tournament_repository import TournamentRepository


class EntrantTable(NamedTuple):
    """The tournament table of a game."""

    tournament: UUID
    title: str  # the hash of a text
    round: int
    table: int
    entrants: tuple[int, ...]  # in turn order


def at_table(tournaments: TournamentRepository, tournament: str | None, game: UUID) -> EntrantTable | None:
    """Returns the table of a game; None for a game outside tournaments."""
    if tournament is None:
        return None
    record = tournaments.load(UUID(tournament)).known
    return _tables(UUID(tournament), record).get(str(game))


def document(connection: Connection, found: EntrantTable, language: str) -> JsonObject:
    """Returns the table as part of the game's document; without a title after its erasure."""
    texts = shown_texts(connection, found.tournament, [found.title], hidden_notice(language))
    return {"title": texts.get(found.title), "round": found.round, "table": found.table}


def entrants_by_chair(found: EntrantTable | None) -> Mapping[int, int]:
    """Returns the entrant numbers by chair; the chairs of a tournament game follow the turn order."""
    return dict(enumerate(() if found is None else found.entrants))


def listed(tournaments: TournamentRepository, games: Iterable[GameEntry]) -> Iterator[GameEntry]:
    """Yields listed games with the entrants on their seats; loads each tournament once."""
    known: dict[str, Mapping[str, EntrantTable]] = {}
    for game in games:
        tournament = game["tournament"]
        if tournament is not None and tournament not in known:
            known[tournament] = _tables(UUID(tournament), tournaments.load(UUID(tournament)).known)
        entrants = entrants_by_chair(known.get(tournament or "", {}).get(game["id"]))
        seats: list[SeatEntry] = [{**seat, "entrant": entrants.get(seat["chair"])} for seat in game["seats"]]
        yield {**game, "seats": seats}


def _tables(tournament: UUID, record: TournamentRecord) -> dict[str, EntrantTable]:
    return {
        str(table.game): EntrantTable(tournament, record.title, one.number, table.number, table.seats)
        for one, table in record.games()
    }

"""Finds the round, the table and the entrants of a tournament game."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.store.free_texts import read_texts
from projections.tournaments.record import TournamentRecord
from service.tournaments.repository import TournamentRepository

Document = dict[str, Any]


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


def title_of(connection: Connection, found: EntrantTable) -> str | None:
    """Returns the title of the tournament; None after its erasure."""
    texts = read_texts(connection, found.tournament, [bytes.fromhex(found.title)])
    return next((kept.text for kept in texts.values()), None)


def document(connection: Connection, found: EntrantTable) -> Document:
    """Returns the table as part of the game's document."""
    return {"title": title_of(connection, found), "round": found.round, "table": found.table}


def with_entrants(seats: Iterable[Mapping[str, Any]], found: EntrantTable | None) -> list[Document]:
    """Returns seats with their entrant numbers; the chairs of a tournament game follow the turn order."""
    numbers = () if found is None else found.entrants
    return [{**seat, "entrant": dict(enumerate(numbers)).get(seat["chair"])} for seat in seats]


def listed(tournaments: TournamentRepository, games: Iterable[Document]) -> Iterator[Document]:
    """Yields listed games with the entrants on their seats; loads each tournament once."""
    known: dict[str, Mapping[str, EntrantTable]] = {}
    for game in games:
        tournament = game["tournament"]
        if tournament is not None and tournament not in known:
            known[tournament] = _tables(UUID(tournament), tournaments.load(UUID(tournament)).known)
        yield game | {"seats": with_entrants(game["seats"], known.get(tournament or "", {}).get(game["id"]))}


def _tables(tournament: UUID, record: TournamentRecord) -> dict[str, EntrantTable]:
    return {
        str(table.game): EntrantTable(tournament, record.title, one.number, table.number, table.seats)
        for one, table in record.games()
    }

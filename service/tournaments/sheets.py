"""CSV sheets for directors: standings, pairings, results, the cross-table, statistics."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from projections.tournaments import inputs, sheets
from projections.tournaments.record import RoundRecord, Sitting, TournamentRecord
from projections.tournaments.sheets import Value, sheet
from projections.tournaments.standings import statistics
from service.tournaments.documents import TournamentNames
from service.tournaments.explanations import cross_table_of, seats_of, standings_of


def standings_sheet(record: TournamentRecord, stage: int, known: TournamentNames) -> str:
    """Returns the standings of a stage, one line per entrant."""
    return sheets.standings_sheet(standings_of(record, stage), known.listed(record))


def cross_sheet(record: TournamentRecord, stage: int, known: TournamentNames) -> str:
    """Returns the cross-table of a stage, one line per entrant."""
    return sheets.cross_sheet(cross_table_of(record, stage), known.listed(record))


def statistics_sheet(record: TournamentRecord, stage: int, _known: TournamentNames) -> str:
    """Returns the statistics of seats and game ends."""
    return sheets.statistics_sheet(seats_of(record, stage), statistics.ends(inputs.rounds_of(record, stage)))


def round_sheet(record: TournamentRecord, current: RoundRecord, known: TournamentNames) -> str:
    """Returns a round, one line per seat: the pairing sheet, with results also the result slips."""
    head = ["round", "table", "seat", "entrant", "name", "points", "place", "game"]
    return sheet(head, (row for table in current.tables for row in _rows(record, current.number, table, known)))


def _rows(record: TournamentRecord, round: int, table: Sitting, known: TournamentNames) -> Iterator[list[Value]]:
    result: Any = table.result
    names = known.listed(record)
    for seat, number in enumerate(table.seats or table.paired):
        player = record.entry(number).player
        yield [
            round,
            table.number,
            seat + 1 if table.settled else None,
            number,
            names[player],
            result.points[seat] if result else None,
            result.places[seat] if result else None,
            table.game,
        ]


OF_STAGE: Final[Mapping[str, Callable[[TournamentRecord, int, TournamentNames], str]]] = {
    "standings": standings_sheet,
    "cross-table": cross_sheet,
    "statistics": statistics_sheet,
}

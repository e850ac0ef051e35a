"""Tables for spreadsheets (CSV): pairings, standings, the cross-table and statistics, with names that cannot calculate.

A cell that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from projections.tournaments.documents import shown
from projections.tournaments.statistics import Cell, CrossTable, EndRow, SeatRow
from projections.tournaments.values import Player, Round, Standings

Names = Mapping[Player, str]
Value = str | int | Fraction | None
FORMULA: Final = re.compile(r"[=+\-@\t\r\n|%＝＋－＠]")  # what a cell of text may not begin with, after blanks


def sheet(head: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """Rows under their head as CSV (RFC 4180)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def pairings_sheet(rounds: Iterable[Round], names: Names) -> str:
    """Who sits where in which round; the seats in turn order."""
    shown_rounds = list(rounds)
    most = max((len(table.seats) for round_ in shown_rounds for table in round_.tables), default=0)
    seats = [f"seat {seat}" for seat in range(1, most + 1)]
    rows: list[Sequence[Value]] = []
    for round_ in shown_rounds:
        rows += [(round_.number, table.number, *(_name(one, names) for one in table.seats)) for table in round_.tables]
        rows += [(round_.number, "bye", _name(bye.player, names)) for bye in round_.byes]
    return sheet(["round", "table", *seats], rows)


def standings_sheet(standings: Standings, names: Names) -> str:
    """Ranks with every figure, and what parted each from the one above."""
    rows = [
        (line.rank, _name(line.player, names), *(one.value for one in line.figures), line.decided_by)
        for line in standings.lines
    ]
    return sheet(["rank", "player", *standings.criteria, "decided by"], rows)


def cross_sheet(table: CrossTable, names: Names) -> str:
    """What everybody had round by round: place, points, and the ranks of those they met."""
    rank = {row.player: row.rank for row in table.rows}
    head = [f"round {number} {what}" for number in range(1, table.rounds + 1) for what in ("place", "points", "met")]
    rows = [
        (
            row.rank,
            _name(row.player, names),
            *(value for cell in row.cells for value in _columns(cell, rank)),
            row.total,
        )
        for row in table.rows
    ]
    return sheet(["rank", "player", *head, "points"], rows)


def seats_sheet(rows: Iterable[SeatRow]) -> str:
    """How the seats did."""
    head = ["table of", "seat", "games", "wins", "points on average", "place on average"]
    return sheet(head, [(row.size, row.seat + 1, row.games, row.wins, row.points, row.place) for row in rows])


def ends_sheet(rows: Iterable[EndRow]) -> str:
    """What ended the games."""
    return sheet(["end", "games"], [(row.end, row.games) for row in rows])


def _columns(cell: Cell | None, rank: Mapping[Player, int]) -> tuple[Value, Value, Value]:
    if cell is None:
        return None, None, None
    met = " ".join(str(number) for number in sorted(rank[other] for other in cell.opponents))
    if cell.table is None:
        return "bye", cell.earned.points if cell.earned else None, None
    return cell.earned.place if cell.earned else None, cell.earned.points if cell.earned else None, met


def _name(player: Player, names: Names) -> str:
    return names.get(player, player)


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, Fraction):
        return shown(value)
    if isinstance(value, int):
        return str(value)
    return f"'{value}" if FORMULA.match(value.lstrip(" ")) else value

"""Spreadsheets (CSV): standings, cross-table and statistics, safe against formulas in names.

A cell that a spreadsheet would read as a formula gets an apostrophe in front; numbers stay numbers.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from projections.tournaments.documents import rounded_text
from projections.tournaments.standings.statistics import Cell, CrossTable, EndRow, SeatRow
from projections.tournaments.values import Player, Standings

Names = Mapping[Player, str]
Value = str | int | Fraction | None
FORMULA: Final = re.compile(r"[=+\-@\t\r\n|%＝＋－＠]")  # forbidden first characters of a text cell, after blanks


def sheet(head: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """Rows under their head as CSV (RFC 4180)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def standings_sheet(standings: Standings, names: Names) -> str:
    """Returns ranks with every figure and the criterion that separates each line; withdrawals with their events."""
    rows = [
        (line.rank, _name(line.player, names), *(one.value for one in line.figures), line.decided_by, line.gone)
        for line in standings.lines
    ]
    return sheet(["rank", "player", *standings.criteria, "decided by", "left with event"], rows)


def cross_sheet(table: CrossTable, names: Names) -> str:
    """Returns each player's rounds: place, points, and the ranks of the opponents."""
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


def statistics_sheet(seats: Iterable[SeatRow], ends: Iterable[EndRow]) -> str:
    """Returns statistics of seats, then of the ends of games."""
    head = [
        "what",
        "table of",
        "seat",
        "games",
        "wins",
        "place points on average",
        "game points on average",
        "place on average",
    ]
    rows: list[Sequence[Value]] = [
        ("seat", row.size, row.seat + 1, row.games, row.wins, row.points, row.score, row.place) for row in seats
    ]
    return sheet(head, [*rows, *((row.end, None, None, row.games, None, None, None, None) for row in ends)])


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
        return rounded_text(value)
    if isinstance(value, int):
        return str(value)
    return f"'{value}" if FORMULA.match(value.lstrip(" ")) else value

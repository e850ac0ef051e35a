"""What directors print and hand on as CSV: standings, pairings, results."""

import csv
import io
from collections.abc import Iterable, Sequence

from projections.tournaments import inputs
from projections.tournaments.documents import shown
from projections.tournaments.record import Record, RoundRecord
from service.tournaments.documents import Words
from service.tournaments.explaining import standings_of

RISKY = "=+-@\t\r"  # what a spreadsheet would take for a formula


def standings_sheet(record: Record, stage: int, known: Words) -> str:
    """The standings of a stage, one line per entrant."""
    found, number = standings_of(record, stage), inputs.numbers_of(record)
    head = ["rank", "entrant", "name", *found.criteria, "decided_by", "gone"]
    return _sheet(
        head,
        (
            [
                line.rank,
                number[line.player],
                _name(known, line.player),
                *(shown(figure.value) for figure in line.figures),
                line.decided_by or "",
                line.gone or "",
            ]
            for line in found.lines
        ),
    )


def round_sheet(record: Record, current: RoundRecord, known: Words) -> str:
    """A round, one line per seat: the pairing sheet, and with the results in it the result slips."""
    return _sheet(
        ["round", "table", "seat", "entrant", "name", "points", "place", "game"],
        (
            [
                current.number,
                table.number,
                seat if table.settled else "",
                number,
                _name(known, record.entry(number).player),
                table.result.points[seat] if table.result else "",
                table.result.places[seat] if table.result else "",
                table.game or "",
            ]
            for table in current.tables
            for seat, number in enumerate(table.seats or table.paired)
        ),
    )


def _name(known: Words, player: str) -> str:
    return known.names.get(player, player)


def _sheet(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(head)
    writer.writerows([_plain(cell) for cell in line] for line in lines)
    return written.getvalue()


def _plain(cell: object) -> object:
    """A cell that no spreadsheet runs."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(tuple(RISKY)) else cell

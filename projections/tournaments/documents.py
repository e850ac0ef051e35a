"""Pairings, standings and reasons as JSON for answers, archives and pages; exact numbers are texts."""

from fractions import Fraction

from events.json_types import JsonObject
from projections.tournaments.values import (
    Advancing,
    Figure,
    FigurePart,
    Measures,
    Paired,
    Pairing,
    Reason,
    StandingsLine,
)


def pairing_document(pairing: Pairing) -> JsonObject:
    """Returns a pairing with all its reasons."""
    return {
        "round": pairing.round,
        "method": pairing.method,
        "tables": [_table(table) for table in pairing.tables],
        "byes": list(pairing.byes),
        "reasons": [reason_document(reason) for reason in pairing.reasons],
        "measures": _measures(pairing.measures),
    }


def reason_document(reason: Reason) -> JsonObject:
    """Returns a reason with the events it rests on."""
    return {"code": reason.code, "player": reason.player, "says": reason.says, "events": list(reason.events)}


def line_document(line: StandingsLine) -> JsonObject:
    """Returns a line of the standings, explained."""
    return {
        "rank": line.rank,
        "player": line.player,
        "decided_by": line.decided_by,
        "gone": line.gone,
        "figures": [_figure(figure) for figure in line.figures],
    }


def advancing_document(advancing: Advancing) -> JsonObject:
    """Returns the advancing players and the reasons."""
    return {
        "players": list(advancing.players),
        "alternates": list(advancing.alternates),
        "reasons": [reason_document(reason) for reason in advancing.reasons],
    }


def rounded_text(value: Fraction) -> str:
    """Returns a number for display: whole, or rounded to two digits, halves away from zero."""
    if value.denominator == 1:
        return str(value.numerator)
    hundredths = (2 * abs(value.numerator) * 100 + value.denominator) // (2 * value.denominator)
    return f"{'-' if value < 0 else ''}{hundredths // 100}.{hundredths % 100:02}"


def _table(table: Paired) -> JsonObject:
    return {
        "number": table.number,
        "seats": list(table.seats),
        "settled": table.settled,
        "reasons": [reason_document(reason) for reason in table.reasons],
    }


def _measures(measures: Measures) -> JsonObject:
    return {**measures._asdict(), "sizes": list(measures.sizes)}


def _figure(figure: Figure) -> JsonObject:
    return {
        "criterion": figure.criterion,
        "value": str(figure.value),
        "shown": rounded_text(figure.value),
        "parts": [_part(part) for part in figure.parts],
    }


def _part(part: FigurePart) -> JsonObject:
    return {
        "what": part.what,
        "value": str(part.value),
        "round": part.round,
        "table": part.table,
        "other": part.other,
        "counts": part.counts,
        "events": list(part.events),
    }

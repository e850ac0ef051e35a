"""The result of a game that ended: points as the rules count them, those who forfeited behind all others."""

from collections.abc import Sequence
from typing import Any

from events.json_types import JsonObject
from projections.protocol import Game, Outcome
from projections.record import Record

RULES, FORFEIT = "rules", "forfeit"  # why a game ended


def result(game: Game[Any, Any], board: Any, record: Record) -> JsonObject | None:
    """The result that the board and the record make of a running game; None while it goes on."""
    outcome = game.outcome(board)
    if outcome is not None:
        return _told(RULES, outcome, record)
    left = [seat for seat, chair in enumerate(record.seats) if chair.forfeited is None]
    if len(left) <= 1 < len(record.seats):
        return _told(FORFEIT, _as_it_stands(game, board), record)
    return None


def _told(cause: str, outcome: Outcome, record: Record) -> JsonObject:
    return {
        "cause": cause,
        "points": list(outcome.points),
        "tie_break": list(outcome.tie_break),
        "places": places(outcome.places, record),
        "notes": [],
    }


def _as_it_stands(game: Game[Any, Any], board: Any) -> Outcome:
    """Points as counted now; places by them."""
    points = [_total(score) for score in game.scores(board)]
    return Outcome(tuple(points), (0,) * len(points), tuple(1 + sum(p > own for p in points) for own in points))


def _total(score: Any) -> int:
    return int(score["total"])


def places(by_rules: Sequence[int], record: Record) -> list[int]:
    """Places with those who forfeited behind all others, the first to go last."""

    def rank(seat: int) -> tuple[int, int]:
        forfeited = record.chair_at(seat).forfeited
        return (0, by_rules[seat]) if forfeited is None else (1, -forfeited)

    ranks = [rank(seat) for seat in range(len(by_rules))]
    return [1 + sum(other < own for other in ranks) for own in ranks]

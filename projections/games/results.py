"""The result of an ended game: points by the rules, forfeited seats placed last."""

from collections.abc import Sequence
from typing import Any

from events.json_types import JsonObject
from projections.games.record import GameRecord
from projections.rules.protocol import AnyGame, Board, Outcome

RULES, FORFEIT = "rules", "forfeit"  # causes of the end of a game


def result(game: AnyGame, board: Board, record: GameRecord) -> JsonObject | None:
    """Returns the result of a game that has ended, or None while it continues."""
    outcome = game.outcome(board)
    if outcome is not None:
        return _result_document(RULES, outcome, record)
    left = [seat for seat, chair in enumerate(record.seats) if chair.forfeited is None]
    if len(left) <= 1 < len(record.seats):
        return _result_document(FORFEIT, _current_outcome(game, board), record)
    return None


def _result_document(cause: str, outcome: Outcome, record: GameRecord) -> JsonObject:
    return {
        "cause": cause,
        "points": _without_absent(outcome.points, record),
        "tie_break": _without_absent(outcome.tie_break, record),
        "places": places(outcome.places, record),
        "notes": [],
    }


def _without_absent(numbers: Sequence[int], record: GameRecord) -> list[int]:
    """Returns numbers by seat, with zero for absent players."""
    return [0 if record.chair_at(seat).absent else number for seat, number in enumerate(numbers)]


def _current_outcome(game: AnyGame, board: Board) -> Outcome:
    """Returns the current points, and places by them."""
    points = [_total(score) for score in game.scores(board)]
    return Outcome(tuple(points), (0,) * len(points), tuple(1 + sum(p > own for p in points) for own in points))


def _total(score: Any) -> int:
    return int(score["total"])


def places(by_rules: Sequence[int], record: GameRecord) -> list[int]:
    """Returns the places with forfeited seats last, the first to forfeit at the end, then absent players."""

    def rank(seat: int) -> tuple[int, int]:
        chair = record.chair_at(seat)
        if chair.absent:
            return (2, 0)
        return (0, by_rules[seat]) if chair.forfeited is None else (1, -chair.forfeited)

    ranks = [rank(seat) for seat in range(len(by_rules))]
    return [len(ranks) if own == (2, 0) else 1 + sum(other < own for other in ranks) for own in ranks]

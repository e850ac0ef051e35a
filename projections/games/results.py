"""The result of a game that ended: points as the rules count them, those who left behind all others."""

from collections.abc import Sequence
from typing import Any

from events.json_types import JsonObject
from projections.games.record import GameRecord
from projections.rules.protocol import Game, Outcome

RULES, FORFEIT = "rules", "forfeit"  # why a game ended


def result(game: Game[Any, Any], board: Any, record: GameRecord) -> JsonObject | None:
    """Returns the result that the board and the record make of a running game, or None while it goes on."""
    outcome = game.outcome(board)
    if outcome is not None:
        return _told(RULES, outcome, record)
    left = [seat for seat, chair in enumerate(record.seats) if chair.forfeited is None]
    if len(left) <= 1 < len(record.seats):
        return _told(FORFEIT, _as_it_stands(game, board), record)
    return None


def _told(cause: str, outcome: Outcome, record: GameRecord) -> JsonObject:
    return {
        "cause": cause,
        "points": _of_present(outcome.points, record),
        "tie_break": _of_present(outcome.tie_break, record),
        "places": places(outcome.places, record),
        "notes": [],
    }


def _of_present(numbers: Sequence[int], record: GameRecord) -> list[int]:
    """Numbers by seat; an absent player has nothing of what a bot played for the seat."""
    return [0 if record.chair_at(seat).absent else number for seat, number in enumerate(numbers)]


def _as_it_stands(game: Game[Any, Any], board: Any) -> Outcome:
    """Points as counted now; places by them."""
    points = [_total(score) for score in game.scores(board)]
    return Outcome(tuple(points), (0,) * len(points), tuple(1 + sum(p > own for p in points) for own in points))


def _total(score: Any) -> int:
    return int(score["total"])


def places(by_rules: Sequence[int], record: GameRecord) -> list[int]:
    """Places with those who forfeited behind all others, the first to go last; the last place for who never came."""

    def rank(seat: int) -> tuple[int, int]:
        chair = record.chair_at(seat)
        if chair.absent:
            return (2, 0)
        return (0, by_rules[seat]) if chair.forfeited is None else (1, -chair.forfeited)

    ranks = [rank(seat) for seat in range(len(by_rules))]
    return [len(ranks) if own == (2, 0) else 1 + sum(other < own for other in ranks) for own in ranks]

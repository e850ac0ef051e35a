"""How games end: by the rules, by forfeit, or aborted; the seed is always revealed in the last event."""

from collections.abc import Sequence
from typing import Any

from projections.protocol import Outcome
from projections.record import RUNNING, Record
from service.act import Act

STAND_IN = "random"  # moves for a seat that has forfeited, so that the others can play on


def end_if_over(act: Act) -> None:
    """End the game when the rules say so, or when all seats but one have forfeited."""
    record = act.record
    if record.status != RUNNING:
        return
    outcome = act.game.outcome(act.now.board)
    left = [seat for seat, chair in enumerate(record.seats) if chair.forfeited is None]
    if outcome is not None:
        _end(act, "rules", outcome)
    elif len(left) <= 1 < len(record.seats):
        _end(act, "forfeit", _as_it_stands(act))


def abort(act: Act, cause: str) -> None:
    """End a game without a result."""
    act.write("game_aborted", cause=cause, reason=None)
    reveal(act)


def reveal(act: Act) -> None:
    """Show the server's seed, so that everybody can check the deal."""
    if not act.record.imported:
        act.write("seed_revealed", seed=act.seed().hex(), draws=act.record.draws)


def _end(act: Act, cause: str, outcome: Outcome) -> None:
    act.write(
        "game_ended",
        cause=cause,
        points=list(outcome.points),
        tie_break=list(outcome.tie_break),
        places=places(outcome.places, act.record),
        notes=[],
    )
    reveal(act)


def _as_it_stands(act: Act) -> Outcome:
    """Points as counted now; places by them."""
    points = [_total(score) for score in act.game.scores(act.now.board)]
    return Outcome(tuple(points), (0,) * len(points), tuple(1 + sum(p > own for p in points) for own in points))


def _total(score: Any) -> int:
    return int(score["total"])


def places(by_rules: Sequence[int], record: Record) -> list[int]:
    """Places with those who forfeited behind all others, the first to go last."""

    def rank(seat: int) -> tuple[int, int]:
        forfeited = record.seats[seat].forfeited
        return (0, by_rules[seat]) if forfeited is None else (1, -forfeited)

    ranks = [rank(seat) for seat in range(len(by_rules))]
    return [1 + sum(other < own for other in ranks) for own in ranks]

"""Estimates the rounds left, and from them the worth of phases and doubloons; computed once for each position."""

from typing import Final, NamedTuple

from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import CITY_SPACES
from workers.bots.puerto_rico import weights as w

LEAST_ROUNDS: Final = 0.35
MOST_ROUNDS: Final = 12.0
PEOPLE_EACH: Final = 1.45  # people who board the ship in a round, for each seat
CHIPS_EACH: Final = 2.1  # points awarded in a round, for each seat, late
SPACES: Final = 0.75  # city spaces the busiest builder fills in a round


class Outlook(NamedTuple):
    """The phases still to come, and the worth of a doubloon in points."""

    rounds: float
    doubloon: float
    crafts: float
    loads: float
    sales: float
    builds: float
    mayors: float


def rounds_left(position: Position) -> float:
    """Returns an estimate of the rounds until an end condition is met (rules 5.1)."""
    if position.ends:
        return LEAST_ROUNDS
    seats = position.seats
    chips = position.vp_supply / (CHIPS_EACH * seats)
    spaces = (CITY_SPACES - max(position.spaces)) / SPACES
    rounds = min(chips, spaces)
    if not position.rulings.nobles:
        rounds = min(rounds, (position.colonist_supply + position.colonist_ship * 0.5) / (PEOPLE_EACH * seats))
    return max(LEAST_ROUNDS, min(MOST_ROUNDS, rounds))


def outlook(position: Position) -> Outlook:
    """Returns the outlook of a position."""
    rounds = rounds_left(position)
    early = min(1.0, rounds / w.ROUNDS_TO_BUILD)
    doubloon = w.DOUBLOON_LATE + (w.DOUBLOON_EARLY - w.DOUBLOON_LATE) * early
    phases = [often * rounds for often in (w.CRAFTS, w.LOADS, w.SALES, w.BUILDS, w.MAYORS)]
    return Outlook(rounds, doubloon, *phases)

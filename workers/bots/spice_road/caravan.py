"""Evaluates a caravan: the claims that it can reach, and the cubes besides."""

from functools import lru_cache
from typing import Final

from projections.rules.spice_road.cards import POINT
from projections.rules.spice_road.cubes import Cubes, minus
from projections.rules.spice_road.state.position import CARAVAN_LIMIT, Cards
from workers.bots.spice_road import weights as w

KINDS: Final = range(4)


def steps(cubes: Cubes) -> float:
    """Returns the steps of the cubes on the upgrade track, added up."""
    return cubes[0] + 2.0 * cubes[1] + 3.0 * cubes[2] + 4.0 * cubes[3]


@lru_cache(maxsize=1 << 16)
def turns_to(caravan: Cubes, card: str) -> float:
    """Returns an estimate of the turns until the caravan holds the cost of a point card."""
    lacking = surplus = missing = 0.0
    for kind, cost in enumerate(POINT[card].cost):
        short = cost - caravan[kind]
        if short > 0:
            lacking += short * w.STEPS[kind]
            missing += w.WRONG_KIND
        else:
            surplus -= short * w.STEPS[kind]
    if not lacking:
        return 0.0
    return missing + max(0.5, (lacking - w.SURPLUS * min(surplus, lacking)) / w.STEPS_A_TURN)


class Prospects(dict[Cubes, float]):
    """Caches the points that each caravan may expect from a row of claims; computes a caravan when it is first read."""

    def __init__(self, row: Cards, coins: tuple[int, ...], contested: frozenset[str], late: float) -> None:
        super().__init__()
        self._claims = [
            (card, POINT[card].points + coin - w.CARAVAN * steps(POINT[card].cost), card in contested)
            for card, coin in zip(row, coins, strict=True)
        ]
        self._late = late
        self._delay = w.DELAY - 0.6 * late

    def __missing__(self, caravan: Cubes) -> float:
        """Returns the worth of the best claim, a part of the next best, and the cubes that the caravan can hold."""
        kept, late = within_limit(caravan), self._late
        best, second, *_ = (*sorted((self._claim(kept, *claim) for claim in self._claims), reverse=True), 0.0, 0.0)
        cubes = w.CARAVAN * steps(kept) * (1.0 - late) + late * sum(kept[1:])
        worth = self[caravan] = best + w.SECOND_TARGET * (1.0 - late) * second + cubes
        return worth

    def _claim(self, caravan: Cubes, card: str, points: float, contested: bool) -> float:
        turns = turns_to(caravan, card)
        worth: float = points * self._delay ** (turns + 1.0)
        return worth * w.CONTESTED if turns and contested else worth


@lru_cache(maxsize=1 << 7)
def prospects(row: Cards, coins: tuple[int, ...], contested: frozenset[str], late: float) -> Prospects:
    """Returns the cache for these claims; `contested` names the claims that another seat can make now.

    `late` runs from 0, when there is time for everything, to 1, when only a claim made now counts.
    """
    return Prospects(row, coins, contested, late)


@lru_cache(maxsize=1 << 14)
def within_limit(caravan: Cubes) -> Cubes:
    """Returns a caravan without the cheapest cubes above the limit."""
    excess = sum(caravan) - CARAVAN_LIMIT
    for kind in KINDS:
        if excess <= 0:
            break
        gone = [0, 0, 0, 0]
        gone[kind] = min(excess, caravan[kind])
        excess -= gone[kind]
        caravan = minus(caravan, (gone[0], gone[1], gone[2], gone[3]))
    return caravan

"""The ways to play each merchant card with a caravan."""

from functools import cache
from typing import Final

from projections.rules.spice_road.cards import MERCHANT, MerchantCard
from projections.rules.spice_road.cubes import Cubes
from projections.rules.spice_road.moves import Play, PlaySpice, PlayTrade, PlayUpgrade
from projections.rules.spice_road.state.position import CARAVAN_LIMIT

_TRADES: Final = {
    card.id: tuple(PlayTrade(card.id, number) for number in range(1, CARAVAN_LIMIT + 1))
    for card in MERCHANT.values()
    if card.kind == "trade"
}
_SPICES: Final = {card.id: (PlaySpice(card.id),) for card in MERCHANT.values() if card.kind == "spice"}
_TIMES: Final = {card: [trades[:most] for most in range(CARAVAN_LIMIT + 1)] for card, trades in _TRADES.items()}
_UPGRADES: Final = {card.id: card.steps for card in MERCHANT.values() if card.kind == "upgrade"}


def ways_with(caravan: Cubes, least_steps: int) -> dict[str, tuple[Play, ...]]:
    """For every card the ways to play it with a caravan, one for each distinct result."""
    ways: dict[str, tuple[Play, ...]] = dict(_SPICES)
    for card, trades in _TIMES.items():
        ways[card] = trades[affordable(MERCHANT[card], caravan)]
    y, r, g, _ = caravan
    for card, most in _UPGRADES.items():  # more cubes of a kind than steps allow no more
        ways[card] = _upgrades(card, most, (min(y, most), min(r, most), min(g, most)), least_steps)
    return ways


def affordable(card: MerchantCard, caravan: Cubes) -> int:
    """How often in a row the caravan can pay for a trade (R-11)."""
    return min([owned // given for owned, given in zip(caravan, card.give, strict=True) if given])


@cache
def _upgrades(card: str, most: int, raisable: tuple[int, int, int], least: int) -> tuple[PlayUpgrade, ...]:
    """Each distinct result once, by its steps in the order of the track.

    A result tells how often each kind was raised, and raising the lowest kind first is possible whenever
    any order is; so the sorted steps name a result.
    """
    y, r, g = raisable
    return tuple(
        [
            PlayUpgrade(card, "y" * yellow + "r" * red + "g" * green)
            for yellow in range(min(y, most) + 1)
            for red in range(min(r + yellow, most - yellow) + 1)
            for green in range(min(g + red, most - yellow - red) + 1)
            if yellow + red + green >= least
        ]
    )

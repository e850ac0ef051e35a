"""Applies facts: the table of all facts and how each changes the position."""

from collections.abc import Callable
from typing import Any, Final

from projections.rules.errors import BadFact
from projections.rules.spice_road.facts import cards, coins, cubes, frame
from projections.rules.spice_road.state.position import Position

FACTS: Final = (
    cards.HandDealt,
    coins.CoinsLaid,
    cards.PointCardDealt,
    cards.MerchantCardDealt,
    cards.CardPlayed,
    cubes.CubesGained,
    cubes.CubesReturned,
    cubes.CubesUpgraded,
    cubes.CubesPlaced,
    cards.MerchantCardTaken,
    cards.Rested,
    cards.PointCardClaimed,
    coins.GoldTaken,
    coins.SilverTaken,
    frame.FinalRoundBegun,
    frame.TurnPassed,
    frame.RoundBegun,
    frame.GameEnded,
)

CHANGES: Final[dict[type, Callable[[Any, Position], None]]] = {fact: fact.change for fact in FACTS}


def apply(position: Position, fact: tuple[Any, ...]) -> None:
    """Changes the position as the fact says. Raises BadFact for a fact that names a missing piece."""
    try:
        CHANGES[type(fact)](fact, position)
    except (IndexError, KeyError, ValueError) as wrong:
        raise BadFact(fact, "it cannot happen here") from wrong

"""Facts about merchant cards and point cards."""

from typing import Final, NamedTuple

from projections.rules.made_once import made_of, made_once
from projections.rules.spice_road.cubes import Cubes
from projections.rules.spice_road.state.position import Cards


class HandDealt(NamedTuple):
    """A player got the starting cards."""

    seat: int
    cards: Cards


class PointCardDealt(NamedTuple):
    """A point card came off the deck to the right end of its row."""

    card: str


class MerchantCardDealt(NamedTuple):
    """A merchant card came off the deck to the right end of its row, with no cubes on it."""

    card: str


class CardPlayed(NamedTuple):
    """A merchant card went from the hand to the played cards."""

    seat: int
    card: str


CARD_PLAYED: Final = made_once(CardPlayed)


class MerchantCardTaken(NamedTuple):
    """A merchant card went from the row to a hand, the cubes on it to the caravan; the row slid left."""

    seat: int
    card: str
    cubes: Cubes


MERCHANT_CARD_TAKEN: Final = made_of(MerchantCardTaken)


class Rested(NamedTuple):
    """A player took all played cards back into the hand."""

    seat: int


class PointCardClaimed(NamedTuple):
    """A point card went to a player; the row slid left."""

    seat: int
    card: str

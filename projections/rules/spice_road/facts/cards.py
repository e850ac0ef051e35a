"""Facts about merchant cards and point cards."""

from typing import Final, NamedTuple

from projections.rules.made_once import made_once
from projections.rules.spice_road.cubes import NONE, Cubes, plus
from projections.rules.spice_road.state.position import Cards, Position, RowCard

_LAID: Final = made_once(RowCard)


class HandDealt(NamedTuple):
    """A player got the starting cards."""

    seat: int
    cards: Cards

    def change(self, position: Position) -> None:
        position.hands[self.seat] += self.cards


class PointCardDealt(NamedTuple):
    """A point card came off the deck to the right end of its row."""

    card: str

    def change(self, position: Position) -> None:
        position.point_deck = _without(position.point_deck, self.card)
        position.point_row += (self.card,)


class MerchantCardDealt(NamedTuple):
    """A merchant card came off the deck to the right end of its row, with no cubes on it."""

    card: str

    def change(self, position: Position) -> None:
        position.merchant_deck = _without(position.merchant_deck, self.card)
        position.merchant_row += (_LAID(self.card, NONE),)


class CardPlayed(NamedTuple):
    """A merchant card went from the hand to the played cards."""

    seat: int
    card: str

    def change(self, position: Position) -> None:
        seat, card = self
        position.hands[seat] = _without(position.hands[seat], card)
        position.played[seat] += (card,)


CARD_PLAYED: Final = made_once(CardPlayed)


class MerchantCardTaken(NamedTuple):
    """A merchant card went from the row to a hand, the cubes on it to the caravan; the row slid left."""

    seat: int
    card: str
    cubes: Cubes

    def change(self, position: Position) -> None:
        seat, card, cubes = self
        position.merchant_row = tuple([laid for laid in position.merchant_row if laid[0] != card])
        position.hands[seat] += (card,)
        position.caravans[seat] = plus(position.caravans[seat], cubes)


class Rested(NamedTuple):
    """A player took all played cards back into the hand."""

    seat: int

    def change(self, position: Position) -> None:
        (seat,) = self
        position.hands[seat] += position.played[seat]
        position.played[seat] = ()


class PointCardClaimed(NamedTuple):
    """A point card went to a player; the row slid left."""

    seat: int
    card: str

    def change(self, position: Position) -> None:
        position.point_row = _without(position.point_row, self.card)
        position.claimed[self.seat] += (self.card,)


def _without(cards: Cards, card: str) -> Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]

"""The primitive changes of a position, in the past tense; each changes the position and knows no rules."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from projections.rules.errors import BadFact
from projections.rules.spice_road.cubes import INDEX, NONE, RAISED, Cubes, counted, minus, plus
from projections.rules.spice_road.state.position import Cards, Position, RowCard


class HandDealt(NamedTuple):
    """A player got the starting cards."""

    seat: int
    cards: Cards

    def happen(self, position: Position) -> None:
        position.hands[self.seat] += self.cards


class CoinsLaid(NamedTuple):
    """Coins were put above the two leftmost point cards."""

    gold: int
    silver: int

    def happen(self, position: Position) -> None:
        position.gold_supply += self.gold
        position.silver_supply += self.silver


class PointCardDealt(NamedTuple):
    """A point card came off the deck to the right end of its row."""

    card: str

    def happen(self, position: Position) -> None:
        position.point_deck = _without(position.point_deck, self.card)
        position.point_row += (self.card,)


class MerchantCardDealt(NamedTuple):
    """A merchant card came off the deck to the right end of its row, with no cubes on it."""

    card: str

    def happen(self, position: Position) -> None:
        position.merchant_deck = _without(position.merchant_deck, self.card)
        position.merchant_row += (RowCard(self.card, NONE),)


class CardPlayed(NamedTuple):
    """A merchant card went from the hand to the played cards."""

    seat: int
    card: str

    def happen(self, position: Position) -> None:
        seat = self.seat
        position.hands[seat] = _without(position.hands[seat], self.card)
        position.played[seat] += (self.card,)


class CubesGained(NamedTuple):
    """Cubes came out of the supply into a caravan."""

    seat: int
    cubes: Cubes

    def happen(self, position: Position) -> None:
        position.caravans[self.seat] = plus(position.caravans[self.seat], self.cubes)


class CubesReturned(NamedTuple):
    """Cubes went from a caravan back to the supply."""

    seat: int
    cubes: Cubes

    def happen(self, position: Position) -> None:
        position.caravans[self.seat] = minus(position.caravans[self.seat], self.cubes)


class CubesUpgraded(NamedTuple):
    """Cubes were replaced one after the other, each by one a step higher."""

    seat: int
    steps: str

    def happen(self, position: Position) -> None:
        caravan = list(position.caravans[self.seat])
        for spice in self.steps:
            caravan[INDEX[spice]] -= 1
            caravan[INDEX[RAISED[spice]]] += 1
        position.caravans[self.seat] = (caravan[0], caravan[1], caravan[2], caravan[3])


class CubesPlaced(NamedTuple):
    """A buyer put one cube on each of the leftmost merchant cards."""

    seat: int
    cubes: str

    def happen(self, position: Position) -> None:
        position.caravans[self.seat] = minus(position.caravans[self.seat], counted(self.cubes))
        row = position.merchant_row
        paid = tuple(
            RowCard(card, plus(lying, counted(cube)))
            for (card, lying), cube in zip(row, self.cubes, strict=False)  # the row goes on to the right
        )
        position.merchant_row = paid + row[len(paid) :]


class MerchantCardTaken(NamedTuple):
    """A merchant card went from the row to a hand, the cubes on it to the caravan; the row slid left."""

    seat: int
    card: str
    cubes: Cubes

    def happen(self, position: Position) -> None:
        seat = self.seat
        position.merchant_row = tuple(laid for laid in position.merchant_row if laid.card != self.card)
        position.hands[seat] += (self.card,)
        position.caravans[seat] = plus(position.caravans[seat], self.cubes)


class Rested(NamedTuple):
    """A player took all played cards back into the hand."""

    seat: int

    def happen(self, position: Position) -> None:
        position.hands[self.seat] += position.played[self.seat]
        position.played[self.seat] = ()


class PointCardClaimed(NamedTuple):
    """A point card went to a player; the row slid left."""

    seat: int
    card: str

    def happen(self, position: Position) -> None:
        position.point_row = _without(position.point_row, self.card)
        position.claimed[self.seat] += (self.card,)


class GoldTaken(NamedTuple):
    """A player took a gold coin."""

    seat: int

    def happen(self, position: Position) -> None:
        position.gold_supply -= 1
        position.gold[self.seat] += 1


class SilverTaken(NamedTuple):
    """A player took a silver coin."""

    seat: int

    def happen(self, position: Position) -> None:
        position.silver_supply -= 1
        position.silver[self.seat] += 1


class FinalRoundBegun(NamedTuple):
    """The current round became the final one."""

    def happen(self, position: Position) -> None:
        position.final_round = True


class TurnPassed(NamedTuple):
    """The turn passed to a seat of the same round."""

    seat: int

    def happen(self, position: Position) -> None:
        position.turn = self.seat


class RoundBegun(NamedTuple):
    """A new round began with the first seat."""

    round: int

    def happen(self, position: Position) -> None:
        position.round = self.round
        position.turn = 0


class GameEnded(NamedTuple):
    """The final round was played to its end."""

    def happen(self, position: Position) -> None:
        position.over = True


FACTS: Final = (
    HandDealt,
    CoinsLaid,
    PointCardDealt,
    MerchantCardDealt,
    CardPlayed,
    CubesGained,
    CubesReturned,
    CubesUpgraded,
    CubesPlaced,
    MerchantCardTaken,
    Rested,
    PointCardClaimed,
    GoldTaken,
    SilverTaken,
    FinalRoundBegun,
    TurnPassed,
    RoundBegun,
    GameEnded,
)

_CHANGES: Final[dict[type, Callable[[Any, Position], None]]] = {fact: fact.happen for fact in FACTS}


def apply(position: Position, fact: tuple[Any, ...]) -> None:
    """Let the fact change the position; refuses one that names what is not there."""
    try:
        _CHANGES[type(fact)](fact, position)
    except (IndexError, KeyError, ValueError) as wrong:
        raise BadFact(fact, "it cannot have happened here") from wrong


def _without(cards: Cards, card: str) -> Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]

"""Estimates the points of a seat after each of its actions; computes shared parts once.

A search ranks the actions of every seat again and again: most of its time is spent here.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from projections.rules.spice_road.actions.claim import coin_above, payable_with
from projections.rules.spice_road.cards import MERCHANT, POINT, decoded
from projections.rules.spice_road.cubes import INDEX, RAISED, Cubes, counted, minus, plus, times
from projections.rules.spice_road.facts.coins import GoldTaken
from projections.rules.spice_road.moves import Buy, Claim, Drop, Move, PlaySpice, PlayTrade, PlayUpgrade, Rest
from projections.rules.spice_road.state.position import Position
from workers.bots.spice_road import weights as w
from workers.bots.spice_road.caravan import prospects, within_limit
from workers.bots.spice_road.hand import engine

T = TypeVar("T")


class Outlook:
    """A seat before its action."""

    __slots__ = (
        "_ahead",
        "_coins",
        "_contested",
        "_engines",
        "_hand",
        "_late",
        "_played",
        "_rounds",
        "caravan",
        "position",
    )

    def __init__(self, position: Position, seat: int) -> None:
        self.position = position
        self.caravan = position.caravans[seat]
        self._hand = decoded(position.held[seat])
        self._played = decoded(position.spent[seat])
        self._rounds = rounds_left(position)
        self._late = max(0.0, 1.0 - self._rounds / w.ROUNDS_TO_CHOOSE)
        self._coins = tuple([_coin(position, place) for place in range(1, len(position.point_row) + 1)])
        self._contested = _contested(position, seat)
        self._ahead = prospects(position.point_row, self._coins, self._contested, self._late)
        self._engines: dict[str, float] = {}

    def now(self) -> float:
        """Returns the points expected from the position as it stands, besides the points won before."""
        return self.with_caravan(self.caravan)

    def after(self, move: Move) -> float:
        """Returns the points expected after an action, besides the points won before."""
        return AFTER[type(move)](self, move)

    def with_caravan(self, caravan: Cubes) -> float:
        """Returns the points expected with the same cards and another caravan."""
        return self._ahead[caravan] + engine(self._hand, self._played, self._rounds)

    def with_card(self, caravan: Cubes, card: str) -> float:
        """Returns the points expected with another caravan and one card more in the hand."""
        known = self._engines.get(card)
        if known is None:
            known = self._engines[card] = engine((*self._hand, card), self._played, self._rounds)
        return self._ahead[caravan] + known

    def without_card(self, caravan: Cubes, card: str) -> float:
        """Returns the points expected with another caravan and a card of the hand played."""
        known = self._engines.get(card)
        if known is None:
            hand = list(self._hand)
            hand.remove(card)
            known = self._engines[card] = engine(tuple(hand), (*self._played, card), self._rounds)
        return self._ahead[caravan] + known

    def rested(self) -> float:
        """Returns the points expected with all cards back in the hand."""
        return self._ahead[self.caravan] + engine(self._hand + self._played, (), self._rounds)

    def claimed(self, move: Claim) -> float:
        """Returns the points of a claim and the points expected after it."""
        at, row = move.position - 1, self.position.point_row
        card = POINT[row[at]]
        won = card.points + (self._coins[at] if move.coin else 0)
        left = prospects(_without(row, at), _without(self._coins, at), self._contested, self._late)
        return won + left[minus(self.caravan, card.cost)] + engine(self._hand, self._played, self._rounds)


def rounds_left(position: Position) -> float:
    """Returns an estimate of the rounds until a seat has enough point cards."""
    if position.final_round:
        return 0.0
    most = max(map(len, position.claimed))
    by_claims = (position.threshold - most) * w.ROUNDS_FOR_A_CLAIM - 1.5
    return max(1.0, by_claims) if position.round < w.LONG_GAME else 0.0  # a game without progress is about to end


def _contested(position: Position, seat: int) -> frozenset[str]:
    """Returns the point cards of the row that another seat can claim now."""
    others = [payable_with(within_limit(caravan)) for other, caravan in enumerate(position.caravans) if other != seat]
    return frozenset(position.point_row) & frozenset().union(*others)


def _coin(position: Position, place: int) -> int:
    """Returns the points of the coin above a place of the point row."""
    coin, fixed = coin_above(position, place), position.rulings.fixed
    if coin is None:
        return 0
    return fixed.points_of_gold if coin is GoldTaken else fixed.points_of_silver


def _bought(seat: Outlook, move: Buy) -> float:
    card, cubes = seat.position.merchant_row[move.position - 1]
    return seat.with_card(plus(minus(seat.caravan, counted(move.cubes)), cubes), card)


def _spiced(seat: Outlook, move: PlaySpice) -> float:
    return seat.without_card(plus(seat.caravan, MERCHANT[move.card].receive), move.card)


def _traded(seat: Outlook, move: PlayTrade) -> float:
    card = MERCHANT[move.card]
    left = minus(seat.caravan, times(card.give, move.times))
    return seat.without_card(plus(left, times(card.receive, move.times)), move.card)


def _upgraded(seat: Outlook, move: PlayUpgrade) -> float:
    return seat.without_card(_raised(seat.caravan, move.steps), move.card)


def _dropped(seat: Outlook, move: Drop) -> float:
    return seat.with_caravan(minus(seat.caravan, move.cubes))


AFTER: Final[Mapping[type[Move], Callable[[Outlook, Any], float]]] = {
    Claim: Outlook.claimed,
    Buy: _bought,
    Rest: lambda seat, _move: seat.rested(),
    Drop: _dropped,
    PlaySpice: _spiced,
    PlayUpgrade: _upgraded,
    PlayTrade: _traded,
}


def _without(row: tuple[T, ...], at: int) -> tuple[T, ...]:
    return row[:at] + row[at + 1 :]


def _raised(caravan: Cubes, raised: Iterable[str]) -> Cubes:
    cubes = list(caravan)
    for letter in raised:
        cubes[INDEX[letter]] -= 1
        cubes[INDEX[RAISED[letter]]] += 1
    return cubes[0], cubes[1], cubes[2], cubes[3]

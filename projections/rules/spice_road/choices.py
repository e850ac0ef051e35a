"""The legal moves as one collection, listed by action."""

import random
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from events.json_types import Json, JsonObject
from projections.rules.spice_road.actions import claim, limit, rest
from projections.rules.spice_road.actions.acquire import Payments
from projections.rules.spice_road.actions.limit import Drops
from projections.rules.spice_road.moves import KINDS, Move, Play
from projections.rules.spice_road.reach import reach
from projections.rules.spice_road.state.position import Position

LONG: Final = 64  # more moves than a list is made for
BITS: Final = tuple(number.bit_length() for number in range(LONG))
NO_WAYS: Final[list[tuple[Play, ...]]] = []


class Choices:
    """The moves of a seat in groups: a card to play, a position to buy or to claim, a rest, a return of cubes."""

    __slots__ = ("_cards", "_others", "_ways")

    def __init__(self, cards: bytes, ways: list[tuple[Play, ...]], others: tuple[Sequence[Move], ...]) -> None:
        self._cards = cards  # that can be played
        self._ways = ways  # by card
        self._others = others  # none of them empty

    def __iter__(self) -> Iterator[Move]:
        return chain.from_iterable(self._groups())

    def __contains__(self, move: object) -> bool:
        return type(move) in KINDS and any(move in group for group in self._groups())

    def __len__(self) -> int:
        return sum(map(len, self._groups()))

    def sample(self, source: random.Random) -> Move:
        """Any one of them: each group as likely, in it each move; so many payments do not drown a claim."""
        cards = len(self._cards)
        at = any_below(cards + len(self._others), source)
        if at < cards:
            ways = self._ways[self._cards[at]]
            return ways[any_below(len(ways), source)]
        group = self._others[at - cards]
        return group[any_below(len(group), source)]

    def slots(self) -> JsonObject | None:
        """Returns the slots to fill when there are too many moves to list; None when there are few."""
        if len(self) <= LONG:
            return None
        slots: dict[str, Json] = {}
        for group in self._others:
            if isinstance(group, (Payments, Drops)) and len(group) > 1:
                name, slot = group.slot()
                slots[name] = slot
        return slots

    def suggested(self) -> Sequence[Move]:
        """A few sensible complete choices when there are many; otherwise all."""
        if len(self) <= LONG:
            return list(self)
        return list(chain.from_iterable(_few(group) for group in self._groups()))

    def _groups(self) -> list[Sequence[Move]]:
        """Every group; made for those who list the moves."""
        return [*[self._ways[card] for card in self._cards], *self._others]


def any_below(number: int, source: random.Random) -> int:
    """Any place in a sequence of this length: the one that `source.choice` takes, without its detours."""
    bits = BITS[number] if number < LONG else number.bit_length()
    at = source.getrandbits(bits)
    while at >= number:
        at = source.getrandbits(bits)
    return at


def legal(position: Position) -> Choices:
    """Returns the moves of the seat to act."""
    if position.over:
        return Choices(b"", NO_WAYS, ())
    if position.excess:
        return Choices(b"", NO_WAYS, (limit.offers(position),))
    seat = position.turn
    found = reach(position)
    cards = position.held[seat].translate(None, found.unplayable)
    may_rest = bool(position.spent[seat]) or rest.may_rest(position)
    others = found.payments_and_rest if may_rest else found.payments
    if len(position.merchant_row) < len(found.payments):
        row: tuple[Sequence[Move], ...] = found.payments[: len(position.merchant_row)]
        others = (*row, rest.REST) if may_rest else row
    if not found.payable.isdisjoint(position.point_row):
        others = (*others, *claim.offers(position, found.payable))
    return Choices(cards, found.ways, others)


def _few(group: Sequence[Move]) -> Sequence[Move]:
    if isinstance(group, (Payments, Drops)):
        return group.suggested()
    return group

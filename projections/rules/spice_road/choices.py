"""The legal moves as one collection, listed by action."""

import random
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, TypeAlias, TypeVar

from events.json_types import Json, JsonObject
from projections.rules.spice_road.actions import acquire, claim, limit, play_card, rest
from projections.rules.spice_road.actions.acquire import Payments
from projections.rules.spice_road.actions.limit import Drops
from projections.rules.spice_road.cubes import Cubes
from projections.rules.spice_road.moves import KINDS, Move, Play
from projections.rules.spice_road.state.position import Position

C = TypeVar("C")
Ways: TypeAlias = dict[str, tuple[Play, ...]]
LONG: Final = 64  # more moves than a list is made for


class Reach:
    """What a caravan allows, whatever lies on the table."""

    __slots__ = ("payable", "payments", "ways")

    def __init__(self, ways: Ways, payments: tuple[Payments, ...], payable: frozenset[str]) -> None:
        self.ways = ways  # to play each card
        self.payments = payments  # for each position of the row
        self.payable = payable  # the point cards


REACHES: Final[tuple[dict[Cubes, Reach], ...]] = ({}, {})  # by least steps; of the 1001 caravans an action begins with


class Choices:
    """The moves of a seat in groups: a card to play, a position to buy or to claim, a rest, a return of cubes."""

    __slots__ = ("_groups",)

    def __init__(self, groups: Sequence[Sequence[Move]]) -> None:
        self._groups = groups  # none of them empty

    def __iter__(self) -> Iterator[Move]:
        return chain.from_iterable(self._groups)

    def __contains__(self, move: object) -> bool:
        return type(move) in KINDS and any(move in group for group in self._groups)

    def __len__(self) -> int:
        return sum(map(len, self._groups))

    def sample(self, source: random.Random) -> Move:
        """Any one of them: each group as likely, in it each move; so many payments do not drown a claim."""
        return any_of(any_of(self._groups, source), source)

    def slots(self) -> JsonObject | None:
        """Returns the slots to fill when there are too many moves to list; None when there are few."""
        if len(self) <= LONG:
            return None
        slots: dict[str, Json] = {}
        for group in self._groups:
            if isinstance(group, (Payments, Drops)) and len(group) > 1:
                name, slot = group.slot()
                slots[name] = slot
        return slots

    def suggested(self) -> Sequence[Move]:
        """A few sensible complete choices when there are many; otherwise all."""
        if len(self) <= LONG:
            return list(self)
        return list(chain.from_iterable(_few(group) for group in self._groups))


def any_of(choices: Sequence[C], source: random.Random) -> C:
    """Any one of some choices: the one that `source.choice` takes, without its detours."""
    number = len(choices)
    bits = number.bit_length()
    at = source.getrandbits(bits)
    while at >= number:
        at = source.getrandbits(bits)
    return choices[at]


def legal(position: Position) -> Choices:
    """Returns the moves of the seat to act."""
    if position.over:
        return Choices(())
    if position.excess:
        return Choices(limit.offers(position))
    seat = position.turn
    caravan = position.caravans[seat]
    least_steps = position.rulings.min_upgrade_steps
    reach = REACHES[least_steps].get(caravan) or in_reach(caravan, least_steps)
    ways = reach.ways
    groups: list[Sequence[Move]] = [plays for card in position.hands[seat] if (plays := ways[card])]
    groups += reach.payments[: len(position.merchant_row)]
    if position.played[seat] or rest.may_rest(position):
        groups.append(rest.REST)
    if not reach.payable.isdisjoint(position.point_row):
        groups += claim.offers(position)
    return Choices(groups)


def in_reach(caravan: Cubes, least_steps: int) -> Reach:
    """Finds what a caravan allows, for the first time."""
    found = Reach(play_card.ways_with(caravan, least_steps), acquire.payments(caravan), claim.payable_with(caravan))
    REACHES[least_steps][caravan] = found
    return found


def _few(group: Sequence[Move]) -> Sequence[Move]:
    if isinstance(group, (Payments, Drops)):
        return group.suggested()
    return group

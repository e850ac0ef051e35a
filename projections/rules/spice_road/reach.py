"""What a caravan allows, whatever lies on the table: found once for each of the caravans an action begins with."""

from collections.abc import Sequence
from typing import Final

from projections.rules.spice_road.actions import acquire, claim, rest
from projections.rules.spice_road.actions.acquire import Payments
from projections.rules.spice_road.cards import ORDER, coded
from projections.rules.spice_road.cubes import Cubes
from projections.rules.spice_road.moves import Move, Play
from projections.rules.spice_road.state.position import Position
from projections.rules.spice_road.ways import ways_with


class Reach:
    """What a caravan allows."""

    __slots__ = ("payable", "payments", "payments_and_rest", "unplayable", "ways")

    def __init__(
        self, ways: dict[str, tuple[Play, ...]], payments: tuple[Payments, ...], payable: frozenset[str]
    ) -> None:
        self.ways = [ways[card] for card in ORDER]  # to play each card, by its number
        self.unplayable = coded(card for card in ORDER if not ways[card])
        self.payments: tuple[Sequence[Move], ...] = payments  # for each position of a full row
        self.payments_and_rest: tuple[Sequence[Move], ...] = (*payments, rest.REST)
        self.payable = payable  # the point cards


REACHES: Final[tuple[dict[Cubes, Reach], ...]] = ({}, {})  # by least steps; there are 1001 such caravans


def reach(position: Position) -> Reach:
    """Returns what the seat to act can do with its caravan."""
    caravan, least_steps = position.caravans[position.turn], position.rulings.min_upgrade_steps
    known = REACHES[least_steps].get(caravan)
    return _find(caravan, least_steps) if known is None else known


def _find(caravan: Cubes, least_steps: int) -> Reach:
    found = Reach(ways_with(caravan, least_steps), acquire.payments(caravan), claim.payable_with(caravan))
    REACHES[least_steps][caravan] = found
    return found

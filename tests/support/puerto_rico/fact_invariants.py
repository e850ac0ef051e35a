"""The invariants of rules 12 that speak of moments (7 to 12): asked of the position right before and after a fact."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from projections.rules.puerto_rico.buildings.printed import CIRCLES, NAMES, members
from projections.rules.puerto_rico.facts.buildings import BuildingBought
from projections.rules.puerto_rico.facts.frame import PhaseBegun, RoundEnded
from projections.rules.puerto_rico.facts.people import PeoplePlaced, ShipRefilled
from projections.rules.puerto_rico.facts.trade import GoodSold
from projections.rules.puerto_rico.kinds import CAPTAIN, FOREST, NONE
from projections.rules.puerto_rico.state.position import Position

Law = Callable[[Position, Position, Any], None]

CARDS_EACH: Final = {2: 3, 3: 1, 4: 1, 5: 1}


def a_second_good_of_a_kind_needs_an_office(before: Position, _after: Position, fact: GoodSold) -> None:
    """Invariant 8."""
    assert len(before.house) < 4
    assert fact.good not in before.house or "office" in occupied(before, fact.seat)


def nobody_waits_while_a_circle_is_empty(_before: Position, after: Position, fact: PeoplePlaced) -> None:
    """Invariant 9."""
    seat = fact.seat
    circles = sum(CIRCLES[building] for building in members(after.owned[seat]))
    circles += sum(after.tiles[seat]) - after.tiles[seat][FOREST]
    assert after.san_juan[seat] == max(0, after.people_of(seat) - circles)


def a_refilled_ship_holds_enough(_before: Position, after: Position, _fact: ShipRefilled) -> None:
    """Invariant 9."""
    assert after.colonist_ship + after.noble_ship >= after.seats or after.colonist_supply == 0


def a_purchase_is_paid(before: Position, after: Position, fact: BuildingBought) -> None:
    """Invariant 11."""
    assert after.doubloons[fact.seat] == before.doubloons[fact.seat] - fact.paid >= 0


def a_round_leaves_a_doubloon_on_each_card(before: Position, after: Position, _fact: RoundEnded) -> None:
    """Invariant 12."""
    assert all(before.card_taken_by.count(seat) == CARDS_EACH[before.seats] for seat in range(before.seats))
    for role, taker in enumerate(before.card_taken_by):
        left_over = taker == NONE and before.cards_out >> role & 1
        assert after.card_doubloons[role] == before.card_doubloons[role] + (1 if left_over else 0)
        assert after.card_taken_by[role] == NONE


def what_is_kept_can_be_stored(before: Position, _after: Position, _fact: object) -> None:
    """Invariants 7 and 10, asked when something else follows a captain phase."""
    if before.phase != CAPTAIN:
        return
    assert all(load < capacity for load, capacity in zip(before.ship_load, before.holds, strict=True))
    for seat in range(before.seats):
        stores = occupied(before, seat)
        kinds = ("small_warehouse" in stores) + 2 * ("large_warehouse" in stores)
        heaps = sorted(before.goods[seat], reverse=True)
        assert sum(heaps[kinds:]) <= 1 + 3 * ("storehouse" in stores)


def occupied(position: Position, seat: int) -> set[str]:
    """Returns the occupied buildings."""
    return {NAMES[building] for building in members(position.owned[seat]) if position.city_people[seat][building]}


LAWS: Final[Mapping[type, tuple[Law, ...]]] = {  # fact -> its invariant
    GoodSold: (a_second_good_of_a_kind_needs_an_office,),
    PeoplePlaced: (nobody_waits_while_a_circle_is_empty,),
    ShipRefilled: (a_refilled_ship_holds_enough,),
    BuildingBought: (a_purchase_is_paid,),
    RoundEnded: (a_round_leaves_a_doubloon_on_each_card, what_is_kept_can_be_stored),
    PhaseBegun: (what_is_kept_can_be_stored,),
}

"""The invariants of the rules (section 12), asked of a position as it stands."""

from collections.abc import Callable, Sequence
from functools import cache
from operator import le
from typing import Final

from projections.rules.puerto_rico.buildings.printed import CIRCLES, COUNT, SPACES, members
from projections.rules.puerto_rico.kinds import CAPTAIN, FOREST, NONE, OVER, QUARRY, TRADER
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import (
    COLONISTS,
    COPIES,
    GOODS_TOKENS,
    PLANTATIONS,
    QUARRIES,
    ROLE_CARDS,
    ROLES_EACH,
)


def check_1_goods_are_conserved(position: Position) -> None:
    shipped = [0] * 5
    for good, load in zip(position.ship_good, position.ship_load, strict=True):
        if good != NONE:
            shipped[good] += load
    sold = [position.house.count(good) for good in range(5)]
    assert together(position.goods_supply, *position.goods, shipped, sold) == [*GOODS_TOKENS[position.seats]]
    assert min(position.goods_supply) >= 0
    assert min(map(min, position.goods)) >= 0


def check_2_tiles_are_conserved(position: Position) -> None:
    table = (position.pile, position.row, position.discards, [int(position.hand == tile) for tile in range(5)])
    islands = (tiles[:5] for tiles in position.tiles)
    faces = (*position.faces, *position.hidden_faces)
    assert together(*table, *islands, *faces) == [*PLANTATIONS[position.seats]]
    assert position.quarries + sum(tiles[QUARRY] for tiles in position.tiles) == QUARRIES[position.seats]
    assert position.quarries >= 0
    assert min(*position.pile, *position.row, *position.discards) >= 0
    forests = sum(tiles[FOREST] for tiles in position.tiles)
    if position.rulings.forest_stack:
        assert position.forests + forests == (12 if position.rulings.new_buildings else 0)
    else:
        assert sum(map(sum, faces)) == forests


def check_3_people_are_conserved(position: Position) -> None:
    seats = range(position.seats)
    people = sum(position.people_of(seat) for seat in seats)
    nobles = sum(position.nobles_of(seat) for seat in seats)
    expected = (100, 20) if position.rulings.nobles else (COLONISTS[position.seats], 0)
    colonists = position.colonist_supply + position.colonist_ship + people - nobles
    assert (colonists, position.noble_supply + position.noble_ship + nobles) == expected
    assert min(position.colonist_supply, position.colonist_ship, position.noble_supply, position.noble_ship) >= 0


def check_4_vp_chips_are_conserved(position: Position) -> None:
    assert position.vp_supply + sum(position.chips) == position.rulings.vp_pool
    assert min(position.vp_supply, *position.chips, *position.noted) >= 0


def check_5_buildings_are_conserved(position: Position) -> None:
    left = copies_left(position.seats, position.in_play, tuple(position.owned))
    assert position.display == [*left]
    assert position.on_display == mask_of(left)
    for seat in range(position.seats):
        assert spaces(position.owned[seat]) == position.spaces[seat] <= 12
        assert position.island(seat) <= 12


def check_6_circles_hold_one_person_each(position: Position) -> None:
    for seat in range(position.seats):
        assert position.tile_people[seat][FOREST] == 0
        assert fit(position.tile_nobles[seat], position.tile_people[seat], position.tiles[seat])
        assert fit(position.city_nobles[seat], position.city_people[seat], circles(position.owned[seat]))
        assert 0 <= position.san_juan_nobles[seat] <= position.san_juan[seat]
        standing = position.tile_people[seat], position.city_people[seat], [position.san_juan[seat]]
        assert position.people_of(seat) == sum(map(sum, standing))
        standing = position.tile_nobles[seat], position.city_nobles[seat], [position.san_juan_nobles[seat]]
        assert position.nobles_of(seat) == sum(map(sum, standing))


def check_7_ships_carry_one_kind_each(position: Position) -> None:
    carried = [good for good in position.ship_good if good != NONE]
    assert len(set(carried)) == len(carried)
    for good, load, capacity in zip(position.ship_good, position.ship_load, position.holds, strict=True):
        assert load <= capacity
        assert (good == NONE) == (load == 0)
        assert load < capacity or position.phase == CAPTAIN


def check_8_the_trading_house_holds_four(position: Position) -> None:
    assert len(position.house) <= (4 if position.phase == TRADER else 3)


def check_11_nobody_is_in_debt(position: Position) -> None:
    assert min(position.doubloons) >= 0


def check_12_everybody_takes_cards_in_turn(position: Position) -> None:
    taken = [position.card_taken_by.count(seat) for seat in range(position.seats)]
    assert max(taken) - min(taken) <= 1
    assert max(taken) <= ROLES_EACH[position.seats]
    out = [role for role in ROLE_CARDS[position.seats] if position.cards_out >> role & 1]
    assert len(out) + sum(taken) == len(ROLE_CARDS[position.seats])
    if position.phase == OVER:
        assert position.ends


CHECKS: Final[tuple[Callable[[Position], None], ...]] = (
    check_1_goods_are_conserved,
    check_2_tiles_are_conserved,
    check_3_people_are_conserved,
    check_4_vp_chips_are_conserved,
    check_5_buildings_are_conserved,
    check_6_circles_hold_one_person_each,
    check_7_ships_carry_one_kind_each,
    check_8_the_trading_house_holds_four,
    check_11_nobody_is_in_debt,
    check_12_everybody_takes_cards_in_turn,
)


def check(position: Position) -> None:
    """Every invariant."""
    for invariant in CHECKS:
        invariant(position)


def together(*places: Sequence[int]) -> list[int]:
    """How many there are of each kind in all places."""
    return [*map(sum, zip(*places, strict=True))]


def fit(nobles: Sequence[int], people: Sequence[int], circles: Sequence[int]) -> bool:
    """Whether nobles are among the people, and people on circles, everywhere."""
    assert len(nobles) == len(people) == len(circles)
    return min(nobles) >= 0 and all(map(le, nobles, people)) and all(map(le, people, circles))


@cache
def copies_left(seats: int, in_play: int, owned: tuple[int, ...]) -> tuple[int, ...]:
    """How many there are of each building besides those on the boards."""
    left = [COPIES[seats][building] if in_play >> building & 1 else 0 for building in range(COUNT)]
    for board in owned:
        for building in members(board):
            left[building] -= 1
    return tuple(left)


@cache
def mask_of(numbers: tuple[int, ...]) -> int:
    """The kinds of which there is one, as bits."""
    return sum(1 << kind for kind, number in enumerate(numbers) if number > 0)


@cache
def spaces(owned: int) -> int:
    """How many spaces of a city its buildings fill."""
    return sum(SPACES[building] for building in members(owned))


@cache
def circles(owned: int) -> tuple[int, ...]:
    """How many circles each building has on a board."""
    return tuple(CIRCLES[building] if owned >> building & 1 else 0 for building in range(COUNT))

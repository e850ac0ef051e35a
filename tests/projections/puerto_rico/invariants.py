"""The invariants of the rules (section 12), asked of a position as it stands."""

from collections.abc import Callable
from typing import Final

from projections.puerto_rico.buildings.kinds import CIRCLES, COUNT, SPACES, members
from projections.puerto_rico.kinds import CAPTAIN, CIRCLED_TILES, FOREST, NONE, OVER, QUARRY, TRADER
from projections.puerto_rico.position import Position
from projections.puerto_rico.tables import (
    COLONISTS,
    COPIES,
    GOODS_TOKENS,
    PLANTATIONS,
    QUARRIES,
    ROLE_CARDS,
    ROLES_EACH,
)


def check_1_goods_are_conserved(position: Position) -> None:
    for good, tokens in enumerate(GOODS_TOKENS[position.seats]):
        shipped = sum(load for kind, load in zip(position.ship_good, position.ship_load, strict=True) if kind == good)
        owned = sum(goods[good] for goods in position.goods)
        assert position.goods_supply[good] + owned + shipped + position.house.count(good) == tokens
    assert min(position.goods_supply) >= 0
    assert min(min(goods) for goods in position.goods) >= 0


def check_2_tiles_are_conserved(position: Position) -> None:
    for tile, number in enumerate(PLANTATIONS[position.seats]):
        table = position.pile[tile] + position.row[tile] + position.discards[tile] + int(position.hand == tile)
        islands = sum(tiles[tile] for tiles in position.tiles)
        faces = sum(faces[tile] for faces in (*position.faces, *position.hidden_faces))
        assert table + islands + faces == number
    assert position.quarries + sum(tiles[QUARRY] for tiles in position.tiles) == QUARRIES[position.seats]
    assert position.quarries >= 0
    assert min(*position.pile, *position.row, *position.discards) >= 0
    forests = sum(tiles[FOREST] for tiles in position.tiles)
    if position.rulings.forest_stack:
        assert position.forests + forests == (12 if position.rulings.new_buildings else 0)
    else:
        assert sum(sum(faces) for faces in (*position.faces, *position.hidden_faces)) == forests


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
    for building in range(COUNT):
        owners = sum(owned >> building & 1 for owned in position.owned)
        copies = COPIES[position.seats][building] if position.in_play >> building & 1 else 0
        assert position.display[building] + owners == copies
        assert (position.on_display >> building & 1) == (position.display[building] > 0)
    for seat in range(position.seats):
        spaces = sum(SPACES[building] for building in members(position.owned[seat]))
        assert spaces == position.spaces[seat] <= 12
        assert position.island(seat) <= 12


def check_6_circles_hold_one_person_each(position: Position) -> None:
    for seat in range(position.seats):
        for tile in range(CIRCLED_TILES):
            assert 0 <= position.tile_nobles[seat][tile] <= position.tile_people[seat][tile]
            assert position.tile_people[seat][tile] <= position.tiles[seat][tile]
        assert position.tile_people[seat][FOREST] == 0
        for building in range(COUNT):
            people = position.city_people[seat][building]
            assert 0 <= position.city_nobles[seat][building] <= people
            assert people <= (CIRCLES[building] if position.owned[seat] >> building & 1 else 0)
        assert 0 <= position.san_juan_nobles[seat] <= position.san_juan[seat]


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

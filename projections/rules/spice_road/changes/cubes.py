"""Changes of the position when cubes move."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.made_once import made_of
from projections.rules.spice_road.cubes import INDEX, ONE, RAISED, counted, minus, plus
from projections.rules.spice_road.facts import cubes as f
from projections.rules.spice_road.state.position import Position, RowCard

_LAID: Final = made_of(RowCard)


def cubes_gained(position: Position, fact: f.CubesGained) -> None:
    seat, cubes = fact
    position.caravans[seat] = plus(position.caravans[seat], cubes)


def cubes_returned(position: Position, fact: f.CubesReturned) -> None:
    seat, cubes = fact
    position.caravans[seat] = minus(position.caravans[seat], cubes)


def cubes_upgraded(position: Position, fact: f.CubesUpgraded) -> None:
    seat, steps = fact
    caravan = list(position.caravans[seat])
    for spice in steps:
        caravan[INDEX[spice]] -= 1
        caravan[INDEX[RAISED[spice]]] += 1
    position.caravans[seat] = (caravan[0], caravan[1], caravan[2], caravan[3])


def cubes_placed(position: Position, fact: f.CubesPlaced) -> None:
    seat, cubes = fact
    position.caravans[seat] = minus(position.caravans[seat], counted(cubes))
    row = list(position.merchant_row)
    for place, cube in enumerate(cubes[: len(row)]):
        card, lying = row[place]
        row[place] = _LAID((card, plus(lying, ONE[cube])))
    position.merchant_row = tuple(row)


CHANGES: Final[Changes[Position]] = {
    f.CubesGained: cubes_gained,
    f.CubesReturned: cubes_returned,
    f.CubesUpgraded: cubes_upgraded,
    f.CubesPlaced: cubes_placed,
}

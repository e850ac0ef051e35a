"""Facts about cubes."""

from typing import Final, NamedTuple

from projections.rules.made_once import made_once
from projections.rules.spice_road.cubes import INDEX, RAISED, Cubes, counted, minus, plus
from projections.rules.spice_road.state.position import Position, RowCard


class CubesGained(NamedTuple):
    """Cubes came out of the supply into a caravan."""

    seat: int
    cubes: Cubes

    def change(self, position: Position) -> None:
        seat, cubes = self
        position.caravans[seat] = plus(position.caravans[seat], cubes)


class CubesReturned(NamedTuple):
    """Cubes went from a caravan back to the supply."""

    seat: int
    cubes: Cubes

    def change(self, position: Position) -> None:
        seat, cubes = self
        position.caravans[seat] = minus(position.caravans[seat], cubes)


CUBES_GAINED: Final = made_once(CubesGained)
CUBES_RETURNED: Final = made_once(CubesReturned)


class CubesUpgraded(NamedTuple):
    """Cubes were replaced one after the other, each by one a step higher."""

    seat: int
    steps: str

    def change(self, position: Position) -> None:
        caravan = list(position.caravans[self.seat])
        for spice in self.steps:
            caravan[INDEX[spice]] -= 1
            caravan[INDEX[RAISED[spice]]] += 1
        position.caravans[self.seat] = (caravan[0], caravan[1], caravan[2], caravan[3])


class CubesPlaced(NamedTuple):
    """A buyer put one cube on each of the leftmost merchant cards."""

    seat: int
    cubes: str

    def change(self, position: Position) -> None:
        seat, cubes = self
        position.caravans[seat] = minus(position.caravans[seat], counted(cubes))
        row = list(position.merchant_row)
        for place, cube in enumerate(cubes[: len(row)]):
            card, lying = row[place]
            row[place] = RowCard(card, plus(lying, counted(cube)))
        position.merchant_row = tuple(row)

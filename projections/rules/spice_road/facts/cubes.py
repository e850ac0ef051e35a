"""Facts about cubes."""

from typing import NamedTuple

from projections.rules.spice_road.cubes import INDEX, RAISED, Cubes, counted, minus, plus
from projections.rules.spice_road.state.position import Position, RowCard


class CubesGained(NamedTuple):
    """Cubes came out of the supply into a caravan."""

    seat: int
    cubes: Cubes

    def change(self, position: Position) -> None:
        position.caravans[self.seat] = plus(position.caravans[self.seat], self.cubes)


class CubesReturned(NamedTuple):
    """Cubes went from a caravan back to the supply."""

    seat: int
    cubes: Cubes

    def change(self, position: Position) -> None:
        position.caravans[self.seat] = minus(position.caravans[self.seat], self.cubes)


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
        position.caravans[self.seat] = minus(position.caravans[self.seat], counted(self.cubes))
        row = position.merchant_row
        paid = tuple(
            RowCard(card, plus(lying, counted(cube)))
            for (card, lying), cube in zip(row, self.cubes, strict=False)  # the row goes on to the right
        )
        position.merchant_row = paid + row[len(paid) :]

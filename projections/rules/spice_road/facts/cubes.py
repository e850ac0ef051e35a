"""Facts about cubes."""

from typing import Final, NamedTuple

from projections.rules.made_once import made_of, made_once
from projections.rules.spice_road.cubes import Cubes


class CubesGained(NamedTuple):
    """Cubes came out of the supply into a caravan."""

    seat: int
    cubes: Cubes


class CubesReturned(NamedTuple):
    """Cubes went from a caravan back to the supply."""

    seat: int
    cubes: Cubes


CUBES_RETURNED: Final = made_once(CubesReturned)


class CubesUpgraded(NamedTuple):
    """Cubes were replaced one after the other, each by one a step higher."""

    seat: int
    steps: str


class CubesPlaced(NamedTuple):
    """A buyer put one cube on each of the leftmost merchant cards."""

    seat: int
    cubes: str


CUBES_UPGRADED: Final = made_once(CubesUpgraded)
CUBES_PLACED: Final = made_of(CubesPlaced)

"""The names of places where people stand, in the order of the notation."""

from typing import Final

from projections.rules.puerto_rico.buildings.printed import COUNT, NAMES, SAN_JUAN
from projections.rules.puerto_rico.kinds import BUILDINGS_FROM, TILES

_NAMES: Final = (*TILES, *NAMES, "san_juan")
_NUMBERS: Final = {name: number for number, name in enumerate(_NAMES)}
# Tiles in the goods' order, then buildings by name, San Juan last.
_RANKS: Final = {
    place: rank
    for rank, place in enumerate(
        [
            *range(BUILDINGS_FROM),
            *sorted(range(BUILDINGS_FROM, BUILDINGS_FROM + COUNT), key=_NAMES.__getitem__),
            SAN_JUAN,
        ]
    )
}


def place_name(place: int) -> str:
    """The name of a place."""
    return _NAMES[place]


def place_number(name: str) -> int | None:
    """The place of this name; None when there is none."""
    return _NUMBERS.get(name)


def rank(place: int) -> int:
    """Where the notation names the place among others."""
    return _RANKS[place]

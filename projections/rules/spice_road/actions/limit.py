"""The caravan limit: a seat with more than ten cubes at the end of its turn returns some (rules 6)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, overload

from events.json_types import Json
from projections.rules.dealer import Dealer
from projections.rules.made_once import made_once
from projections.rules.spice_road.actions.turn import Book, refused
from projections.rules.spice_road.cubes import Cubes, holds, named
from projections.rules.spice_road.facts.cubes import CUBES_RETURNED
from projections.rules.spice_road.moves import Drop
from projections.rules.spice_road.state.position import CARAVAN_LIMIT, Position

_DROP: Final = made_once(Drop)


class Drops(Sequence[Drop]):
    """All ways to keep exactly ten cubes, those that return the cheapest first; at most 286."""

    __slots__ = ("_returned", "caravan")

    def __init__(self, caravan: Cubes) -> None:
        self.caravan = caravan
        y, r, g, b = caravan
        most = y + r + g + b - CARAVAN_LIMIT
        # No more of a kind can go back than are too many: so few cases are found again and again.
        self._returned = _returned(most, min(y, most), min(r, most), min(g, most), min(b, most))

    def __len__(self) -> int:
        return len(self._returned)

    @overload
    def __getitem__(self, index: int) -> Drop: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Drop, ...]: ...
    def __getitem__(self, index: int | slice) -> Drop | tuple[Drop, ...]:
        if isinstance(index, slice):
            return tuple(map(_DROP, self._returned[index]))
        return _DROP(self._returned[index])

    def __iter__(self) -> Iterator[Drop]:
        return map(_DROP, self._returned)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Drop) and move.cubes in self._returned

    def suggested(self) -> Sequence[Drop]:
        """Return the cheapest cubes, or the dearest."""
        return self[0], self[-1]

    def slot(self) -> tuple[str, Json]:
        """How many cubes go back, out of which."""
        return "drop", {"cubes": sum(self.caravan) - CARAVAN_LIMIT, "of": named(self.caravan)}


@lru_cache(maxsize=1 << 12)
def _returned(most: int, y: int, r: int, g: int, b: int) -> tuple[Cubes, ...]:
    """Every choice of so many of these cubes; the loops go no further than the other kinds allow."""
    return tuple(
        [
            (yellow, red, green, most - yellow - red - green)
            for yellow in range(min(y, most), max(0, most - r - g - b) - 1, -1)
            for red in range(min(r, most - yellow), max(0, most - yellow - g - b) - 1, -1)
            for green in range(min(g, most - yellow - red), max(0, most - yellow - red - b) - 1, -1)
        ]
    )


def offers(position: Position) -> Drops:
    """The ways to come down to ten cubes."""
    return Drops(position.caravans[position.turn])


def check(position: Position, move: Drop) -> Drop:
    """The move as listed; refused unless it leaves exactly ten cubes."""
    (cubes,) = move
    y, r, g, b = cubes
    if y < 0 or r < 0 or g < 0 or b < 0 or y + r + g + b != position.excess:
        raise refused(move, "wrong_number_returned", "R-22", excess=position.excess)
    if not holds(position.caravans[position.turn], cubes):
        raise refused(move, "cubes_missing", "6")
    return move


def drop(position: Position, move: Drop, _: Dealer, recorder: Book) -> None:
    """Return the cubes to the supply."""
    (cubes,) = move
    recorder.record(position, CUBES_RETURNED(position.turn, cubes))


CHECKS: Final = {Drop: check}
DEEDS: Final = {Drop: drop}

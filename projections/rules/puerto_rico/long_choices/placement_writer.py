"""Writes a placement of people place by place, since there can be millions of them (D-MAY-PLACE)."""

from collections.abc import Sequence

from projections.rules.puerto_rico.kinds import Place
from projections.rules.puerto_rico.long_choices.placements import Placements
from projections.rules.puerto_rico.moves import PlacePeople
from projections.rules.puerto_rico.state.places import place_name, rank


class PlacementWriter:
    """Writes a placement of the mayor phase, of which there can be millions: place by place, colonists, then nobles."""

    def __init__(self, legal: Placements) -> None:
        self._legal = legal
        self._room = sorted(legal.circles, key=lambda circles: rank(circles[0]))
        self._left, self._colonists, self._nobles = legal.filled, legal.colonists, legal.nobles
        self._placed: list[tuple[Place, int, int]] = []
        self._at = 0  # in the row of places
        self._chosen: int | None = None  # the number of colonists at the place, once written
        self._named = False

    @property
    def move(self) -> PlacePeople | None:
        """The placement; None while people are left to place."""
        return None if self._left or self._named else PlacePeople(tuple(sorted(self._placed)))

    @property
    def text(self) -> str:
        """The written beginning of the placement, in notation."""
        done = "".join(f" {place_name(place)}={_people(*people)}" for place, *people in self._placed)
        if not self._named:
            return f"place{done}"
        amount = "" if self._chosen is None else self._chosen
        return f"place{done} {place_name(self._room[self._at][0])}={amount}"

    def choices(self) -> Sequence[str]:
        """Returns the places from here on that leave room enough, or the numbers of people for the place."""
        if not self._named:
            return [f" {place_name(place)}" for at, (place, _) in self._open() if self._later(at) >= self._left]
        if self._chosen is None:
            return list(dict.fromkeys(str(colonists) for colonists, _ in self._splits()))
        return [f"{nobles}n" for colonists, nobles in self._splits() if colonists == self._chosen]

    def write(self, atom: str) -> None:
        """Writes the place, then its people."""
        if not self._named:
            self._at = next(at for at, (place, _) in self._open() if f" {place_name(place)}" == atom)
            self._named = True
        elif self._chosen is None:
            self._chosen = int(atom)
            if not self._nobles:
                self._put(0)
        else:
            self._put(int(atom.removesuffix("n")))

    def _open(self) -> list[tuple[int, tuple[Place, int]]]:
        return list(enumerate(self._room))[self._at :]

    def _later(self, at: int) -> int:
        return sum(number for _, number in self._room[at:])

    def _splits(self) -> list[tuple[int, int]]:
        """Returns the splits into colonists and nobles for the place that leave a circle for all others."""
        most, least = min(self._room[self._at][1], self._left), self._left - self._later(self._at + 1)
        return [
            (colonists, nobles)
            for colonists in range(min(most, self._colonists) + 1)
            for nobles in range(min(most - colonists, self._nobles) + 1)
            if colonists + nobles >= max(1, least)
        ]

    def _put(self, nobles: int) -> None:
        colonists = self._chosen or 0
        self._placed.append((self._room[self._at][0], colonists, nobles))
        self._colonists, self._nobles = self._colonists - colonists, self._nobles - nobles
        self._left -= colonists + nobles
        self._at, self._chosen, self._named = self._at + 1, None, False

    def copy(self) -> "PlacementWriter":
        """Returns a writer with the same text."""
        twin = PlacementWriter(self._legal)
        twin._left, twin._colonists, twin._nobles = self._left, self._colonists, self._nobles
        twin._placed, twin._at, twin._chosen, twin._named = self._placed[:], self._at, self._chosen, self._named
        return twin


def _people(colonists: int, nobles: int) -> str:
    return f"{colonists}+{nobles}n" if nobles else str(colonists)

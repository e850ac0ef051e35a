"""Where people may stand: every assignment that the filling rule allows, listed only when asked (D-MAY-PLACE)."""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

from events.json_types import JsonObject
from projections.rules.puerto_rico.buildings.printed import SAN_JUAN
from projections.rules.puerto_rico.kinds import Place
from projections.rules.puerto_rico.moves import People, PlacePeople
from projections.rules.puerto_rico.state.places import place_name


class Placements:
    """All ways to put people on circles so that San Juan keeps only the surplus (R-27)."""

    def __init__(self, circles: tuple[tuple[Place, int], ...], colonists: int, nobles: int) -> None:
        self.circles = circles  # (place, number of circles), places ascending
        self.colonists = colonists
        self.nobles = nobles
        room = 0
        for _, number in circles:
            room += number
        people = colonists + nobles
        self.filled = people if people < room else room
        self._room = room

    @property
    def single(self) -> bool:
        """Whether only one assignment is possible."""
        if not self.filled:
            return True
        people = self.colonists + self.nobles
        if self.colonists and self.nobles:
            return len(self.circles) == 1 and people <= self._room
        return len(self.circles) == 1 or people >= self._room

    def __iter__(self) -> Iterator[PlacePeople]:
        for people in self._fill(0, self.filled, self.colonists, self.nobles):
            yield PlacePeople(people)

    def _fill(self, at: int, left: int, colonists: int, nobles: int) -> Iterator[People]:
        if at == len(self.circles):
            if not left:
                yield ()
            return
        place, number = self.circles[at]
        later = sum(circles for _, circles in self.circles[at + 1 :])
        for here in range(max(0, left - later), min(number, left) + 1):
            for noble in range(max(0, here - colonists), min(here, nobles) + 1):
                head: People = ((place, here - noble, noble),) if here else ()
                for tail in self._fill(at + 1, left - here, colonists - here + noble, nobles - noble):
                    yield head + tail

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, PlacePeople):
            return False
        room = dict(self.circles)
        colonists, nobles, last = self.colonists, self.nobles, -1
        for place, colonist, noble in move.people:
            if place <= last or colonist < 0 or noble < 0 or not 0 < colonist + noble <= room.get(place, 0):
                return False
            colonists, nobles, last = colonists - colonist, nobles - noble, place
        placed = self.colonists + self.nobles - colonists - nobles
        return colonists >= 0 and nobles >= 0 and placed == self.filled

    def __len__(self) -> int:
        return count(tuple(number for _, number in self.circles), self.filled, self.colonists, self.nobles)

    def sample(self, source: random.Random) -> PlacePeople:
        """Any one assignment."""
        spots = [place for place, number in self.circles for _ in range(number)]
        taken = _some(spots, self.filled, source)
        if not self.nobles:
            here = [0] * SAN_JUAN
            for place in taken:
                here[place] += 1
            return PlacePeople(tuple([(place, here[place], 0) for place, _ in self.circles if here[place]]))
        low, high = max(0, self.filled - self.colonists), min(self.nobles, self.filled)
        noble = _some(taken, low + int(source.random() * (high - low + 1)), source)
        return self._with_nobles(taken, noble)

    def _with_nobles(self, taken: list[Place], noble: list[Place]) -> PlacePeople:
        people = []
        for place, _ in self.circles:
            if here := taken.count(place):
                nobles = noble.count(place)
                people.append((place, here - nobles, nobles))
        return PlacePeople(tuple(people))

    def slots(self) -> JsonObject:
        """Returns the circles to fill and the number of people."""
        return {
            "places": {place_name(place): number for place, number in self.circles},
            "colonists": self.colonists,
            "nobles": self.nobles,
            "to_place": self.filled,
        }

    def suggested(self) -> Sequence[PlacePeople]:
        """The circles filled from the first place on, from the last on, and one per place before a second."""
        spots = [place for place, number in self.circles for _ in range(number)]
        rounds = sorted(range(len(spots)), key=lambda at: (spots[:at].count(spots[at]), at))
        orders = (spots, spots[::-1], [spots[at] for at in rounds])
        fillings = [self._first(order[: self.filled]) for order in orders]
        return list(dict.fromkeys(fillings))

    def _first(self, taken: list[Place]) -> PlacePeople:
        """These spots with as many nobles as there are, on the last of them."""
        nobles = min(self.nobles, len(taken))
        return self._with_nobles(taken, taken[len(taken) - nobles :])


def _some(spots: list[Place], number: int, source: random.Random) -> list[Place]:
    """That many of the spots, at random."""
    left = spots[:]
    chance = source.random
    if number > len(left) // 2:
        for _ in range(len(left) - number):
            left.pop(int(chance() * len(left)))
        return left
    return [left.pop(int(chance() * len(left))) for _ in range(number)]


@lru_cache(maxsize=4096)
def count(room: tuple[int, ...], left: int, colonists: int, nobles: int) -> int:
    """The number of assignments of so many people to circles."""
    if left > sum(room):
        return 0
    if not room:
        return 1
    return sum(
        count(room[1:], left - here, colonists - here + noble, nobles - noble)
        for here in range(min(room[0], left) + 1)
        for noble in range(max(0, here - colonists), min(here, nobles) + 1)
    )

"""Where guests may go: every set of moves of one or two guests, listed only when asked (D-GUEST)."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from events.json_types import JsonObject
from projections.rules.puerto_rico.kinds import COLONIST, NOBLE, Place
from projections.rules.puerto_rico.moves import MoveGuests, Person
from projections.rules.puerto_rico.state.places import place_name


class GuestMoves:
    """Moves of guests to different empty circles."""

    def __init__(self, colonists: int, nobles: int, empty: tuple[tuple[Place, int], ...]) -> None:
        self.guests = {COLONIST: colonists, NOBLE: nobles}
        self.empty = empty  # (place, number of empty circles), places ascending
        self._people = [person for person, number in self.guests.items() if number]

    def _singles(self) -> list[Person]:
        return [(person, place) for place, _ in self.empty for person in self._people]

    def __iter__(self) -> Iterator[MoveGuests]:
        singles = self._singles()
        for single in singles:
            yield MoveGuests((single,))
        for pair in combinations_with_replacement(singles, 2):
            if self._possible(pair):
                yield MoveGuests(pair)

    def _possible(self, guests: Sequence[Person]) -> bool:
        room = dict(self.empty)
        people = Counter(person for person, _ in guests)
        places = Counter(place for _, place in guests)
        return all(number <= self.guests.get(person, 0) for person, number in people.items()) and all(
            number <= room.get(place, 0) for place, number in places.items()
        )

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, MoveGuests) or not move.guests:
            return False
        in_order = list(move.guests) == sorted(move.guests, key=lambda guest: (guest[1], guest[0]))
        return in_order and self._possible(move.guests)

    def __len__(self) -> int:
        places, double = len(self.empty), sum(1 for _, number in self.empty if number > 1)
        colonists, nobles = self.guests[COLONIST], self.guests[NOBLE]
        same = sum(1 for number in (colonists, nobles) if number > 1) * (places * (places - 1) // 2 + double)
        mixed = places * (places - 1) + double if colonists and nobles else 0
        return places * len(self._people) + same + mixed

    def sample(self, source: random.Random) -> MoveGuests:
        """Any one of them."""
        singles = self._singles()
        first = singles[int(source.random() * len(singles))]
        second = singles[int(source.random() * len(singles))]
        pair = (first, second) if (first[1], first[0]) <= (second[1], second[0]) else (second, first)
        return MoveGuests(pair) if source.random() < 0.5 and self._possible(pair) else MoveGuests((first,))

    def slots(self) -> JsonObject | None:
        """Returns the guests and the free places; None when the list is short."""
        if len(self) <= 24:
            return None
        return {
            "guests": {"colonists": self.guests[COLONIST], "nobles": self.guests[NOBLE]},
            "places": {place_name(place): number for place, number in self.empty},
        }

    def suggested(self) -> Sequence[MoveGuests]:
        """The moves of a single guest."""
        return [MoveGuests((single,)) for single in self._singles()]

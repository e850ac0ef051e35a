"""Purchases that doubloons do not cover: every way to pay the rest with items, listed only when asked (R-34)."""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from events.json_types import JsonObject
from projections.rules.puerto_rico.buildings.printed import NAMES
from projections.rules.puerto_rico.kinds import GOODS, NONE, PERSONS
from projections.rules.puerto_rico.moves import Build, Person
from projections.rules.puerto_rico.state.places import place_name

Waivers = tuple[int, ...]


class Bargains:
    """For each building as many items as doubloons are missing, at most one person, one good and one point."""

    def __init__(
        self, missing: Mapping[int, int], persons: Mapping[Person | None, Waivers], goods: Sequence[int], *, vp: bool
    ) -> None:
        self.missing = missing  # building -> items to return
        self.persons = persons  # the person to return (None: no person), and the effects that may be waived then
        self.goods = goods
        self.vp = vp

    def __iter__(self) -> Iterator[Build]:
        for building, number in self.missing.items():
            for items in self._payments(number):
                for waived in self.persons[items[0]]:
                    yield Build(building, *items, waived=waived)

    def _payments(self, number: int) -> Iterator[tuple[Person | None, int, bool]]:
        for person, good, vp in product(self.persons, (NONE, *self.goods), (False, True) if self.vp else (False,)):
            if (person is not None) + (good != NONE) + vp == number:
                yield person, good, vp

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Build) or move.person not in self.persons or (move.vp and not self.vp):
            return False
        items = (move.person is not None) + (move.good != NONE) + move.vp
        good = move.good == NONE or move.good in self.goods
        return good and items == self.missing.get(move.building) and move.waived in self.persons[move.person]

    def __len__(self) -> int:
        lengths = {number: self._number(number) for number in set(self.missing.values())}
        return sum(lengths[number] for number in self.missing.values())

    def _number(self, number: int) -> int:
        return sum(len(self.persons[person]) for person, _, _ in self._payments(number))

    def sample(self, source: random.Random) -> Build:
        """Any one of them."""
        buildings = list(self.missing)
        building = buildings[int(source.random() * len(buildings))]
        payments = list(self._payments(self.missing[building]))
        items = payments[int(source.random() * len(payments))]
        waivers = self.persons[items[0]]
        return Build(building, *items, waived=waivers[int(source.random() * len(waivers))])

    def slots(self) -> JsonObject | None:
        """Returns the missing doubloons of each building and the items to return; None when the list is short."""
        if len(self) <= 24:
            return None
        persons = [f"{PERSONS[person[0]]}@{place_name(person[1])}" for person in self.persons if person is not None]
        return {
            "black_market": {NAMES[building]: number for building, number in self.missing.items()},
            "persons": persons,
            "goods": [GOODS[good] for good in self.goods],
            "vp": self.vp,
        }

    def suggested(self) -> Sequence[Build]:
        """For each building the first ways to pay, with different items."""
        chosen: dict[tuple[int, bool, bool, bool], Build] = {}
        for move in self:
            chosen.setdefault((move.building, move.person is not None, move.good != NONE, move.vp), move)
        return list(chosen.values())

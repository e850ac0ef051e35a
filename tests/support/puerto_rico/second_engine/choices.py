"""Moves read from their text, and the choices of a decision: a set of moves, or a collection judged one by one."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Any, NamedTuple, Protocol

Move = tuple[Any, ...]


def read(text: str) -> Move:
    """A move in a form without order of equals; raises ValueError for text that is no move."""
    verb, *words = text.split()
    if verb in ("place", "store", "small_wharf"):
        return verb, _amounts(words)
    if verb in ("supply", "bonus", "guest"):
        return verb, *sorted(words)
    if verb == "build":
        return _purchase(*words)
    return verb, *words


def _amounts(words: list[str]) -> frozenset[tuple[str, int, int]]:
    """`corn=2 chapel=0+1n` as (place, colonists or goods, nobles)."""
    amounts = {}
    for word in words:
        name, _, number = word.partition("=")
        first, _, second = number.partition("+")
        if name in amounts or (second and not second.endswith("n")):
            raise ValueError(word)
        amounts[name] = (name, int(first), int(second.removesuffix("n") or 0))
    return frozenset(amounts.values())


def _purchase(building: str, *words: str) -> Move:
    """`build harbor black_market=colonist@corn,sugar,vp -university`: building, items, whether university is waived."""
    items: list[str] = []
    for word in words:
        if word.startswith("black_market=") and not items:
            items = word.removeprefix("black_market=").split(",")
        elif word != "-university":
            raise ValueError(word)
    if len(set(items)) < len(items) or words.count("-university") > 1:
        raise ValueError(building)
    return "build", building, frozenset(items), "-university" in words


def spelled(move: Move) -> str:
    """The text of a move of amounts, as `place corn=1 chapel=0+1n`."""
    verb, amounts = move
    words = (f"{name}={first}+{second}n" if second else f"{name}={first}" for name, first, second in sorted(amounts))
    return " ".join([verb, *words])


class Choices(Protocol):
    """A collection of moves."""

    def __contains__(self, move: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Move]: ...


class Placements:
    """D-MAY-PLACE: every circle is filled as far as the people suffice (R-27)."""

    def __init__(self, circles: Mapping[str, int], colonists: int, nobles: int) -> None:
        self._circles, self._colonists, self._nobles = circles, colonists, nobles
        self._placed = min(colonists + nobles, sum(circles.values()))

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, tuple) or len(move) != 2 or move[0] != "place":
            return False
        fits = all(min(c, n) >= 0 < c + n <= self._circles.get(place, 0) for place, c, n in move[1])
        colonists, nobles = (sum(part[sort] for part in move[1]) for sort in (1, 2))
        spread = colonists <= self._colonists and nobles <= self._nobles
        return fits and spread and colonists + nobles == self._placed

    def __len__(self) -> int:
        ways = Counter({(0, 0): 1})  # (colonists, nobles) placed so far -> ways
        for circles in self._circles.values():
            further: Counter[tuple[int, int]] = Counter()
            for (colonists, nobles), number in ways.items():
                for c, n in _splits(circles):
                    if colonists + c <= self._colonists and nobles + n <= self._nobles:
                        further[colonists + c, nobles + n] += number
            ways = further
        return sum(number for people, number in ways.items() if sum(people) == self._placed)

    def __iter__(self) -> Iterator[Move]:
        places = list(self._circles)
        for parts in self._spread(places, self._placed, self._colonists, self._nobles):
            yield "place", frozenset(parts)

    def _spread(
        self, places: list[str], left: int, colonists: int, nobles: int
    ) -> Iterator[list[tuple[str, int, int]]]:
        """Ways to put exactly so many people on these places."""
        if not places:
            yield from [[]] if not left else []
            return
        first, rest = places[0], places[1:]
        room = sum(self._circles[place] for place in rest)
        for c, n in _splits(self._circles[first]):
            if c <= colonists and n <= nobles and left - room <= c + n <= left:
                told = [(first, c, n)] if c + n else []
                yield from (told + more for more in self._spread(rest, left - c - n, colonists - c, nobles - n))


def _splits(circles: int) -> list[tuple[int, int]]:
    """Colonists and nobles on so many circles."""
    return [(c, n) for c in range(circles + 1) for n in range(circles + 1 - c)]


class Amounts:
    """`store` and `small_wharf`: amounts of own goods that pass a test."""

    def __init__(self, verb: str, goods: Mapping[str, int], fits: Callable[[list[int]], bool]) -> None:
        self._verb, self._fits = verb, fits
        self._goods = {good: number for good, number in goods.items() if number}

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, tuple) or len(move) != 2 or move[0] != self._verb:
            return False
        owned = all(0 < number <= self._goods.get(good, 0) and not other for good, number, other in move[1])
        return owned and self._fits([number for _, number, _ in move[1]])

    def __len__(self) -> int:
        if self._verb == "small_wharf":
            return prod(number + 1 for number in self._goods.values()) - 1
        return sum(1 for numbers in self._numbers() if self._fits(list(numbers)))

    def __iter__(self) -> Iterator[Move]:
        for numbers in self._numbers():
            if self._fits(list(numbers)):
                told = zip(self._goods, numbers, (0,) * len(numbers), strict=True)
                yield self._verb, frozenset(part for part in told if part[1])

    def _numbers(self) -> Iterator[tuple[int, ...]]:
        return product(*(range(number + 1) for number in self._goods.values()))


class Question(NamedTuple):
    """The seat to act, its decision and its moves."""

    seat: int
    point: str
    listed: frozenset[Move]
    others: Choices = frozenset()

    def __len__(self) -> int:
        return len(self.listed) + len(self.others)

    def allows(self, text: str) -> bool:
        """Whether a text is a legal move."""
        try:
            move = read(text)
        except (ValueError, TypeError):
            return False
        return move in self.listed or move in self.others

    def moves(self) -> set[Move]:
        """All of them."""
        return {*self.listed, *self.others}

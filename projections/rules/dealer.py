"""Dealers: the only source of chance for the rules, random, seeded or declared."""

import hashlib
import hmac
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from projections.rules.errors import ImpossibleDraw


class Dealer(Protocol):
    """Draws one of several kinds, weighted by how many of each there are."""

    def draw(self, counts: Mapping[str, int]) -> str:
        """Name one kind that has a positive count."""


class OneOfEach(Mapping[str, int]):
    """The counts of different pieces, one of each, such as the cards of a deck."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: tuple[str, ...]) -> None:
        self.pieces = pieces

    def __getitem__(self, piece: str) -> int:
        if piece not in self.pieces:
            raise KeyError(piece)
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter(self.pieces)

    def __len__(self) -> int:
        return len(self.pieces)


class RandomDealer:
    """Draws at random, for search and what-if; independent of the seed of any game."""

    def __init__(self, source: random.Random) -> None:
        self._source = source

    def draw(self, counts: Mapping[str, int]) -> str:
        if isinstance(counts, OneOfEach):
            return counts.pieces[int(self._source.random() * len(counts.pieces))]
        there = counts if isinstance(counts, dict) else dict(counts)  # compiled code walks a dictionary faster
        number = int(self._source.random() * sum(there.values()))
        for kind, count in there.items():
            number -= count
            if number < 0:
                return kind
        raise ValueError("there is nothing to draw")


class SeededDealer:
    """Live play and audit: draw *i* is a function of the game seed and *i* alone."""

    def __init__(self, seed: bytes, next_draw: int = 0) -> None:
        self._seed = seed
        self.next_draw = next_draw

    def draw(self, counts: Mapping[str, int]) -> str:
        total = sum(counts.values())
        limit = 2**64 - 2**64 % total
        attempt = 0
        while (word := self._word(attempt)) >= limit:  # reject words that would favour the first kinds
            attempt += 1
        self.next_draw += 1
        return pick(counts, word % total)

    def _word(self, attempt: int) -> int:
        message = b"cabildo/draw/v1" + self.next_draw.to_bytes(4, "big") + attempt.to_bytes(4, "big")
        return int.from_bytes(hmac.digest(self._seed, message, hashlib.sha256)[:8], "big")


class DeclaredDealer:
    """Draws declared outcomes, for imports and replay. Raises ImpossibleDraw."""

    def __init__(self, outcomes: Iterable[str]) -> None:
        self._outcomes = iter(outcomes)

    def draw(self, counts: Mapping[str, int]) -> str:
        possible = tuple(sorted(kind for kind, count in counts.items() if count > 0))
        declared = next(self._outcomes, None)
        if declared is None or declared not in possible:
            raise ImpossibleDraw(declared, possible)
        return declared


class RecordingDealer:
    """Passes draws on and keeps the outcomes, for the event."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self.drew: list[str] = []

    def draw(self, counts: Mapping[str, int]) -> str:
        kind = self._dealer.draw(counts)
        self.drew.append(kind)
        return kind


def pick(counts: Mapping[str, int], number: int) -> str:
    """Count `number` pieces along the kinds in byte order and name the kind it falls on."""
    for kind in sorted(counts):
        number -= counts[kind]
        if number < 0:
            return kind
    raise ValueError("the number is not below the sum of the counts")

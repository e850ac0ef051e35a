"""The adapter of a game for the environment: vocabulary, and views as numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class Observer(Protocol):
    """Returns a view as numbers, none below zero; the same number of them for every position of a seat count."""

    def __call__(self, view: Mapping[str, Any], seat: int, /) -> list[int]: ...


class GameAdapter(NamedTuple):
    """A game as the environment needs it."""

    vocabulary: Sequence[str]  # an action is the index of an atom; new atoms are appended
    observe: Observer


def counted(names: Sequence[str], among: Sequence[str]) -> list[int]:
    """Returns the number of occurrences of each name."""
    return [among.count(name) for name in names]


def amounts(names: Sequence[str], table: Mapping[str, Any]) -> list[int]:
    """Returns the numbers of a table, in the order of the names."""
    return [table.get(name) or 0 for name in names]


def one_of(names: Sequence[str], name: str | None) -> list[int]:
    """Returns a one-hot encoding of a name."""
    return [int(one == name) for one in names]


def from_seat(seat: int, seats: int) -> list[int]:
    """Returns all seats in turn order, beginning with the seat."""
    return [(seat + after) % seats for after in range(seats)]


def relative_seat(other: int | None, seat: int, seats: int) -> list[int]:
    """Returns a one-hot encoding of another seat, in turn order from the seat."""
    return [int(one == other) for one in from_seat(seat, seats)]

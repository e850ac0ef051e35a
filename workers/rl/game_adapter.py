"""What the environment has to know of a game: its words, how a move is written, what a seat sees as numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from projections.rules.moves import Moves
from projections.rules.protocol import Game
from workers.rl.move_writer import MoveWriter


class Writer(Protocol):
    """Begins a move in a position."""

    def __call__(self, game: Game[Any, Any], legal: Moves[Any], /) -> MoveWriter: ...


class Observer(Protocol):
    """Tells a view in numbers, none below zero, as many for every position of so many seats."""

    def __call__(self, view: Mapping[str, Any], seat: int, /) -> list[int]: ...


class GameAdapter(NamedTuple):
    """A game as the environment asks for it."""

    vocabulary: Sequence[str]  # an action is the number of an atom; new ones only ever join at the end
    write: Writer
    observe: Observer


def counted(names: Sequence[str], among: Sequence[str]) -> list[int]:
    """How often each name is among others."""
    return [among.count(name) for name in names]


def amounts(names: Sequence[str], table: Mapping[str, Any]) -> list[int]:
    """The numbers of a table, in the order of the names."""
    return [table.get(name) or 0 for name in names]


def one_of(names: Sequence[str], name: str | None) -> list[int]:
    """Which of the names it is."""
    return [int(one == name) for one in names]


def from_seat(seat: int, seats: int) -> list[int]:
    """All seats in turn order, one's own first."""
    return [(seat + after) % seats for after in range(seats)]


def whose(other: int | None, seat: int, seats: int) -> list[int]:
    """Which seat it is, counted from one's own."""
    return [int(one == other) for one in from_seat(seat, seats)]

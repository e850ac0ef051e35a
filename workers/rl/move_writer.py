"""How a learner moves: it writes its move word by word, and only what a legal move goes on with may be written.

The words are those of the notation, numbered by the game's vocabulary, so that an action means the same in every
position. What is forced is written by itself: where one legal move is left, it is made.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

from projections.rules.protocol import Game

ATOM: Final = re.compile(r" ?-?[a-z_][a-z_0-9]*| ?[0-9]|[=@,+>]")  # long numbers digit by digit
END: Final = ""  # the move is complete as it stands


def atoms(text: str) -> tuple[str, ...]:
    """The words and signs of a move; together they are its text."""
    return tuple(ATOM.findall(text))


class MoveWriter(Protocol):
    """A move that is being written. It is complete as soon as nothing else can follow."""

    @property
    def move(self) -> Any:
        """The move; None until it is complete."""

    def choices(self) -> Sequence[str]:
        """What may be written next, while the move is not complete; each leads to a legal move."""

    def write(self, atom: str) -> None:
        """Write one of the choices."""


class ListedMoveWriter:
    """One of a list of moves, by their texts."""

    def __init__(self, game: Game[Any, Any], legal: Iterable[Any]) -> None:
        self._left = [((*atoms(game.notation(move)), END), move) for move in legal]
        self._at = 0

    @property
    def move(self) -> Any:
        """The only one that goes on so."""
        return self._left[0][1] if len(self._left) == 1 else None

    def choices(self) -> Sequence[str]:
        """What the moves that begin so have next."""
        return list(dict.fromkeys(words[self._at] for words, _ in self._left))

    def write(self, atom: str) -> None:
        """Leave the moves that go on otherwise."""
        self._left = [(words, move) for words, move in self._left if words[self._at] == atom]
        self._at += 1


def write_forced(script: MoveWriter) -> list[str]:
    """What is forced, written."""
    forced = []
    while script.move is None and len(choices := script.choices()) == 1:
        script.write(choices[0])
        forced.append(choices[0])
    return forced

"""Writes a move word by word; at each step, only words that continue a legal move are allowed.

The words are those of the notation. Forced words are written automatically: when one legal move is left, the move is
complete. Clients complete a half-made move so, and learners act by the words of a game's vocabulary.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

ATOM: Final = re.compile(r" ?-?[a-z_][a-z_0-9]*| ?[0-9]|[=@,+>]")  # long numbers digit by digit
END: Final = ""  # the move is complete as it stands


def atoms(text: str) -> tuple[str, ...]:
    """Returns the words and signs of a move; joined, they are its text."""
    return tuple(ATOM.findall(text))


class MoveWriter(Protocol):
    """A partially written move. It is complete when no other word can follow."""

    @property
    def move(self) -> Any:
        """The move; None until it is complete."""

    @property
    def text(self) -> str:
        """The written beginning of the move, in notation."""

    def choices(self) -> Sequence[str]:
        """Returns the words allowed next, while the move is not complete; each leads to a legal move."""

    def write(self, atom: str) -> None:
        """Writes one of the choices."""

    def copy(self) -> "MoveWriter":
        """Returns a writer with the same text."""


class ListedMoveWriter:
    """Writes one of a list of moves by its text."""

    def __init__(self, moves: Iterable[tuple[str, Any]]) -> None:
        self._left = [((*atoms(text), END), move) for text, move in moves]
        self._at = 0

    @property
    def move(self) -> Any:
        """The only move that continues the text; None while there are several."""
        return self._left[0][1] if len(self._left) == 1 else None

    @property
    def text(self) -> str:
        """The written beginning of the move, in notation."""
        return "".join(self._left[0][0][: self._at]) if self._left else ""

    def choices(self) -> Sequence[str]:
        """Returns the next words of the moves that begin with the text."""
        return list(dict.fromkeys(words[self._at] for words, _ in self._left))

    def write(self, atom: str) -> None:
        """Keeps the moves that continue with the word."""
        self._left = [(words, move) for words, move in self._left if words[self._at] == atom]
        self._at += 1

    def copy(self) -> "ListedMoveWriter":
        """Returns a writer with the same text."""
        twin = ListedMoveWriter(())
        twin._left, twin._at = self._left, self._at
        return twin


def write_forced(script: MoveWriter) -> list[str]:
    """Writes all forced words and returns them."""
    forced = []
    while script.move is None and len(choices := script.choices()) == 1:
        script.write(choices[0])
        forced.append(choices[0])
    return forced

"""The bot protocol: a function from what a seat may know to one of its legal moves."""

import random
from typing import Any, NamedTuple, Protocol

from projections.rules.move_collection import Moves
from projections.rules.protocol import Game, M, P


class Budget(NamedTuple):
    """Limits of a search: a number of steps, and seconds unless `seconds` is 0.

    The same number of steps gives the same move on any machine. When the time limit ends a search first, the record of
    the move keeps the number of steps made.
    """

    steps: int = 0
    seconds: float = 0.0


class ChosenMove(NamedTuple):
    """A move, and the number of search steps made to find it."""

    move: Any
    steps: int = 0


class Bot(Protocol):
    """Chooses a move for the seat to act. The same position, steps and random source give the same move."""

    def __call__(
        self, game: Game[P, M], position: P, legal: Moves[M], budget: Budget, source: random.Random, /
    ) -> ChosenMove: ...

"""What a bot of the house is: a function from what a seat may know to one of its legal moves."""

import random
from typing import Any, NamedTuple, Protocol

from projections.rules.moves import Moves
from projections.rules.protocol import Game


class Budget(NamedTuple):
    """How much a bot may think: so many steps at most, and when `seconds` is not 0, so long at most.

    So many steps give the same move on any machine; where time ends them, their number is what a record keeps.
    """

    steps: int = 0
    seconds: float = 0.0


class ChosenMove(NamedTuple):
    """A move, and the steps that were really made to find it."""

    move: Any
    steps: int = 0


class Bot(Protocol):
    """Chooses for the seat to act. The same position, steps and source of randomness give the same choice."""

    def __call__(
        self, game: Game[Any, Any], position: Any, legal: Moves[Any], budget: Budget, source: random.Random, /
    ) -> ChosenMove: ...

"""What a bot of the house is: a function from what a seat may know to one of its legal moves."""

import random
from typing import Any, NamedTuple, Protocol

from projections.protocol import Game, Moves


class Budget(NamedTuple):
    """How much a bot may think: steps, not seconds, so that the same budget gives the same move on any machine."""

    steps: int = 0


class Bot(Protocol):
    """Chooses for the seat to act. The same position, budget and source of randomness give the same choice."""

    def __call__(
        self, game: Game[Any, Any], position: Any, legal: Moves[Any], budget: Budget, source: random.Random, /
    ) -> Any: ...

"""What a bot of the house is: a function from a position to one of its legal moves."""

import random
from typing import Any, Protocol

from projections.protocol import Game


class Bot(Protocol):
    """Chooses for the seat to act. The same source of randomness gives the same choice."""

    def __call__(self, game: Game[Any, Any], position: Any, source: random.Random) -> Any: ...

"""The bot that picks any legal move: an opponent for tests, and the measure for better ones."""

import random
from typing import Any

from projections.protocol import Game


def choose(game: Game[Any, Any], position: Any, source: random.Random) -> Any:
    """Any legal move, each possible."""
    return game.legal(position).sample(source)

"""The bot that picks any legal move: an opponent for tests, and the measure for better ones."""

import random
from typing import Any

from projections.rules.moves import Moves
from projections.rules.protocol import Game
from workers.bots.bot import Budget, ChosenMove


def choose(
    _game: Game[Any, Any], _position: Any, legal: Moves[Any], _budget: Budget, source: random.Random
) -> ChosenMove:
    """Any legal move, each possible."""
    return ChosenMove(legal.sample(source))

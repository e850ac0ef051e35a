"""The bot that takes what looks best at once, as an expert of the game ranks it."""

import random
from typing import Any

from projections.rules.moves import Moves
from projections.rules.protocol import Game
from workers.bots.bot import Budget, ChosenMove
from workers.bots.experts import EXPERTS


def choose(
    game: Game[Any, Any], position: Any, legal: Moves[Any], _budget: Budget, source: random.Random
) -> ChosenMove:
    """The move that ranks first."""
    return ChosenMove(EXPERTS[game.name].rank(position, legal, source)[0].move)

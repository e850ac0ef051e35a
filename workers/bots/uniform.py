"""The random bot: an opponent for tests, and the baseline for better bots."""

import random

from projections.rules.move_collection import Moves
from projections.rules.protocol import Game, M, P
from workers.bots.bot import Budget, ChosenMove


def choose(_game: Game[P, M], _position: P, legal: Moves[M], _budget: Budget, source: random.Random) -> ChosenMove:
    """Returns a random legal move; every legal move is possible."""
    return ChosenMove(legal.sample(source))

"""The greedy bot: takes the move that the game's expert ranks first, without search."""

import random

from projections.rules.move_collection import Moves
from projections.rules.protocol import Game, M, P
from workers.bots.bot import Budget, ChosenMove
from workers.bots.experts import EXPERTS


def choose(game: Game[P, M], position: P, legal: Moves[M], _budget: Budget, source: random.Random) -> ChosenMove:
    """Returns the move that ranks first."""
    return ChosenMove(EXPERTS[game.name].rank(position, legal, source)[0].move)

"""Looks up games by name."""

from projections.rules.protocol import AnyGame
from projections.rules.registry import GAMES
from service.core.errors import NotThere


def game_named(name: str) -> AnyGame:
    """Returns the game with a name. Raises NotThere."""
    if name not in GAMES:
        raise NotThere("game of the name", name)
    return GAMES[name]

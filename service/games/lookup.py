"""Looks up games by name."""

from typing import Any

from projections.rules.protocol import Game
from projections.rules.registry import GAMES
from service.core.errors import NotThere


def game_named(name: str) -> Game[Any, Any]:
    """Returns the game with a name. Raises NotThere."""
    if name not in GAMES:
        raise NotThere("game of the name", name)
    return GAMES[name]

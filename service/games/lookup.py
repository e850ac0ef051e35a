"""Games by the names that requests give."""

from typing import Any

from projections.rules.protocol import Game
from projections.rules.registry import GAMES
from service.core.errors import NotThere


def game_named(name: str) -> Game[Any, Any]:
    """The game of a name; refuses a name that no game has."""
    if name not in GAMES:
        raise NotThere("game of the name", name)
    return GAMES[name]

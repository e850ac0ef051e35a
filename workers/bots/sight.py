"""What a bot is shown: the position as its seat may know it, the rest supposed."""

import random
from typing import Any

from projections.protocol import Game
from workers.bots.experts import EXPERTS


def as_known(game: Game[Any, Any], position: Any, seat: int, source: random.Random) -> Any:
    """A position of the bot's own, made from what its seat may see and nothing else; what is hidden is drawn."""
    view = game.view(position, seat)
    document = EXPERTS[game.name].suppose(view, source) if view["hides"] else game.document(position)
    return game.restore(document)

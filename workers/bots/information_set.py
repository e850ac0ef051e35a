"""What a bot is shown: the position as its seat may know it, the rest supposed."""

import random
from typing import Any

from events.json_types import JsonObject
from projections.rules.protocol import Game
from workers.bots.experts import EXPERTS


def as_known(game: Game[Any, Any], position: Any, seat: int, source: random.Random) -> Any:
    """A position of the bot's own, made from what its seat may see and nothing else; what is hidden is drawn."""
    return _supposed(game, position, game.view(position, seat), source)


def as_counted(game: Game[Any, Any], position: Any, seat: int, source: random.Random) -> Any:
    """The same to somebody who has kept count of what others gained before everybody's eyes."""
    view: Any = game.view(position, seat)
    holdings: Any = game.document(position)["players"]
    counted = EXPERTS[game.name].counted
    players = [
        {**seen, **{name: holding[name] for name in counted}}
        for seen, holding in zip(view["players"], holdings, strict=True)
    ]
    return _supposed(game, position, {**view, "players": players}, source)


def _supposed(game: Game[Any, Any], position: Any, view: JsonObject, source: random.Random) -> Any:
    document = game.suppose(view, source) if view["hides"] else game.document(position)
    return game.restore(document)

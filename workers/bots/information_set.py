"""Positions of a seat's information set: what the seat sees stays, what is hidden from it is sampled."""

import random
from typing import Any

from events.json_types import JsonObject
from projections.rules.protocol import Game, M, P
from workers.bots.experts import EXPERTS


def as_known(game: Game[P, M], position: P, seat: int, source: random.Random) -> P:
    """Returns a position built from the seat's view alone; hidden information is sampled."""
    return _completed(game, position, game.view(position, seat), source)


def as_counted(game: Game[P, M], position: P, seat: int, source: random.Random) -> P:
    """Returns a position like `as_known`, for a seat that also counted the public gains of the others."""
    view: Any = game.view(position, seat)
    holdings: Any = game.document(position)["players"]
    counted = EXPERTS[game.name].countable
    players = [
        {**seen, **{name: holding[name] for name in counted}}
        for seen, holding in zip(view["players"], holdings, strict=True)
    ]
    return _completed(game, position, {**view, "players": players}, source)


def _completed(game: Game[P, M], position: P, view: JsonObject, source: random.Random) -> P:
    document = game.suppose(view, source) if view["hides"] else game.document(position)
    return game.restore(document)

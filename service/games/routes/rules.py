"""Routes of the supported games: options, notation, versions of the rules."""

from flask import Response

from events.json_types import JsonObject
from projections.rules.options import GameOption
from projections.rules.protocol import AnyGame
from projections.rules.registry import GAMES
from service.games.lookup import game_named
from service.games.schemas import rules as schemas
from service.web.responses import etag_response, json_response
from service.web.routing import Routes

routes = Routes("rules", "The games: options, notation, versions of the rules")


@routes.on("GET", "/v1/rules", answers=schemas.AllGameRules, tagged=True)
def all_rules() -> Response:
    """All supported games."""
    games = [_short(game) for game in GAMES.values()]
    return etag_response(("rules", games), lambda: json_response({"games": games}))


@routes.on("GET", "/v1/rules/<string:name>", answers=schemas.GameRulesInFull, refuses=(404,), tagged=True)
def rules(name: str) -> Response:
    """A game's options and the notation of its moves."""
    game = game_named(name)
    options = [_option(name, choice) for name, choice in game.choices.items()]
    notation = [{"move": move, "meaning": meaning} for move, meaning in game.examples]
    document = {**_short(game), "options": options, "notation": notation}
    return etag_response(("rules", document), lambda: json_response(document))


def _short(game: AnyGame) -> JsonObject:
    return {"game": game.name, "seats": list(game.seats), "version": game.rules}


def _option(name: str, choice: GameOption) -> JsonObject:
    default = [] if choice.several else choice.values[0]
    return {"name": name, "values": list(choice.values), "default": default, "several": choice.several}

"""Routes of the supported games: options, notation, versions of the rules."""

from flask import Response

from events.json_types import JsonObject
from projections.rules.protocol import AnyGame
from projections.rules.registry import GAMES
from service.core.errors import NotThere
from service.games.lookup import game_named
from service.games.schemas import rules as schemas
from service.rulebook.examples import example_document, example_names
from service.rulebook.option_texts import option_document
from service.rulebook.pieces import pieces_document
from service.version import VERSION
from service.web.responses import etag_response, json_response, request_language
from service.web.routing import Routes

routes = Routes("rules", "The games: options, notation, versions of the rules")


@routes.on("GET", "/v1/rules", answers=schemas.AllGameRules, tagged=True)
def all_rules() -> Response:
    """All supported games."""
    games = [_short(game) for game in GAMES.values()]
    return etag_response(("rules", games), lambda: json_response({"games": games}))


@routes.on("GET", "/v1/rules/<string:name>", answers=schemas.GameRulesInFull, refuses=(404,), tagged=True)
def rules(name: str) -> Response:
    """A game's options and the notation of its moves, with words in the language of the reader."""
    game, language = game_named(name), request_language()
    options = [option_document(game.name, option, choice, language) for option, choice in game.choices.items()]
    notation = [
        {"decision": form.decision, "move": form.move, "meaning": form.meaning[language]} for form in game.examples
    ]
    document = {**_short(game), "language": language, "options": options, "notation": notation}
    return etag_response(("rules", document), lambda: json_response(document))


@routes.on("GET", "/v1/rules/<string:name>/pieces", answers=schemas.PiecesDocument, refuses=(404,), tagged=True)
def pieces(name: str) -> Response:
    """What each building, role, card, good, tile and place of a game is and does, in the language of the reader."""
    document = pieces_document(game_named(name).name, request_language())
    return etag_response(("pieces", document), lambda: json_response(document))


@routes.on(
    "GET",
    "/v1/rules/<string:name>/examples/<string:example>",
    answers=schemas.ExampleDocument,
    refuses=(404,),
    tagged=True,
)
def worked_example(name: str, example: str) -> Response:
    """A worked example of the rules: its boards, each with the move that led to it, as the engine played it."""
    game, words = game_named(name).name, request_language()
    if example not in example_names(game):
        raise NotThere("example", example)
    parts = ("example", VERSION, game, example, words)
    return etag_response(parts, lambda: json_response(example_document(game, example, words)))


def _short(game: AnyGame) -> JsonObject:
    return {"game": game.name, "seats": list(game.seats), "version": game.rules}

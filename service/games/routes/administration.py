"""Routes for administrators: end a game, move a running game to newer rules."""

from uuid import UUID

from events.json_types import JsonObject
from service.games.commands import upkeep as commands
from service.games.commands.upkeep import ChangeRules, EndGame
from service.games.schemas import documents
from service.games.schemas import lifecycle as schemas
from service.games.schemas.loaded import LoadedEndGameBody, LoadedNewerRules
from service.players.identity import Identity
from service.web.idempotency import request_of
from service.web.routing import Routes, container

routes = Routes("administration", "Ending games, newer rules for games that run")


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/rules",
    body=schemas.NewerRules,
    answers=documents.AppendedDocument,
    status=201,
    scope="admin",
    keyed=True,
    refuses=(404, 409),
)
def move_on(game: UUID, body: LoadedNewerRules, asker: Identity) -> JsonObject:
    """Move a game to newer rules, if these produce the same events so far."""
    here, command = container(), ChangeRules(game, body["to"], body["reason"])
    here.deals.need_open(here.games.load(game), asker.id)
    return commands.change_game_rules(here, command, request_of(asker, body["expected"])).answer


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/end",
    body=schemas.EndGameBody,
    answers=documents.AppendedDocument,
    status=201,
    scope="admin",
    keyed=True,
    refuses=(404, 409),
)
def end(game: UUID, body: LoadedEndGameBody, asker: Identity) -> JsonObject:
    """End an open or running game without a result, for a reason that all its readers see."""
    command = EndGame(game, body["reason"])
    return commands.end_game(container(), command, request_of(asker, body["expected"])).answer

"""Routes of scribe mode: import a record of an over-the-table game, continue it, read it back."""

from functools import partial
from uuid import UUID

from flask import Response

from events.json_types import JsonObject
from projections.games.imports.transcript import parse
from projections.rules.catalogue import ENGLISH
from service.core.errors import NotAllowed
from service.games.commands import records as commands
from service.games.commands.records import ContinueImport, ImportGame
from service.games.decisions import import_game
from service.games.routes.queries import game_visible_to
from service.games.schemas import documents as game_schemas
from service.games.schemas import import_game as schemas
from service.games.schemas.loaded import LoadedMoreLines, LoadedNewRecord
from service.games.visibility import events_seen
from service.players.identity import Identity
from service.studies.queries import chairs
from service.web.idempotency import request_of
from service.web.responses import etag_response
from service.web.routing import Routes, container

routes = Routes("records", "Entering and reading records of games, a move a line")


@routes.on(
    "POST",
    "/v1/games/import",
    body=schemas.NewRecord,
    plain="record",
    answers=game_schemas.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(400, 409),
)
def enter(body: LoadedNewRecord, asker: Identity) -> JsonObject:
    """Import a record, complete or not; an error names the first illegal line.

    As text/plain, the body is the record.
    """
    transcript = parse(body["record"])
    import_game.game_of(transcript)
    return commands.enter_record(container(), ImportGame(transcript, body["visibility"]), request_of(asker)).answer


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/record",
    body=schemas.MoreLines,
    plain="lines",
    answers=game_schemas.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(400, 404, 409),
)
def go_on(game: UUID, body: LoadedMoreLines, asker: Identity) -> JsonObject:
    """Continue a record; lines entered by mistake can be struck out first."""
    command = ContinueImport(game, body["lines"], body["back_to"])
    return commands.continue_record(container(), command, request_of(asker, body["expected"])).answer


@routes.on("GET", "/v1/games/<uuid:game>/record", readers=True, refuses=(404,), streams=("text/plain",), tagged=True)
def record(game: UUID, asker: Identity | None) -> Response:
    """The game as text with headers, moves, draws and the scribe's comments; the text can be imported again."""
    visible = game_visible_to(game, asker)
    if visible.secrets:
        raise NotAllowed("secrets", "this game has hidden information; its record is public when the game is over")

    events, names = events_seen(container().games, visible, 0), chairs(container(), visible, ENGLISH)
    with container().stores.pool.connection() as connection:
        text = import_game.text_of(connection, visible.record, events, names)
    tell = partial(Response, text, content_type="text/plain; charset=utf-8")
    return etag_response(("record", text), tell, for_all=visible.is_for_all)

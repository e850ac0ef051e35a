"""Routes of moves: one request validates, stores and answers; a dry run stores nothing."""

from uuid import UUID

from flask import Response

from events.json_types import JsonObject
from service.core.command_handler import ExpectedVersion, check_expected
from service.games import access
from service.games.commands.moves import PlayMove, play_move
from service.games.decisions.play import attempt
from service.games.schemas import documents
from service.games.schemas import lifecycle as schemas
from service.games.schemas.loaded import LoadedNewMove, LoadedTrying
from service.games.turns import turn_document
from service.players.identity import Identity
from service.web.idempotency import request_of
from service.web.responses import json_response
from service.web.routing import Routes, container

routes = Routes("moves", "Playing", guests=True)


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/moves",
    body=schemas.NewMove,
    query=schemas.Trying,
    answers=documents.AppendedDocument,
    status=201,
    or_answers={200: documents.Tried},
    scope="play",
    keyed=True,
    refuses=(400, 404, 409),
    while_blocked=True,
)
def move(game: UUID, body: LoadedNewMove, query: LoadedTrying, asker: Identity) -> Response:
    """Make a move; with `dry_run`, only return its result."""
    head = bytes.fromhex(body["expected_head"]) if body["expected_head"] else None
    if query["dry_run"]:
        return json_response(_trial_document(game, body["move"], ExpectedVersion(body["expected"], head), asker))
    command = PlayMove(game, body["move"], body["link"], body["signature"])
    return json_response(play_move(container(), command, request_of(asker, body["expected"], head)).answer, 201)


def _trial_document(game: UUID, text: str, expected: ExpectedVersion, asker: Identity) -> JsonObject:
    """Returns the result of a dry run; writes nothing."""
    table = container().games.load(game)
    seat = access.seat_of(table, asker.id)
    check_expected(table, expected)
    trial = attempt(table, seat, text)
    return {
        "move": trial.move,
        "version": table.head.seq,
        "then": [{"seat": seat, "move": move} for seat, move in trial.then],
        "facts": trial.facts,
        "turn": turn_document(trial.turn),
        "chance": "none" if trial.drawn_from is None else "hidden",
        "drawn_from": trial.drawn_from or (),
    }

"""Routes of programmed answers: what a player leaves for the own seat. Nobody else reads them."""

from typing import Any
from uuid import UUID

from flask import Response

from projections.games.record import RUNNING
from service.core.command_handler import Answer
from service.games import access
from service.games.game_state import GameState
from service.players.identity import Identity
from service.programmed_answers import schemas
from service.programmed_answers.commands import ClearAnswers, LeaveAnswer, check_playable, clear_answers, leave_answer
from service.programmed_answers.documents import answers_document
from service.programmed_answers.errors import AnswerRefused
from service.programmed_answers.queries import standing_answers
from service.web.idempotency import translated_request
from service.web.responses import request_language
from service.web.routing import Routes, container

routes = Routes("programmed answers", "Programmed answers: moves that a player leaves for the own seat", guests=True)


@routes.on(
    "GET",
    "/v1/games/<uuid:game>/answers",
    answers=schemas.ProgrammedAnswers,
    scope="read",
    refuses=(404,),
)
def listed(game: UUID, asker: Identity) -> dict[str, Any]:
    """The answers that you have left for your seat, in the order in which they are tried. Others do not see them."""
    state = container().games.load(game)
    seat = access.seat_of(state, asker.id)
    reason = _reason(state, seat)
    found = [] if reason else standing_answers(container(), state)
    return answers_document([one for one in found if one.seat == seat], state, seat, reason, request_language())


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/answers",
    body=schemas.NewAnswer,
    answers=schemas.ProgrammedAnswerDocument,
    status=201,
    scope="play",
    refuses=(400, 404, 409),
    keyed=True,
    while_blocked=True,
)
def leave(game: UUID, body: schemas.NewAnswerBody, asker: Identity) -> Answer:
    """Leave an answer: the service plays the move for you whenever it is your turn at that kind of decision and the
    move is legal; of several answers, the one left first. On your turn it is played now.

    A move by hand where an answer would have made another one clears that answer; so does taking a move back.
    """
    command = LeaveAnswer(game, body["move"], body["decision"], body["until"], body["span"])
    return leave_answer(container(), command, translated_request(asker)).answer


@routes.on(
    "DELETE",
    "/v1/games/<uuid:game>/answers/<uuid:answer>",
    status=204,
    scope="play",
    refuses=(404,),
    while_blocked=True,
)
def clear(game: UUID, answer: UUID, asker: Identity) -> Response:
    """Clear an answer. After this, none of its moves is made."""
    clear_answers(container(), ClearAnswers(asker.player, game, answer))
    return Response(status=204)


@routes.on("DELETE", "/v1/games/<uuid:game>/answers", status=204, scope="play", refuses=(404,), while_blocked=True)
def clear_all(game: UUID, asker: Identity) -> Response:
    """Clear all your answers in a game."""
    clear_answers(container(), ClearAnswers(asker.player, game))
    return Response(status=204)


def _reason(state: GameState, seat: int) -> str | None:
    """Returns why no answer can be left for a seat."""
    if state.known.status != RUNNING:
        return "over"
    try:
        check_playable(state.known, seat)
    except AnswerRefused as refused:
        return refused.reason
    return None

"""Undo, take-back, resigning and aborting: alone where the rules of the house allow it, else by consent."""

from typing import Any
from uuid import UUID

from service.games.commands import moves as commands
from service.games.commands.moves import AbortGame, AnswerOffer, ProposeTakeBack, Resign, UndoMove, WithdrawOffer
from service.games.schemas import lifecycle as schemas
from service.players.credentials import Identity
from service.web.idempotency import request_of
from service.web.routing import Routes, container

routes = Routes("consent", "Undo, take-back, resigning, aborting")
COMMON: dict[str, Any] = {
    "answers": schemas.AppendedDocument,
    "status": 201,
    "scope": "play",
    "keyed": True,
    "refuses": (404, 409),
}


@routes.on("POST", "/v1/games/<uuid:game>/undo", body=schemas.ExpectedHistory, **COMMON)
def take_own_back(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Take back the own last move, while nothing was drawn and nobody else has acted."""
    return commands.undo_move(container(), UndoMove(game), request_of(asker, body["expected"])).answer


@routes.on("POST", "/v1/games/<uuid:game>/take-back", body=schemas.TakeBack, **COMMON)
def take_back(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Propose to all seats that the board returns to an earlier version."""
    return commands.propose_take_back(
        container(), ProposeTakeBack(game, body["to"]), request_of(asker, body["expected"])
    ).answer


@routes.on("POST", "/v1/games/<uuid:game>/offer", body=schemas.OfferAnswer, **COMMON)
def answer(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Say yes or no to what another seat has proposed; with the last yes it happens."""
    return commands.answer_offer(
        container(), AnswerOffer(game, body["agrees"]), request_of(asker, body["expected"])
    ).answer


@routes.on("POST", "/v1/games/<uuid:game>/offer/withdrawal", body=schemas.ExpectedHistory, **COMMON)
def withdraw(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Withdraw what the own seat has proposed, while it waits for answers."""
    return commands.withdraw_offer(container(), WithdrawOffer(game), request_of(asker, body["expected"])).answer


@routes.on("POST", "/v1/games/<uuid:game>/resign", body=schemas.ExpectedHistory, **COMMON)
def resign(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Give up; by the game's option a bot plays on, or the seat is forfeited."""
    return commands.resign(container(), Resign(game), request_of(asker, body["expected"])).answer


@routes.on("POST", "/v1/games/<uuid:game>/abort", body=schemas.ExpectedHistory, **COMMON)
def abort(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """End a game without a result: the host before the start, a player before the second round, later by consent."""
    return commands.abort_game(container(), AbortGame(game), request_of(asker, body["expected"])).answer

"""Routes for undo, take-back, pauses, resigning and aborting; some need the consent of all seats."""

from typing import Any
from uuid import UUID

from events.json_types import JsonObject
from service.games.commands import moves as commands
from service.games.commands.moves import (
    AbortGame,
    AnswerOffer,
    ProposePause,
    ProposeTakeBack,
    Resign,
    ResumeClock,
    UndoMove,
    WithdrawOffer,
)
from service.games.schemas import documents
from service.games.schemas import lifecycle as schemas
from service.games.schemas.loaded import (
    LoadedAbort,
    LoadedExpectedHistory,
    LoadedOfferAnswer,
    LoadedPause,
    LoadedTakeBack,
)
from service.players.identity import Identity
from service.web.idempotency import request_of
from service.web.routing import Routes, container

routes = Routes("consent", "Undo, take-back, pauses, resigning, aborting", guests=True)
COMMON: dict[str, Any] = {
    "answers": documents.AppendedDocument,
    "status": 201,
    "scope": "play",
    "keyed": True,
    "refuses": (404, 409),
}


@routes.on("POST", "/v1/games/<uuid:game>/undo", body=schemas.ExpectedHistory, **COMMON, while_blocked=True)
def take_own_back(game: UUID, body: LoadedExpectedHistory, asker: Identity) -> JsonObject:
    """Take back your own last move, if nothing was drawn and no other seat has acted since."""
    return commands.undo_move(container(), UndoMove(game), request_of(asker, body["expected"])).answer


@routes.on("POST", "/v1/games/<uuid:game>/take-back", body=schemas.TakeBack, **COMMON, while_blocked=True)
def take_back(game: UUID, body: LoadedTakeBack, asker: Identity) -> JsonObject:
    """Offer all seats to return the board to an earlier version."""
    return commands.propose_take_back(
        container(), ProposeTakeBack(game, body["to"]), request_of(asker, body["expected"])
    ).answer


@routes.on("POST", "/v1/games/<uuid:game>/offer", body=schemas.OfferAnswer, **COMMON, while_blocked=True)
def answer(game: UUID, body: LoadedOfferAnswer, asker: Identity) -> JsonObject:
    """Agree to another seat's offer or decline it; the last consent executes it."""
    return commands.answer_offer(
        container(), AnswerOffer(game, body["agrees"]), request_of(asker, body["expected"])
    ).answer


@routes.on("POST", "/v1/games/<uuid:game>/offer/withdrawal", body=schemas.ExpectedHistory, **COMMON, while_blocked=True)
def withdraw(game: UUID, body: LoadedExpectedHistory, asker: Identity) -> JsonObject:
    """Withdraw your own offer before its acceptance."""
    return commands.withdraw_offer(container(), WithdrawOffer(game), request_of(asker, body["expected"])).answer


@routes.on("POST", "/v1/games/<uuid:game>/pause", body=schemas.Pause, **COMMON, while_blocked=True)
def pause(game: UUID, body: LoadedPause, asker: Identity) -> JsonObject:
    """Propose to all players to stop the clocks for a time; they answer as to other offers. Bots agree.

    While the clocks stand, moves are played; they use no time and bring no increment.
    """
    command = ProposePause(game, body["seconds"])
    return commands.propose_pause(container(), command, request_of(asker, body["expected"])).answer


@routes.on("POST", "/v1/games/<uuid:game>/pause/end", body=schemas.ExpectedHistory, **COMMON, while_blocked=True)
def resume(game: UUID, body: LoadedExpectedHistory, asker: Identity) -> JsonObject:
    """End the pause of your game before its time; the clocks run again."""
    return commands.resume_clock(container(), ResumeClock(game), request_of(asker, body["expected"])).answer


@routes.on("POST", "/v1/games/<uuid:game>/resign", body=schemas.ExpectedHistory, **COMMON, while_blocked=True)
def resign(game: UUID, body: LoadedExpectedHistory, asker: Identity) -> JsonObject:
    """Resign; by the game's option a bot plays on, or the seat is forfeited."""
    return commands.resign(container(), Resign(game), request_of(asker, body["expected"])).answer


@routes.on("POST", "/v1/games/<uuid:game>/abort", body=schemas.Abort, **COMMON, while_blocked=True)
def abort(game: UUID, body: LoadedAbort, asker: Identity) -> JsonObject:
    """End a game without a result: the host before the start, a player before the second round, later by consent.

    The host of a game of house bots alone ends it at any time.
    """
    command = AbortGame(game, body["reason"])
    return commands.abort_game(container(), command, request_of(asker, body["expected"])).answer

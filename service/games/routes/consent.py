"""Undo, take-back, resigning and aborting: alone where the rules of the house allow it, else by consent."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from flask import Response

from service.core.command_handler import Command, ExpectedVersion
from service.games import access, end_early, undo
from service.games.game_state import GameState, UnitOfWork
from service.games.routes.moves import done, happened
from service.games.schemas import lifecycle as schemas
from service.players.credentials import Identity
from service.web.idempotency import idempotency_key
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
def take_own_back(game: UUID, body: dict[str, Any], asker: Identity) -> Response:
    """Take back the own last move, while nothing was drawn and nobody else has acted."""
    return _done(game, body, asker, undo.undo)


@routes.on("POST", "/v1/games/<uuid:game>/take-back", body=schemas.TakeBack, **COMMON)
def take_back(game: UUID, body: dict[str, Any], asker: Identity) -> Response:
    """Propose to all seats that the board returns to an earlier version."""
    return _done(game, body, asker, lambda act, seat: end_early.take_back(act, seat, body["to"]))


@routes.on("POST", "/v1/games/<uuid:game>/offer", body=schemas.OfferAnswer, **COMMON)
def answer(game: UUID, body: dict[str, Any], asker: Identity) -> Response:
    """Say yes or no to what another seat has proposed; with the last yes it happens."""
    return _done(game, body, asker, lambda act, seat: end_early.answer(act, seat, agrees=body["agrees"]))


@routes.on("POST", "/v1/games/<uuid:game>/offer/withdrawal", body=schemas.ExpectedHistory, **COMMON)
def withdraw(game: UUID, body: dict[str, Any], asker: Identity) -> Response:
    """Withdraw what the own seat has proposed, while it waits for answers."""
    return _done(game, body, asker, end_early.withdraw)


@routes.on("POST", "/v1/games/<uuid:game>/resign", body=schemas.ExpectedHistory, **COMMON)
def resign(game: UUID, body: dict[str, Any], asker: Identity) -> Response:
    """Give up; by the game's option a bot plays on, or the seat is forfeited."""
    return _done(game, body, asker, end_early.resign)


@routes.on("POST", "/v1/games/<uuid:game>/abort", body=schemas.ExpectedHistory, **COMMON)
def abort(game: UUID, body: dict[str, Any], asker: Identity) -> Response:
    """End a game without a result: the host before the start, anybody before the second round, later by consent."""

    def admits(table: GameState) -> None:
        access.see(container().deals, table, asker.id)
        if table.known.order:
            access.seat_of(table, asker.id)

    def decide(act: UnitOfWork) -> None:
        if act.record.order:
            end_early.abort(act, access.seat_of(act.now, asker.id))
        else:
            end_early.cancel(act, asker.id)

    return done(
        game, Command(asker.id, decide, happened, idempotency_key(asker), ExpectedVersion(body["expected"]), admits)
    )


def _done(game: UUID, body: dict[str, Any], asker: Identity, deed: Callable[[UnitOfWork, int], None]) -> Response:
    def seat(table: GameState) -> int:
        return access.seat_of(table, asker.id)

    def decide(act: UnitOfWork) -> None:
        deed(act, seat(act.now))

    return done(
        game, Command(asker.id, decide, happened, idempotency_key(asker), ExpectedVersion(body["expected"]), seat)
    )

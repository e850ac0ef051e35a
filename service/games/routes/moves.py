"""Moves: one request validates, writes and answers; tried moves leave no trace."""

from typing import Any
from uuid import UUID

from flask import Response

from service.core.command_handler import Command, ExpectedVersion, check_seen
from service.games import access, commands
from service.games.commands import told
from service.games.game_state import UnitOfWork
from service.games.schemas import lifecycle as schemas
from service.games.visibility import Visibility, shown
from service.players.credentials import Identity
from service.web.idempotency import idempotency_key
from service.web.responses import json_response
from service.web.routing import Routes, container

routes = Routes("moves", "Playing")


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/moves",
    body=schemas.NewMove,
    query=schemas.Trying,
    answers=schemas.AppendedDocument,
    status=201,
    or_answers={200: schemas.Tried},
    scope="play",
    keyed=True,
    refuses=(400, 404, 409),
)
def move(game: UUID, body: dict[str, Any], query: dict[str, Any], asker: Identity) -> Response:
    """Make a move; with `dry_run`, only say what it would bring."""
    head = bytes.fromhex(body["expected_head"]) if body["expected_head"] else None
    saw = ExpectedVersion(body["expected"], head)
    if query["dry_run"]:
        return _tried(game, body["move"], saw, asker)

    def decide(act: UnitOfWork) -> None:
        shown = commands.Shown(head, body["link"], body["signature"])
        commands.play(act, access.seat_of(act.now, asker.id), body["move"], shown)

    wish = Command(
        asker.id, decide, happened, idempotency_key(asker), saw, lambda table: access.seat_of(table, asker.id)
    )
    return done(game, wish)


def _tried(game: UUID, text: str, saw: ExpectedVersion, asker: Identity) -> Response:
    table = container().clerk.look(game)
    seat = access.seat_of(table, asker.id)
    check_seen(table, saw)
    trial = commands.attempt(table, seat, text)
    return json_response(
        {
            "move": trial.move,
            "version": table.head.seq,
            "then": [{"seat": seat, "move": move} for seat, move in trial.then],
            "facts": trial.facts,
            "turn": told(trial.turn),
            "chance": "none" if trial.drawn_from is None else "hidden",
            "drawn_from": trial.drawn_from or (),
        }
    )


def done(game: UUID, wish: Command) -> Response:
    """What comes of a wish that is told by `happened`."""
    return json_response(container().clerk.do(game, wish), 201)


def happened(act: UnitOfWork) -> dict[str, Any]:
    """What was written down first, and how the game stands after everything that followed."""
    first = act.events[0]
    return {
        "event": shown(Visibility(act.now, act.record.seat_of(first.actor), 0), first),
        "version": act.now.head.seq,
        "head": act.now.head.hash.hex(),
        "status": act.record.status,
        "turn": told(act.record.turn),
        "receipt": container().receipts.sign(act.id, first.head, act.now.head, act.at),
    }

"""Moving a running game to newer rules, which only an administrator does."""

from typing import Any
from uuid import UUID

from service.core.command_handler import Command, ExpectedVersion
from service.games.change_rules import move_rules
from service.games.game_state import UnitOfWork
from service.games.routes.moves import happened
from service.games.schemas import lifecycle as schemas
from service.players.credentials import Identity
from service.web.idempotency import idempotency_key
from service.web.routing import Routes, container

routes = Routes("moving", "Newer rules for games that run")


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/rules",
    body=schemas.NewerRules,
    answers=schemas.AppendedDocument,
    status=201,
    scope="admin",
    keyed=True,
    refuses=(404, 409),
)
def move_on(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Let a game keep to newer rules from now on, where they would have made the same of all that happened in it."""

    def decide(act: UnitOfWork) -> None:
        move_rules(act, body["to"], body["reason"])

    return container().clerk.do(
        game, Command(asker.id, decide, happened, idempotency_key(asker), ExpectedVersion(body["expected"]))
    )

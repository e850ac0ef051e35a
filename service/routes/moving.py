"""Moving a running game to newer rules, which only an administrator does."""

from typing import Any
from uuid import UUID

from service.act import Act
from service.api import Routes, world
from service.askers import key_of
from service.clerk import Saw, Wish
from service.credentials import Identity
from service.moving import move_rules
from service.routes.moves import happened
from service.schemas import games as schemas

routes = Routes("moving", "Newer rules for games that run")


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/rules",
    body=schemas.NewerRules,
    answers=schemas.Happened,
    status=201,
    scope="admin",
    keyed=True,
    refuses=(404, 409),
)
def move_on(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Let a game keep to newer rules from now on, where they would have made the same of all that happened in it."""

    def decide(act: Act) -> None:
        move_rules(act, body["to"], body["reason"])

    return world().clerk.do(game, Wish(asker.id, decide, happened, key_of(asker), Saw(body["expected"])))

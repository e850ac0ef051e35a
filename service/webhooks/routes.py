"""Webhooks: be told of your turns, or of a tournament, at an address of your own."""

from typing import Any
from uuid import UUID

from service.core.clock import iso_time
from service.players.credentials import Identity
from service.tournaments.routes.common import held_by
from service.web.routing import Routes, container
from service.webhooks import commands
from service.webhooks import schemas as schemas
from service.webhooks.addresses import target
from service.webhooks.commands import Hook

routes = Routes("webhooks", "Webhooks: what happens, sent to an address of yours")


@routes.on(
    "POST",
    "/v1/webhooks",
    body=schemas.NewWebhook,
    answers=schemas.MadeWebhook,
    status=201,
    scope="play",
    refuses=(404,),
)
def create(body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Name an address. What is sent to it from now on is signed with the secret that is shown here, this once."""
    here, tournament = container(), body["tournament"]
    if tournament is not None:
        held_by(tournament, asker)
    target(body["url"], anywhere=here.settings.calls_anywhere)
    with here.stores.pool.connection() as connection:
        hook, secret = commands.create(connection, here.now(), asker.player, body["url"], tournament, here.seed_vault)
    return {**_document(hook), "secret": secret}


@routes.on("GET", "/v1/webhooks", answers=schemas.Webhooks, scope="play")
def webhooks(asker: Identity) -> dict[str, Any]:
    """Your webhooks, without their secrets, with the last error of each."""
    with container().stores.pool.connection() as connection:
        return {"webhooks": [_document(hook) for hook in commands.hooks_of(connection, asker.player)]}


@routes.on("GET", "/v1/webhooks/<uuid:hook>", answers=schemas.WebhookDocument, scope="play", refuses=(404,))
def webhook(hook: UUID, asker: Identity) -> dict[str, Any]:
    """One of your webhooks."""
    with container().stores.pool.connection() as connection:
        return _document(commands.hook_of(connection, asker.player, hook))


@routes.on("DELETE", "/v1/webhooks/<uuid:hook>", status=204, scope="play", refuses=(404,))
def remove(hook: UUID, asker: Identity) -> None:
    """Take a webhook away; nothing is sent any more."""
    with container().stores.pool.connection() as connection:
        commands.remove(connection, asker.player, hook)


@routes.on(
    "POST", "/v1/webhooks/<uuid:hook>/test", answers=schemas.TestOnItsWay, status=202, scope="play", refuses=(404,)
)
def try_out(hook: UUID, asker: Identity) -> dict[str, Any]:
    """Send a message that tells nothing; a moment later the webhook says whether it arrived."""
    here = container()
    with here.stores.pool.connection() as connection:
        number = commands.send_test(connection, here.now(), asker.player, hook)
    here.announcer.call_courier(hook, number, 0)
    return {"number": number}


def _document(hook: Hook) -> dict[str, Any]:
    times = {name: iso_time(at) for name, at in hook._asdict().items() if name in ("created", "delivered", "failed")}
    return {**hook._asdict(), **times}

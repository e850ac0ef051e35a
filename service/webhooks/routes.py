"""Routes of webhooks: the service sends a player's turns, or the events of a tournament or game, to an address."""

from uuid import UUID

from service.players.identity import Identity
from service.web.routing import Routes, container
from service.webhooks import schemas
from service.webhooks.commands import (
    CreateWebhook,
    RemoveWebhook,
    SendTest,
    SwitchWebhookOn,
    create_webhook,
    remove_webhook,
    send_test,
    switch_webhook_on,
)
from service.webhooks.documents import CreatedHook, HookDocument, hook_document
from service.webhooks.queries import get_hook, hooks_of
from service.webhooks.slots import Followed

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
def create(body: schemas.HookRequest, asker: Identity) -> CreatedHook:
    """Register a webhook. Its messages are signed with the secret in this answer, which is not shown again.

    A webhook ends with the token that created it, if that expires, or if that is a program's and is revoked.
    """
    container().authenticator.check(asker)  # the webhook outlives a token that was revoked a moment ago
    hook, secret = create_webhook(
        container(),
        CreateWebhook(body["url"], Followed(body["tournament"], body["game"]), _token_expiry(asker), _program(asker)),
        asker.player,
    )
    return {**hook_document(hook), "secret": secret}


@routes.on("GET", "/v1/webhooks", answers=schemas.Webhooks, scope="play")
def webhooks(asker: Identity) -> dict[str, list[HookDocument]]:
    """List your webhooks, without their secrets, with the last error of each, and which ones are switched off."""
    with container().stores.pool.connection() as connection:
        return {"webhooks": [hook_document(hook) for hook in hooks_of(connection, asker.player)]}


@routes.on("GET", "/v1/webhooks/<uuid:hook>", answers=schemas.WebhookDocument, scope="play", refuses=(404,))
def webhook(hook: UUID, asker: Identity) -> HookDocument:
    """Read one of your webhooks."""
    with container().stores.pool.connection() as connection:
        return hook_document(get_hook(connection, asker.player, hook))


@routes.on("DELETE", "/v1/webhooks/<uuid:hook>", status=204, scope="play", refuses=(404,), while_blocked=True)
def remove(hook: UUID, asker: Identity) -> None:
    """Delete a webhook; messages that wait are dropped."""
    remove_webhook(container(), RemoveWebhook(hook), asker.player)


@routes.on(
    "POST", "/v1/webhooks/<uuid:hook>/test", answers=schemas.TestOnItsWay, status=202, scope="play", refuses=(404,)
)
def try_out(hook: UUID, asker: Identity) -> dict[str, int]:
    """Send a test message; a moment later the webhook shows whether it arrived."""
    return {"number": send_test(container(), SendTest(hook), asker.player)}


@routes.on(
    "POST", "/v1/webhooks/<uuid:hook>/on", answers=schemas.WebhookDocument, status=200, scope="play", refuses=(404,)
)
def switch_on(hook: UUID, asker: Identity) -> HookDocument:
    """Switch a webhook on that the service switched off. What happened meanwhile is not sent."""
    return hook_document(switch_webhook_on(container(), SwitchWebhookOn(hook, _token_expiry(asker)), asker.player))


def _program(asker: Identity) -> UUID | None:
    """Returns the token of a program; None for other clients."""
    return None if asker.program is None else asker.token


def _token_expiry(asker: Identity) -> int | None:
    """Returns when the token of a request expires; None for a session, whose webhooks last."""
    return None if asker.token is None else asker.expires

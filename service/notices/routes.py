"""Routes of browsers that take notices by Web Push."""

import base64

from service.notices import schemas
from service.notices.notice_keys import public_vapid_key
from service.notices.push_queue import Subscription, drop_subscriptions, put_subscription, subscribed_sessions
from service.players.commands.confirmation import session_of
from service.players.identity import Identity
from service.web.responses import request_language
from service.web.routing import Routes, container
from service.webhooks.addresses import target

routes = Routes("push", "Notices to browsers")


@routes.on("GET", "/v1/me/push", answers=schemas.PushDocument, scope="read")
def push(asker: Identity) -> schemas.PushSummary:
    """Read the key that browsers subscribe with, and how many of yours did. Only a session may."""
    session = session_of(asker)
    here = container()
    with here.stores.pool.connection() as connection:
        key = public_vapid_key(connection, here.vault)
        sessions = subscribed_sessions(connection, asker.player)
    spelled = None if key is None else base64.urlsafe_b64encode(key).decode().rstrip("=")
    return {"key": spelled, "browsers": len(sessions), "here": session in sessions}


@routes.on("POST", "/v1/me/push", body=schemas.NewBrowser, status=204, scope="read", refuses=(409,), while_blocked=True)
def subscribe(body: schemas.NewBrowserBody, asker: Identity) -> None:
    """Let a browser take notices until it logs out, in the language of the request; the ninth replaces the oldest.

    Only a session may.
    """
    session_of(asker)
    here = container()
    target(body["endpoint"], anywhere=here.settings.calls_anywhere)
    new = Subscription(body["endpoint"], body["p256dh"], body["auth"])
    with here.stores.pool.connection() as connection:
        put_subscription(connection, here.vault, here.now(), asker, request_language(), new)


@routes.on("DELETE", "/v1/me/push", status=204, scope="read", while_blocked=True)
def unsubscribe(asker: Identity) -> None:
    """Let no browser of yours take notices any more. Only a session may."""
    session_of(asker)
    with container().stores.pool.connection() as connection:
        drop_subscriptions(connection, asker.player)

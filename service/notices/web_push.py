"""Sends messages to browsers by Web Push: encrypted for the browser, signed, to public addresses alone."""

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import structlog
from cryptography.hazmat.primitives.asymmetric import ec
from psycopg import Connection
from py_vapid import Vapid02, VapidException
from pywebpush import WebPusher

from service.container import Container
from service.core.clock import SECOND
from service.core.errors import WebhookRefused
from service.notices.notice_keys import vapid_key
from service.notices.push_queue import (
    ClaimedMessage,
    Subscription,
    claim_pushes,
    drop_subscription,
    finish_push,
    note_failed,
    note_sent,
    subscription_of,
)
from service.webhooks.addresses import target
from service.webhooks.send import connection_to

SIGNED_FOR: Final = 43_200  # seconds that a signature is valid
KEPT_FOR: Final = "86400"  # seconds that a push service keeps a message
NO_CONTACT: Final = "mailto:operator@localhost"
GONE: Final = ("404", "410")  # the browser takes no messages any more
REFUSED: Final = ("400", "403", "413")  # the same message would be refused again
log = structlog.get_logger("service.notices.web_push")


def send_due_pushes(connection: Connection, here: Container) -> bool:
    """Sends messages that are due, side by side. Returns whether there were any.

    One that fails is tried again after a pause.
    """
    claimed = claim_pushes(connection, here.now())
    known = [(message, subscription_of(connection, here.vault, message.subscription)) for message in claimed]
    sent = [(message, subscription) for message, subscription in known if subscription is not None]
    for message, subscription in known:
        if subscription is None:
            drop_subscription(connection, message.subscription)
    if sent:
        faults = asyncio.run(_send_all(here, vapid_key(connection, here.vault, here.now()), sent))
        for (message, _), fault in zip(sent, faults, strict=True):
            _finish(connection, here.now(), message, fault)
    return bool(claimed)


def _finish(connection: Connection, at: int, message: ClaimedMessage, fault: str | None) -> None:
    """Removes what was sent, refused for good, or goes to a browser that takes no messages any more.

    A browser that took none for long is removed, too.
    """
    named = {"message": str(message.id), "subscription": str(message.subscription)}
    if fault is None:
        log.info("push sent", **named)
        finish_push(connection, message.id)
        note_sent(connection, message.subscription)
    elif fault.endswith(GONE):
        log.info("browser takes no messages any more", **named)
        drop_subscription(connection, message.subscription)
    else:
        given_up = fault.endswith(REFUSED)
        log.warning("push not sent", **named, reason=fault, given_up=given_up)
        if given_up:
            finish_push(connection, message.id)
        if note_failed(connection, at, message.subscription):
            log.warning("browser dropped: it failed for long", **named)


async def _send_all(
    here: Container, key: ec.EllipticCurvePrivateKey, sent: Sequence[tuple[ClaimedMessage, Subscription]]
) -> list[str | None]:
    """Posts messages side by side. Returns the fault of each."""
    with ThreadPoolExecutor(len(sent)) as resolver:
        posted = (_send(here, key, to, json.dumps(dict(message.body)).encode(), resolver) for message, to in sent)
        answers = await asyncio.gather(*posted, return_exceptions=True)  # one message must not stop the others
    return [_unforeseen(answer) if isinstance(answer, BaseException) else answer for answer in answers]


async def _send(
    here: Container, key: ec.EllipticCurvePrivateKey, to: Subscription, message: bytes, resolver: Executor
) -> str | None:
    """Posts a message; returns the fault, which names no address, None on success."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    keys = {"p256dh": to.p256dh, "auth": to.auth}
    find = partial(target, to.endpoint, anywhere=here.settings.calls_anywhere)
    try:
        body = WebPusher({"endpoint": to.endpoint, "keys": keys}).encode(message)["body"]
        headers = {"Content-Encoding": "aes128gcm", "TTL": KEPT_FOR, "Urgency": "normal", **_signature(here, key, to)}
        checked = await loop.run_in_executor(resolver, find)
    except WebhookRefused as refused:
        return f"the address is refused: {refused.reason}"
    except (ValueError, VapidException):  # keys that are none, an address that cannot be signed for
        return "the address or its keys cannot be used: 400"
    async with connection_to(checked, began) as connection:
        fault = await connection.post(body, headers)
    return None if fault is None else fault.partition(" for url")[0]


def _signature(here: Container, key: ec.EllipticCurvePrivateKey, to: Subscription) -> dict[str, str]:
    parts = urlsplit(to.endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": here.now() // SECOND + SIGNED_FOR}
    signer = Vapid02(key)
    try:
        signed: dict[str, str] = signer.sign({**claims, "sub": here.settings.public_url})
    except VapidException:  # takes no address with a port, nor one of a bare name
        signed = signer.sign({**claims, "sub": NO_CONTACT})
    return signed


def _unforeseen(fault: BaseException) -> str:
    """Returns the fault of a message that failed in an unforeseen way. Raises what ends the process."""
    if not isinstance(fault, Exception):
        raise fault
    log.error("push failed", exc_info=fault)
    return f"{type(fault).__name__}"

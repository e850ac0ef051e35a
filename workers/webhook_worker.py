"""A process that sends the messages of webhooks. Any number may run; each needs PostgreSQL alone."""

import asyncio
import signal
from typing import Final

import redis
import structlog

from service.container import Container, open_container
from service.core.announce import Announcement
from service.core.errors import NotAllowed, NotThere, TableClosed
from service.core.queues import WEBHOOKS, worker_key
from service.settings import Settings
from service.webhooks.queries import check_access
from service.webhooks.sender import WebhookSender
from service.webhooks.slots import CalledHook, OwnerSlot

EVERY: Final = 5.0
LASTS: Final = 20  # seconds
log = structlog.get_logger("workers.webhook_worker")


def webhook_sender(here: Container) -> WebhookSender:
    """Returns a sender over the stores of a container."""

    def may_follow(hook: CalledHook, slot: OwnerSlot) -> bool:
        try:
            check_access(here, slot.player, hook.followed)
        except (NotThere, NotAllowed, TableClosed):
            return False
        return True

    def tell_owner(slot: OwnerSlot) -> None:
        here.announcer.announce(Announcement((str(slot.player),)))

    anywhere = here.settings.calls_anywhere
    return WebhookSender(here.stores.pool, here.vault, here.now, may_follow, tell_owner, anywhere=anywhere)


def send(settings: Settings, name: str) -> None:
    """Sends messages until SIGTERM; finishes running calls first."""
    here = open_container(settings, "webhooks")
    try:
        asyncio.run(_run(here, name))
    finally:
        here.close()


async def _run(here: Container, name: str) -> None:
    sender = webhook_sender(here)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, sender.stop)
    heartbeat = asyncio.create_task(_send_heartbeats(here, name))
    await sender.run()
    heartbeat.cancel()


async def _send_heartbeats(here: Container, name: str) -> None:
    while True:
        try:
            await asyncio.to_thread(here.stores.redis.set, worker_key(WEBHOOKS, name), here.now(), ex=LASTS)
        except redis.RedisError as problem:
            log.warning("heartbeat not written", reason=str(problem))
        await asyncio.sleep(EVERY)

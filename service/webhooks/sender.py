"""Sends the messages of webhooks: an event loop, one slot for each owner, a bounded number of slots.

A slow receiver delays only messages of its owner. Receivers that were slow last time get a share of the slots, so that
many of them leave room for the others.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Concatenate, Final, NamedTuple, ParamSpec, TypeVar

import psycopg
import structlog
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.errors import CabildoError
from events.sealing.vault import Vault
from service.core.clock import SECOND
from service.core.sealing.sealed_columns import WEBHOOK_SECRETS
from service.webhooks import slots
from service.webhooks.addresses import target
from service.webhooks.messages import headers, message_body, message_id
from service.webhooks.send import ReceiverConnection, connection_to
from service.webhooks.slots import CalledHook, DeliveryFailure, OwnerSlot, Recorded, WaitingMessage

SLOTS: Final = 64  # owners that a process sends for at once
SLOTS_FOR_SLOW: Final = 48  # of these, for owners with a slow receiver
PAGE: Final = 50  # messages read at once
RECORD_SECONDS: Final = 1.0  # how long arrivals are collected; those of a killed process are sent again
TURN_SECONDS: Final = 5.0  # of an owner; then another webhook of the owner has its turn
SLOW_SECONDS: Final = 2.0  # a call that takes longer makes a receiver slow
POLL_SECONDS: Final = 0.2
RETRY_SECONDS: Final = 2.0  # without the database
DATABASE_THREADS: Final = 4
Given = ParamSpec("Given")
Result = TypeVar("Result")
log = structlog.get_logger("service.webhooks")


class _Sent(NamedTuple):
    """The result of some calls."""

    arrived: Sequence[int] = ()
    failure: DeliveryFailure | None = None
    slow: bool = False


class WebhookSender:
    """Sends due messages. Several processes share the work by claiming slots."""

    def __init__(
        self,
        pool: ConnectionPool[Connection],
        vault: Vault,
        now: Callable[[], int],
        may_follow: Callable[[CalledHook, OwnerSlot], bool],
        tell_owner: Callable[[OwnerSlot], None],
        *,
        anywhere: bool,
    ) -> None:
        self._pool = pool
        self._vault = vault
        self._now = now
        self._may_follow = may_follow
        self._tell_owner = tell_owner  # that a webhook was switched off
        self._anywhere = anywhere
        self._turns: dict[asyncio.Task[None], OwnerSlot] = {}
        self._stopping = False

    def stop(self) -> None:
        """Ends the sender after the running calls."""
        self._stopping = True

    async def run(self) -> None:
        """Sends until stopped."""
        with self._threads():
            while not self._stopping:
                try:
                    await self._claim()
                except psycopg.Error as problem:
                    log.warning("no slots claimed", reason=str(problem))
                    await asyncio.sleep(RETRY_SECONDS)
                except Exception:
                    log.exception("no slots claimed")
                    await asyncio.sleep(RETRY_SECONDS)
                await self._wait_for_a_turn()
            await self._wait_for_all()

    async def send_due(self) -> int:
        """Sends until nothing is due. Returns the number of turns that owners had."""
        turns = 0
        with self._threads():
            while claimed := await self._claim():
                turns += claimed
                await self._wait_for_all()
        return turns

    @contextmanager
    def _threads(self) -> Iterator[None]:
        with ThreadPoolExecutor(DATABASE_THREADS) as self._database, ThreadPoolExecutor(SLOTS) as self._resolver:
            yield

    async def _claim(self) -> int:
        slow = sum(slot.slow for slot in self._turns.values())
        free = SLOTS - len(self._turns)
        if not free:
            return 0
        claimed = await self._stored(slots.claim, self._now(), free, min(free, SLOTS_FOR_SLOW - slow))
        for slot in claimed:
            turn = asyncio.create_task(self._turn(slot))
            self._turns[turn] = slot
            turn.add_done_callback(self._turns.pop)
        return len(claimed)

    async def _wait_for_a_turn(self) -> None:
        if self._turns:
            await asyncio.wait(self._turns, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(POLL_SECONDS)

    async def _wait_for_all(self) -> None:
        if self._turns:
            await asyncio.wait(self._turns)

    async def _turn(self, slot: OwnerSlot) -> None:
        """Sends messages of one webhook. After an unforeseen error the slot stays claimed until its time is over."""
        try:
            slow = await self._send_for(slot)
            await self._stored(slots.release, slot, slow=slow)
        except Exception:
            log.exception("turn of a webhook failed", hook=str(slot.hook))

    async def _send_for(self, slot: OwnerSlot) -> bool:
        """Sends until nothing waits, a call fails or the turn is over. Returns whether the receiver was slow."""
        hook = await self._stored(slots.called_hook, slot)
        if hook is None:
            return False
        if (because := await self._why_off(hook, slot)) is not None:
            await self._stored(slots.switch_off, self._now(), hook.id, because)
            self._tell_owner(slot)
            return False
        began, call_began = time.monotonic(), asyncio.get_running_loop().time()
        try:
            secret = self._vault.open(WEBHOOK_SECRETS, hook.id, bytes(hook.secret))
            where = await asyncio.get_running_loop().run_in_executor(
                self._resolver, lambda: target(hook.url, anywhere=self._anywhere)
            )
        except CabildoError as refused:
            await self._fail(slot, str(refused))
            return _is_slow(began)
        slow = _is_slow(began)
        async with connection_to(where, call_began) as receiver:
            while not self._stopping:
                sent, after = await self._send_page(slot, hook, secret, receiver)
                slow = slow or sent.slow
                if sent.failure or not after.left or not after.held or time.monotonic() - began > TURN_SECONDS:
                    break
        return slow

    async def _why_off(self, hook: CalledHook, slot: OwnerSlot) -> str | None:
        """Returns why nothing may be sent any more; None while it may."""
        if hook.expires is not None and hook.expires <= self._now():
            return slots.EXPIRED
        may = await asyncio.get_running_loop().run_in_executor(self._database, self._may_follow, hook, slot)
        return None if may else slots.NO_ACCESS

    async def _send_page(
        self, slot: OwnerSlot, hook: CalledHook, secret: bytes, receiver: ReceiverConnection
    ) -> tuple[_Sent, Recorded]:
        page = await self._stored(slots.next_messages, hook.id, PAGE)
        if not page:
            await self._stored(slots.nothing_left, slot)
            return _Sent(), Recorded()
        sent = await self._send(hook, secret, receiver, page)
        return sent, await self._record(slot, sent)

    async def _send(
        self, hook: CalledHook, secret: bytes, receiver: ReceiverConnection, page: Sequence[WaitingMessage]
    ) -> _Sent:
        """Sends messages in order for a moment, until one fails."""
        arrived: list[int] = []
        began = time.monotonic()
        slow = False
        for message in page:
            at, called = self._now(), time.monotonic()
            body = message_body(hook, message, at)
            fault = await receiver.post(body, headers(secret, message_id(hook, message), at // SECOND, body))
            slow = slow or _is_slow(called)
            if fault is not None:
                return _Sent(arrived, DeliveryFailure(message.what, fault), slow)
            arrived.append(message.number)
            if self._stopping or time.monotonic() - began > RECORD_SECONDS:
                break
        return _Sent(arrived, None, slow)

    async def _fail(self, slot: OwnerSlot, fault: str) -> None:
        page = await self._stored(slots.next_messages, slot.hook, 1)
        if page:
            await self._record(slot, _Sent(failure=DeliveryFailure(page[0].what, fault)))
        else:
            await self._stored(slots.nothing_left, slot)

    async def _record(self, slot: OwnerSlot, sent: _Sent) -> Recorded:
        recorded = await self._stored(slots.record, self._now(), slot, sent.arrived, sent.failure)
        fault = sent.failure.fault if sent.failure else None
        log.info("messages sent", hook=str(slot.hook), arrived=len(sent.arrived), fault=fault, left=recorded.left)
        if recorded.switched_off:
            self._tell_owner(slot)
        return recorded

    async def _stored(
        self, work: Callable[Concatenate[Connection, Given], Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Runs a function of `slots` on a connection."""

        def run() -> Result:
            with self._pool.connection() as connection:
                return work(connection, *given, **named)

        return await asyncio.get_running_loop().run_in_executor(self._database, run)


def _is_slow(began: float) -> bool:
    return time.monotonic() - began > SLOW_SECONDS

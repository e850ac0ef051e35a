"""Gates for heavy work: so much at once, so much waiting, and a typed refusal for the rest."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

import redis
import structlog

from service.core.errors import ServiceBusy
from service.core.stores import REDIS_AWAY

POLL: Final = 0.2  # seconds between two questions for one's turn
ALIVE: Final = 5  # seconds for which a waiting place is kept without a question
RETRY_AFTER: Final = 5  # seconds
REFUSED: Final = -1
TAKE_PLACE: Final = """
local now = tonumber(redis.call('TIME')[1])
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
    redis.call('ZREM', KEYS[1], gone)
    redis.call('ZREM', KEYS[2], gone)
end
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
    if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
        return -1
    end
    redis.call('ZADD', KEYS[1], redis.call('INCR', KEYS[3]), ARGV[1])
end
local place = redis.call('ZRANK', KEYS[1], ARGV[1])
local lease = place < tonumber(ARGV[3]) and ARGV[5] or ARGV[4]
redis.call('ZADD', KEYS[2], now + tonumber(lease), ARGV[1])
for _, key in ipairs(KEYS) do
    redis.call('EXPIRE', key, 86400)
end
return place
"""
log = structlog.get_logger("service.core.work_gate")


@dataclass(frozen=True)
class Capacity:
    """How much of some work is done at once, how much waits, and how many seconds it waits and takes at most."""

    work: str  # for the refusal
    at_once: int
    waiting: int
    wait_seconds: float
    longest: float


class WorkGate:
    """Bounds some work in this process."""

    def __init__(self, capacity: Capacity) -> None:
        self.capacity = capacity
        self._free = threading.Semaphore(capacity.at_once)
        self._lock = threading.Lock()
        self._inside = 0

    def waiting(self) -> int:
        """Returns how many wait for a place."""
        return max(0, self._inside - self.capacity.at_once)

    @contextmanager
    def passed(self) -> Iterator[None]:
        """Waits for a place, and holds it for the block; raises ServiceBusy."""
        with self._lock:
            if self._inside >= self.capacity.at_once + self.capacity.waiting:
                raise ServiceBusy(self.capacity.work, RETRY_AFTER)
            self._inside += 1
        try:
            if not self._free.acquire(timeout=self.capacity.wait_seconds):
                raise ServiceBusy(self.capacity.work, RETRY_AFTER)
            try:
                yield
            finally:
                self._free.release()
        finally:
            with self._lock:
                self._inside -= 1


class SharedGate:
    """Bounds some work in all processes together, in order of arrival; while Redis is away, in each process."""

    def __init__(self, client: redis.Redis, capacity: Capacity) -> None:
        self.capacity = capacity
        self._redis = client
        self._alone = WorkGate(capacity)
        name = f"cabildo:gate:{{{capacity.work}}}"  # braces: one slot of a cluster
        self._keys = (f"{name}:places", f"{name}:leases", f"{name}:arrivals")

    @contextmanager
    def passed(self) -> Iterator[None]:
        """Waits for a place, and holds it for the block; raises ServiceBusy."""
        ticket = uuid4().hex
        try:
            self._wait(ticket)
        except REDIS_AWAY as problem:
            log.warning("each process bounds its work alone", work=self.capacity.work, reason=str(problem))
            with self._alone.passed():
                yield
            return
        try:
            yield
        finally:
            self._leave(ticket)

    def _wait(self, ticket: str) -> None:
        until = time.monotonic() + self.capacity.wait_seconds
        while (place := self._place(ticket)) >= self.capacity.at_once or place == REFUSED:
            if place == REFUSED or time.monotonic() >= until:
                self._leave(ticket)
                raise ServiceBusy(self.capacity.work, RETRY_AFTER)
            time.sleep(POLL)

    def _place(self, ticket: str) -> int:
        """Returns the number of tickets before this one, or REFUSED when there is no place to wait."""
        given = self.capacity
        leases = (ALIVE, int(given.longest) + ALIVE)
        answer = self._redis.eval(
            TAKE_PLACE, len(self._keys), *self._keys, ticket, given.at_once + given.waiting, given.at_once, *leases
        )
        return int(str(answer))

    def _leave(self, ticket: str) -> None:
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                for key in self._keys[:2]:
                    pipe.zrem(key, ticket)
                pipe.execute()
        except REDIS_AWAY as problem:
            log.warning("a place is kept until its lease ends", work=self.capacity.work, reason=str(problem))

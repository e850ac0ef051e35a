"""Limits how many streams are open at the same time: of a network, of an account, of a process, in all.

Each process writes its own numbers to Redis, under a key that expires: those of a process that ends, however it ends,
are gone with it. Without Redis each process limits its own streams.
"""

import secrets
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

import redis
import structlog

from service.core.errors import StreamsFull, TooManyStreams
from service.core.networks import network_of
from service.core.open_files import most_connections
from service.core.stores import REDIS_AWAY
from service.settings import Settings

NAME: Final = "cabildo:streams"  # a set of processes; the numbers of each are a hash of its own
LEASE: Final = 12  # seconds for which other processes believe numbers
RENEW_EVERY: Final = 3.0
ASK_AGAIN: Final = 2.0  # seconds after Redis did not answer
SHORT_REQUESTS: Final = 6  # one thread and one connection in so many are kept for other requests
TELL_AFTER: Final = 0.05  # seconds in which numbers of streams that end are gathered
ALL: Final = "all"
CLAIM: Final = """
local own, lease = ARGV[1], ARGV[2]
local others = {}
for _, process in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if process ~= own then
    if redis.call('EXISTS', KEYS[1] .. ':' .. process) == 1 then
      table.insert(others, process)
    else
      redis.call('SREM', KEYS[1], process)
    end
  end
end
for at = 3, #ARGV, 3 do
  local open = tonumber(ARGV[at + 1])
  for _, process in ipairs(others) do
    open = open + tonumber(redis.call('HGET', KEYS[1] .. ':' .. process, ARGV[at]) or 0)
  end
  if open > tonumber(ARGV[at + 2]) then
    return ARGV[at]
  end
end
for at = 3, #ARGV, 3 do
  redis.call('HSET', KEYS[1] .. ':' .. own, ARGV[at], ARGV[at + 1])
end
redis.call('SADD', KEYS[1], own)
redis.call('EXPIRE', KEYS[1] .. ':' .. own, lease)
return ''
"""
log = structlog.get_logger("service.live.stream_limits")


class Limit(NamedTuple):
    """How many streams of one kind may be open."""

    key: str
    most: int


@dataclass
class OpenStream:
    """An open stream as it is counted."""

    limits: "StreamLimits"
    keys: Sequence[str]
    holds_thread: bool
    counted: bool = True

    def leave(self) -> None:
        """Stops counting the stream; doing so again changes nothing."""
        self.limits.release(self)


class StreamLimits:
    """Counts the open streams of this process, and knows those of the others."""

    def __init__(self, client: "redis.Redis", settings: Settings) -> None:
        self._redis = client
        self._settings = settings
        self._room = _without_reserve(most_connections())
        self._thread_room = min(self._room, _without_reserve(settings.web_threads))
        self._held_threads = 0
        self._process = secrets.token_hex(8)
        self._open = Counter[str]()
        self._untold = set[str]()  # numbers that fell
        self._fell = threading.Event()
        self._lock = threading.Lock()
        self._away_until = 0.0
        self._claim = client.register_script(CLAIM)
        self._renewing: threading.Thread | None = None
        self._closing = threading.Event()

    def enter(self, address: str | None, account: str | None, *, holds_thread: bool = False) -> OpenStream:
        """Counts a stream that begins; raises TooManyStreams or StreamsFull."""
        limits = [Limit(ALL, self._settings.streams)]
        limits.append(Limit(f"network {network_of(address)}", self._settings.streams_per_address))
        if account is not None:
            limits.append(Limit(f"account {account}", self._settings.streams_per_account))
        with self._lock:
            if holds_thread and self._held_threads >= self._thread_room:
                raise StreamsFull
            exceeded = self._exceeded(limits)
            if exceeded is not None:
                raise _refusal(exceeded)
            keys = [limit.key for limit in limits]
            self._open.update(keys)
            self._held_threads += holds_thread
            if self._renewing is None:
                self._renewing = threading.Thread(target=self._renew, name="stream numbers", daemon=True)
                self._renewing.start()
        return OpenStream(self, keys, holds_thread)

    def release(self, stream: OpenStream) -> None:
        """Stops counting a stream; other processes are told shortly."""
        with self._lock:
            if not stream.counted:
                return
            stream.counted = False
            self._held_threads -= stream.holds_thread
            self._open.subtract(stream.keys)
            for key in stream.keys:
                if not self._open[key]:
                    del self._open[key]
            self._untold.update(stream.keys)
        self._fell.set()

    def close(self) -> None:
        """Withdraws the numbers of this process."""
        self._closing.set()
        self._fell.set()
        if self._renewing is not None:
            self._renewing.join()
            with suppress(*REDIS_AWAY):  # they expire
                self._redis.delete(f"{NAME}:{self._process}")

    def _exceeded(self, limits: Sequence[Limit]) -> Limit | None:
        """Returns the limit that one more stream would exceed."""
        if self._open[ALL] >= self._room:
            return limits[0]
        for limit in reversed(limits):
            if self._open[limit.key] >= limit.most:
                return limit
        if time.monotonic() < self._away_until:
            return None
        numbers = [part for limit in reversed(limits) for part in (limit.key, self._open[limit.key] + 1, limit.most)]
        try:
            found = self._claim(keys=[NAME], args=[self._process, LEASE, *numbers]).decode()
        except REDIS_AWAY as problem:
            self._miss(problem)
            return None
        return next((limit for limit in limits if limit.key == found), None)

    def _tell_fallen(self) -> None:
        """Writes the numbers that fell."""
        with self._lock:
            numbers = {key: self._open[key] for key in self._untold}
            self._untold.clear()
            self._fell.clear()
            if not numbers or time.monotonic() < self._away_until:
                return
            name = f"{NAME}:{self._process}"
            try:
                with self._redis.pipeline(transaction=False) as pipe:
                    for key, number in numbers.items():
                        if number:
                            pipe.hset(name, key, number)
                        else:
                            pipe.hdel(name, key)
                    pipe.expire(name, LEASE)
                    pipe.execute()
            except REDIS_AWAY as problem:
                self._miss(problem)

    def _miss(self, problem: Exception) -> None:
        self._away_until = time.monotonic() + ASK_AGAIN
        log.warning("streams are counted by each process", reason=str(problem))

    def _renew(self) -> None:
        """Writes numbers that fell soon, and all of them before they expire, and after Redis lost them."""
        renewed = time.monotonic()
        while not self._closing.is_set():
            try:
                if self._fell.wait(max(0.0, renewed + RENEW_EVERY - time.monotonic())):
                    self._closing.wait(TELL_AFTER)
                    self._tell_fallen()
                if time.monotonic() >= renewed + RENEW_EVERY:
                    renewed = time.monotonic()
                    self._tell_all()
            except Exception:
                log.exception("numbers of streams not renewed")

    def _tell_all(self) -> None:
        name = f"{NAME}:{self._process}"
        with self._lock:
            try:
                with self._redis.pipeline() as pipe:
                    pipe.delete(name)
                    if self._open:
                        pipe.hset(name, items=[part for number in self._open.items() for part in number])
                        pipe.expire(name, LEASE)
                        pipe.sadd(NAME, self._process)
                    pipe.execute()
            except REDIS_AWAY as problem:
                self._miss(problem)


def _without_reserve(seats: int) -> int:
    return seats - max(1, seats // SHORT_REQUESTS)


def _refusal(exceeded: Limit) -> TooManyStreams | StreamsFull:
    if exceeded.key == ALL:
        return StreamsFull()
    return TooManyStreams(exceeded.key.partition(" ")[0], exceeded.most)

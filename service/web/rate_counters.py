"""Counts requests across processes in Redis, in batches; without Redis each process counts alone."""

import threading
import time
from dataclasses import dataclass
from typing import Final

import redis
import structlog

from service.core.stores import REDIS_AWAY

SHARE: Final = 10  # requests that a process counts before it tells the others, unless a limit says otherwise
TELL_AFTER: Final = 1.0  # seconds after which it tells them of fewer
ASK_AGAIN: Final = 2.0  # seconds after Redis did not answer
MOST: Final = 20_000  # windows that are remembered
log = structlog.get_logger("service.web.rate_counters")


@dataclass
class Window:
    """The count of one key in a window of time that all processes share."""

    ends: int
    count: int = 0  # of all processes, as of the last synchronisation
    untold: int = 0
    asked: float = 0.0  # time of the last synchronisation


class RateCounters:
    """Counts locally and synchronises with Redis."""

    def __init__(self, client: redis.Redis) -> None:
        self._redis = client
        self._windows: dict[str, Window] = {}
        self._lock = threading.Lock()
        self._talk = threading.Lock()  # one request at most waits for Redis, which may hang
        self._away_until = 0.0

    def count(self, key: str, expiry: int, amount: int = 1, share: int = SHARE) -> int:
        """Counts requests and synchronises with Redis after each `share`. Returns the number in this window."""
        now = time.time()
        with self._lock:
            window = self._windows.get(key)
            if window is None or window.ends <= now:
                window = self._begin(key, now, expiry)
            window.count += amount
            window.untold += amount
            tells = (window.untold >= share or now > window.asked + TELL_AFTER) and now >= self._away_until
        if tells and self._talk.acquire(blocking=False):
            try:
                self._tell(key, window, expiry)
            finally:
                self._talk.release()
        return window.count

    def ends(self, key: str) -> float:
        """Returns the end of the window of a key."""
        window = self._windows.get(key)
        return time.time() if window is None else float(window.ends)

    def _begin(self, key: str, now: float, expiry: int) -> Window:
        if len(self._windows) >= MOST:
            going = [(name, window) for name, window in self._windows.items() if window.ends > now]
            going.sort(key=lambda one: one[1].count, reverse=True)  # many strangers do not push out who asks much
            self._windows = dict(going[: MOST // 2])
        window = self._windows[key] = Window(ends=(int(now) // expiry + 1) * expiry)
        return window

    def _tell(self, key: str, window: Window, expiry: int) -> None:
        """Adds the local count to Redis and reads the total; other threads keep counting meanwhile."""
        name, untold = f"cabildo:limit:{key}:{window.ends}", window.untold
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                pipe.incrby(name, untold)
                pipe.expire(name, expiry + 1)
                counted, _ = pipe.execute()
        except REDIS_AWAY as problem:
            self._away_until = time.time() + ASK_AGAIN
            log.warning("requests are counted by each process", reason=str(problem))
            return
        with self._lock:
            window.untold -= untold
            window.count, window.asked = int(counted) + window.untold, time.time()

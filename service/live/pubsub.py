"""Wakes waiting threads over Redis pub/sub, with one subscription for each process.

A wake-up carries only its topic. Woken threads read the store again, so a lost, doubled or late wake-up loses
nothing; without Redis, all threads are woken at intervals.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import redis
import structlog

from service.core.stores import REDIS_AWAY

CHANNEL: Final = "cabildo:wake"
LOOK_AGAIN: Final = 5.0  # seconds until all threads are woken without a message
TRY_AGAIN: Final = 1.0  # the same without Redis
BREATH: Final = 0.5  # seconds between the listener's checks for shutdown
log = structlog.get_logger("service.live.pubsub")


class Topic:
    """A topic that threads of this process wait for."""

    def __init__(self) -> None:
        self.waiting = 0
        self._changed = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """Returns the number of wake-ups."""
        return self._count

    def ring(self) -> None:
        """Wakes all waiting threads."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def wait(self, seen: int, timeout: float) -> int:
        """Waits until the count differs from `seen`; returns the count, unchanged after a timeout."""
        with self._changed:
            self._changed.wait_for(lambda: self._count != seen, timeout)
            return self._count


class PubSub:
    """The subscription of a process; starts with the first wait."""

    def __init__(self, client: "redis.Redis", look_again: float = LOOK_AGAIN) -> None:
        self.look_again = look_again
        self._redis = client
        self._topics: dict[str, Topic] = {}
        self._lock = threading.Lock()
        self._listener: threading.Thread | None = None
        self._closing = threading.Event()

    @property
    def closing(self) -> bool:
        """Returns whether the process is shutting down, so that waiting threads stop."""
        return self._closing.is_set()

    @contextmanager
    def on(self, name: str) -> Iterator[Topic]:
        """Yields the topic of a name; keeps it while threads wait."""
        with self._lock:
            topic = self._topics.setdefault(name, Topic())
            topic.waiting += 1
            self._listen()
        try:
            yield topic
        finally:
            with self._lock:
                topic.waiting -= 1
                if not topic.waiting:
                    del self._topics[name]

    def close(self) -> None:
        """Wakes all threads for shutdown."""
        self._closing.set()
        self._ring_all()
        if self._listener is not None:
            self._listener.join()

    def _listen(self) -> None:
        if self._listener is None:
            self._listener = threading.Thread(target=self._run, name="wakeups", daemon=True)
            self._listener.start()

    def _run(self) -> None:
        while not self.closing:
            try:
                self._hear()
            except REDIS_AWAY as problem:
                log.warning("no wake-ups", reason=str(problem))
            except Exception:
                log.exception("no wake-ups")  # without this thread, no stream of the process would go on
            else:
                return
            self._ring_all()
            self._closing.wait(TRY_AGAIN)

    def _hear(self) -> None:
        with self._redis.pubsub(ignore_subscribe_messages=True) as inbox:
            inbox.subscribe(CHANNEL)
            heard = -self.look_again  # wake all at once for events before the subscription
            while not self.closing:
                message = inbox.get_message(timeout=BREATH)
                if message is not None:
                    for name in message["data"].decode(errors="replace").split():
                        self._ring(name)
                if time.monotonic() - heard > self.look_again:
                    self._ring_all()
                    heard = time.monotonic()

    def _ring(self, name: str) -> None:
        with self._lock:
            topic = self._topics.get(name)
        if topic is not None:
            topic.ring()

    def _ring_all(self) -> None:
        with self._lock:
            topics = list(self._topics.values())
        for topic in topics:
            topic.ring()

"""Who waits is woken when something may have happened: one subscription per process, shared by all who wait in it.

A wake-up carries no meaning beyond its topic. Whoever is woken reads the store again, so that a lost, doubled or late
wake-up loses nothing; while Redis is away everybody is woken now and then.
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
LOOK_AGAIN: Final = 5.0  # seconds until everybody is woken although nothing was heard
TRY_AGAIN: Final = 1.0  # the same while Redis is away
BREATH: Final = 0.5  # seconds after which the listener looks whether the process is about to end
log = structlog.get_logger("service.live.pubsub")


class Topic:
    """Something that people of this process wait for."""

    def __init__(self) -> None:
        self.waiting = 0
        self._changed = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """How often it was woken."""
        return self._count

    def ring(self) -> None:
        """Wake everybody who waits here."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def wait(self, seen: int, timeout: float) -> int:
        """Wait until it was woken more often than was seen; the count, which is the same when the time ran out."""
        with self._changed:
            self._changed.wait_for(lambda: self._count != seen, timeout)
            return self._count


class PubSub:
    """The one subscription of a process; it begins when somebody first waits."""

    def __init__(self, client: "redis.Redis", look_again: float = LOOK_AGAIN) -> None:
        self.look_again = look_again
        self._redis = client
        self._topics: dict[str, Topic] = {}
        self._lock = threading.Lock()
        self._listener: threading.Thread | None = None
        self._closing = threading.Event()

    @property
    def closing(self) -> bool:
        """Whether the process is about to end; who waits should take leave."""
        return self._closing.is_set()

    @contextmanager
    def on(self, name: str) -> Iterator[Topic]:
        """The topic of a name, for as long as somebody waits for it."""
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
        """Wake everybody for the last time."""
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
                self._ring_all()
                self._closing.wait(TRY_AGAIN)

    def _hear(self) -> None:
        with self._redis.pubsub(ignore_subscribe_messages=True) as inbox:
            inbox.subscribe(CHANNEL)
            heard = -self.look_again  # what happened before the subscription is found out at once
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

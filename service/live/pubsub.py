"""Wakes waiting threads over Redis pub/sub: one thread for each process hears the topics that threads wait for.

A wake-up carries only its topic. Woken threads read the store again, so a lost, doubled or late wake-up loses
nothing; without Redis, all threads are woken at intervals.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Final

import structlog

from service.core.stores import REDIS_AWAY
from service.live.wake_channels import Inbox, WakeChannels

LOOK_AGAIN: Final = 5.0  # seconds until all threads are woken without a message
TRY_AGAIN: Final = 1.0  # the same without Redis
BREATH: Final = 0.05  # seconds between the listener's checks for new topics and shutdown
SPARE: Final = 64  # topics that stay subscribed though no thread waits for them any more
log = structlog.get_logger("service.live.pubsub")


class Topic:
    """A topic that followers in this process wait for."""

    def __init__(self) -> None:
        self.waiting = 0
        self.listeners: set[Callable[[], None]] = set()  # called after each wake-up; they return at once
        self._changed = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """Returns the number of wake-ups."""
        return self._count

    def ring(self) -> None:
        """Wakes all who wait."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()
        for listener in list(self.listeners):
            listener()

    def wait(self, seen: int, timeout: float) -> int:
        """Waits until the count differs from `seen`; returns the count, unchanged after a timeout."""
        with self._changed:
            self._changed.wait_for(lambda: self._count != seen, timeout)
            return self._count


class PubSub:
    """The subscription of a process; starts with the first wait."""

    def __init__(self, channels: WakeChannels, look_again: float = LOOK_AGAIN) -> None:
        self.look_again = look_again
        self.sweep: Callable[[], None] = self.ring_all  # finds what was missed; rings the topics of it
        self._channels = channels
        self._topics: dict[str, Topic] = {}
        self._changes = 0  # of the set of topics
        self._lock = threading.Lock()
        self._listener: threading.Thread | None = None
        self._closing = threading.Event()

    @property
    def closing(self) -> bool:
        """Returns whether the process is shutting down, so that waiting threads stop."""
        return self._closing.is_set()

    @contextmanager
    def on(self, name: str) -> Iterator[Topic]:
        """Yields the topic of a name; keeps it meanwhile."""
        topic = self.enter(name)
        try:
            yield topic
        finally:
            self.leave(name)

    def enter(self, name: str) -> Topic:
        """Returns the topic of a name; it is kept until `leave`."""
        with self._lock:
            if name not in self._topics:
                self._topics[name] = Topic()
                self._changes += 1
            topic = self._topics[name]
            topic.waiting += 1
            self._listen()
            return topic

    def leave(self, name: str) -> None:
        """Keeps a topic no longer, once for each `enter`."""
        with self._lock:
            topic = self._topics[name]
            topic.waiting -= 1
            if not topic.waiting:
                del self._topics[name]
                self._changes += 1

    def close(self) -> None:
        """Wakes all threads for shutdown."""
        self._closing.set()
        self.ring_all()
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
            self.sweep()
            self._closing.wait(TRY_AGAIN)

    def _hear(self) -> None:
        with closing(self._channels.listen()) as inbox:
            followed: set[str] = set()
            changes, looked = -1, time.monotonic()
            while not self.closing:
                if changes != self._changes:
                    changes = self._changes
                    self._follow(inbox, followed)
                name = inbox.heard(BREATH)
                if name is not None:
                    self._ring(name)
                if time.monotonic() - looked > self.look_again:
                    self.sweep()
                    looked = time.monotonic()

    def _follow(self, inbox: Inbox, followed: set[str]) -> None:
        """Subscribes to new topics. Each is rung then, for events before the subscription."""
        with self._lock:
            wanted = set(self._topics)
        if new := wanted - followed:
            inbox.follow(new)
            followed |= new
        left = followed - wanted
        if len(left) > max(SPARE, len(wanted)):  # not at once: a client that polls comes back
            inbox.leave(left)
            followed -= left

    def _ring(self, name: str) -> None:
        with self._lock:
            topic = self._topics.get(name)
        if topic is not None:
            topic.ring()

    def ring_all(self) -> None:
        """Wakes all who wait for any topic."""
        with self._lock:
            topics = list(self._topics.values())
        for topic in topics:
            topic.ring()

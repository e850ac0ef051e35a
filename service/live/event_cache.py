"""Caches the newest events of followed streams: one read of the store serves all followers in the process."""

import threading
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

from events.event import Event
from events.store.protocol import EventStore
from service.live.pubsub import PubSub, Topic

KEPT: Final = 256  # newest events cached for each stream
MOST_TOLD: Final = 4 * KEPT
PAGE: Final = 200  # events in one read for a follower that is far behind


class CachedStream:
    """The newest events of one stream, shared by its followers."""

    def __init__(self, book: EventStore, stream: UUID, topic: Topic) -> None:
        self.topic = topic
        self.followers = 0
        self.told: dict[Hashable, Any] = {}  # documents of the newest events, shared by followers
        self._book = book
        self._stream = stream
        self._lock = threading.Lock()
        self._read = -1  # number of wake-ups at the last read of the store
        self._newest: deque[Event] = deque(maxlen=KEPT)

    def after(self, seq: int) -> Sequence[Event]:
        """Returns the next events after a version; empty when there are none yet."""
        with self._lock:
            self._catch_up()
            if not self._newest or seq + 1 >= self._newest[0].seq:
                return [event for event in self._newest if event.seq > seq]
        return list(self._book.read(self._stream, seq, PAGE))

    def newest(self) -> Event | None:
        """Returns the newest event."""
        with self._lock:
            self._catch_up()
            return self._newest[-1] if self._newest else None

    def _catch_up(self) -> None:
        count = self.topic.count
        if count == self._read:
            return
        known = self._newest[-1].seq if self._newest else max(self._book.head(self._stream).seq - 1, 0)
        for event in self._book.read(self._stream, known):
            self._newest.append(event)
        if len(self.told) > MOST_TOLD:
            self.told.clear()
        self._read = count


class EventCache:
    """The cached streams of a process."""

    def __init__(self, book: EventStore, wakeups: PubSub) -> None:
        self.pubsub = wakeups
        self._book = book
        self._feeds: dict[UUID, CachedStream] = {}
        self._lock = threading.Lock()

    def closing(self) -> bool:
        """Returns whether the process is about to end, so that followers stop."""
        return self.pubsub.closing

    def close(self) -> None:
        """Ends all followers."""
        self.pubsub.close()

    @contextmanager
    def on(self, stream: UUID) -> Iterator[CachedStream]:
        """Yields the cached stream; keeps it while it has followers."""
        with self.pubsub.on(str(stream)) as topic:
            with self._lock:
                feed = self._feeds.setdefault(stream, CachedStream(self._book, stream, topic))
                feed.followers += 1
            try:
                yield feed
            finally:
                with self._lock:
                    feed.followers -= 1
                    if not feed.followers:
                        del self._feeds[stream]

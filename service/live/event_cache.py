"""Caches the newest events of followed streams: one read of the store serves all followers in the process.

Each read compares the newest cached event with the stored one. After an older or different copy of the database was
restored, followers end with HistoryReplaced and no follower gets events of two histories.
"""

import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final
from uuid import UUID

from cachetools import LRUCache

from events.event import Event, Head
from events.store.protocol import EventStore
from service.live.document_cache import DocumentCache
from service.live.protocol import HistoryReplaced, Item, TextsChanged
from service.live.pubsub import PubSub, Topic
from service.live.text_watch import FollowedTexts, TextWatch

KEPT: Final = 64  # newest events cached for each stream
MOST_STATES: Final = 8
PAGE: Final = 64  # events in one read for a follower that is far behind
MOST_BEHIND: Final = 4  # such followers that read and prepare a page at the same time, in a process


class SharedByStreams:
    """What the cached streams of a process share."""

    def __init__(self) -> None:
        self.documents = DocumentCache()
        self.behind = threading.BoundedSemaphore(MOST_BEHIND)


class CachedStream:
    """The newest events of one stream, shared by its followers."""

    def __init__(
        self,
        book: EventStore,
        stream: UUID,
        topic: Topic,
        shared: SharedByStreams,
        watch: TextWatch | None = None,
    ) -> None:
        self.topic = topic
        self.stream = stream
        self.followers = 0
        self.replaced = False  # whether the store has another history by now
        self.states: LRUCache[int, Any] = LRUCache(MOST_STATES)  # what was computed to make them, by event
        self.telling = threading.Lock()  # guards the states
        self._book = book
        self._shared = shared
        self._token = object()  # in the keys of its documents, so that no other history has the same
        self._watch = watch
        self._texts: FollowedTexts | None = None
        self._lock = threading.Lock()
        self._read: int | None = None  # number of wake-ups at the last read of the store
        self._newest: deque[Event] = deque(maxlen=KEPT)

    @property
    def known(self) -> Head | None:
        """Returns the head of the cached events; None before the first read."""
        newest = self._newest
        return newest[-1].head if newest else None

    @property
    def stale(self) -> bool:
        """Returns whether new followers need another cache: of another history, or of what is hidden now."""
        return self.replaced or (self._texts is not None and self._texts.changed)

    def close(self) -> None:
        """Watches the texts no more, once there are no followers."""
        with self._lock:
            if self._watch is not None and self._texts is not None:
                self._watch.leave(self._texts)

    def after(self, seq: int) -> Sequence[Event]:
        """Returns the next events after a version; empty when there are none yet.

        Raises HistoryReplaced or TextsChanged.
        """
        with self._lock:
            self._catch_up(seq)
            cached = self._cached_after(seq)
        return self._read_older(seq) if cached is None else cached

    def _cached_after(self, seq: int) -> Sequence[Event] | None:
        """Returns the next events after a version; None when older ones than those in the cache are needed."""
        if self._newest and seq + 1 < self._newest[0].seq:
            return None
        return [event for event in self._newest if event.seq > seq]

    def _read_older(self, seq: int) -> Sequence[Event]:
        events = list(self._book.read(self.stream, seq, PAGE))
        self.check()  # of the same history, if the cached head is still stored
        return events

    @contextmanager
    def page(self, seq: int) -> Iterator[Sequence[Event]]:
        """Yields the next events after a version, as `after` returns them.

        Events that are not cached are large: only some followers at the same time have a page of them in hand.
        """
        with self._lock:
            self._catch_up(seq)
            cached = self._cached_after(seq)
        if cached is not None:
            yield cached
            return
        with self._shared.behind:
            yield self._read_older(seq)

    def document(self, key: Hashable, make: Callable[[], Item]) -> Item:
        """Returns a document that followers with equal rights share."""
        return self._shared.documents.get((self._token, key), make)

    def newest(self) -> Event | None:
        """Returns the newest event. Raises HistoryReplaced or TextsChanged."""
        with self._lock:
            self._catch_up(0)
            return self._newest[-1] if self._newest else None

    def check(self) -> None:
        """Compare the cached events with the store, also without a wake-up. Raises HistoryReplaced."""
        with self._lock:
            self._read = None
            self._catch_up(0)

    def _catch_up(self, seen: int) -> None:
        """Read what is new after a wake-up, or when a follower has seen more than is cached."""
        if self._watch is not None and self._texts is None:
            self._texts = self._watch.follow(self.stream, self.topic)
        if self._texts is not None and self._texts.changed:
            raise TextsChanged
        count = self.topic.count
        if count != self._read or seen > self._newest_seq:
            self._read_newer()
            self._read = count
        if self.replaced or seen > self._newest_seq:
            raise HistoryReplaced

    @property
    def _newest_seq(self) -> int:
        return self._newest[-1].seq if self._newest else 0

    def _read_newer(self) -> None:
        if not self._newest:
            self._newest.extend(self._book.read(self.stream, max(self._book.head(self.stream).seq - 1, 0)))
        while self._newest:
            events = self._book.following(self.stream, self._newest[-1].head, PAGE)
            self.replaced = self.replaced or events is None
            self._newest.extend(events or ())
            if events is None or len(events) < PAGE:
                break


class EventCache:
    """The cached streams of a process."""

    def __init__(self, book: EventStore, wakeups: PubSub, watch: TextWatch | None = None) -> None:
        self.pubsub = wakeups
        self._book = book
        self._watch = watch  # None: texts are not watched
        self._shared = SharedByStreams()
        self._feeds: dict[UUID, CachedStream] = {}
        self._lock = threading.Lock()

    @contextmanager
    def on(self, stream: UUID) -> Iterator[CachedStream]:
        """Yields the cached stream; keeps it meanwhile."""
        feed = self.enter(stream)
        try:
            yield feed
        finally:
            self.leave(feed)

    def enter(self, stream: UUID) -> CachedStream:
        """Returns the cached stream; it is kept until `leave`.

        A new follower has the cached events compared with the store, and shares no cache of a replaced history.
        """
        topic = self.pubsub.enter(str(stream))
        try:
            return self._entered(stream, topic)
        except BaseException:
            self.pubsub.leave(str(stream))
            raise

    def leave(self, feed: CachedStream) -> None:
        """Keeps a cached stream no longer, once for each `enter`."""
        with self._lock:
            feed.followers -= 1
            left = not feed.followers
            if left and self._feeds.get(feed.stream) is feed:
                del self._feeds[feed.stream]
        if left:
            feed.close()
        self.pubsub.leave(str(feed.stream))

    def sweep(self) -> None:
        """Compares all cached streams with the store by one query; rings the topics of those that differ."""
        with self._lock:
            feeds = [feed for feed in self._feeds.values() if feed.known is not None]
        stored = self._book.heads([feed.stream for feed in feeds]) if feeds else {}
        for feed in feeds:
            if feed.known != stored.get(feed.stream):
                feed.topic.ring()

    def _entered(self, stream: UUID, topic: Topic) -> CachedStream:
        with self._lock:
            known = self._feeds.get(stream)
        if known is not None:
            with suppress(HistoryReplaced, TextsChanged):
                known.check()
        with self._lock:
            feed = self._feeds.get(stream)
            if feed is None or feed.stale:
                feed = self._feeds[stream] = CachedStream(self._book, stream, topic, self._shared, self._watch)
            feed.followers += 1
            return feed

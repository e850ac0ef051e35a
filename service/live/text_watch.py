"""Ends streams about a game, study or tournament after an administrator hid or showed one of its texts.

Their readers then read the texts again. A web process looks after an announcement, and every few seconds: with one
query for all streams that it follows.
"""

import threading
import time
from collections.abc import Iterable
from typing import Final
from uuid import UUID

import psycopg
import structlog
from psycopg import Connection
from psycopg_pool import ConnectionPool

from service.core.announce import Announcement
from service.live.pubsub import PubSub, Topic

TOPIC: Final = "texts"
TEXTS_HIDDEN: Final = Announcement((TOPIC,))  # or shown again
CHECK_SECONDS: Final = 5.0
LEAST_PAUSE: Final = 0.2  # between two looks, whatever is announced
HIDDEN: Final = """
SELECT texts.stream, hash FROM hidden_texts JOIN texts USING (hash) WHERE texts.stream = ANY(%(streams)s)
UNION SELECT stream, hash FROM hidden_texts WHERE hash = '' AND about <> 'message' AND stream = ANY(%(streams)s)
UNION SELECT games.id, hash FROM games JOIN hidden_texts ON stream = tournament AND about = 'tournament'
    WHERE games.id = ANY(%(streams)s)
"""
NOTHING: Final = frozenset[bytes]()
log = structlog.get_logger("service.live.text_watch")


def hidden_hashes(connection: Connection, streams: Iterable[UUID]) -> dict[UUID, frozenset[bytes]]:
    """Returns the hashes of the hidden texts of streams, and of games that of their tournament's title."""
    found: dict[UUID, set[bytes]] = {}
    for stream, hash in connection.execute(HIDDEN, {"streams": list(streams)}):
        found.setdefault(stream, set()).add(bytes(hash))
    return {stream: frozenset(hashes) for stream, hashes in found.items()}


class FollowedTexts:
    """Which texts of one followed stream are hidden; once that has changed, it stays so."""

    def __init__(self, stream: UUID, topic: Topic, hidden: frozenset[bytes]) -> None:
        self.stream = stream
        self.changed = False
        self._topic = topic
        self._hidden = hidden

    def compare(self, hidden: frozenset[bytes]) -> None:
        """Notes a change and wakes the followers."""
        if hidden != self._hidden and not self.changed:
            self.changed = True
            self._topic.ring()


class TextWatch:
    """The followed streams of a process, and the thread that looks after their hidden texts."""

    def __init__(self, pool: ConnectionPool[Connection], pubsub: PubSub, check_seconds: float = CHECK_SECONDS) -> None:
        self._pool = pool
        self._pubsub = pubsub
        self._check_seconds = check_seconds
        self._followed: set[FollowedTexts] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def follow(self, stream: UUID, topic: Topic) -> FollowedTexts:
        """Returns the texts of a stream as they are now, watched from now on."""
        with self._pool.connection() as connection:
            hidden = hidden_hashes(connection, [stream]).get(stream, NOTHING)
        texts = FollowedTexts(stream, topic, hidden)
        with self._lock:
            self._followed.add(texts)
            self._start()
        return texts

    def leave(self, texts: FollowedTexts) -> None:
        """Watches a stream no more."""
        with self._lock:
            self._followed.discard(texts)

    def check(self) -> None:
        """Compares the hidden texts of all followed streams with the stored ones."""
        with self._lock:
            followed = list(self._followed)
        if not followed:
            return
        with self._pool.connection() as connection:
            hidden = hidden_hashes(connection, {texts.stream for texts in followed})
        for texts in followed:
            texts.compare(hidden.get(texts.stream, NOTHING))

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="texts", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        with self._pubsub.on(TOPIC) as topic:
            while not self._pubsub.closing:
                seen = topic.count
                try:
                    self.check()
                except psycopg.Error as problem:
                    log.warning("hidden texts not checked", reason=str(problem))
                except Exception:
                    log.exception("hidden texts not checked")
                time.sleep(LEAST_PAUSE)
                topic.wait(seen, self._check_seconds)

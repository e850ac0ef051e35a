"""The talks that streams of this process follow, and the look for messages and rematches whose wake-up was lost."""

import threading
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from service.live.pubsub import Topic

STATES: Final = "SELECT stream, newest, changes FROM talks WHERE stream = ANY(%s)"
REMATCHES: Final = "SELECT game, rematch FROM rematches WHERE game = ANY(%s)"


class TalkNews(NamedTuple):
    """What followers are told, as far as one look at all talks finds it."""

    newest: int | None = None  # the number of the newest message; None while nothing was said
    changes: int = 0  # how often something was changed
    rematch: UUID | None = None


class FollowedTalk:
    """A talk with its followers, and its state at the last look."""

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.followers = 0
        self.seen = TalkNews()  # as before the first look


class FollowedTalks:
    """The followed talks of a process."""

    def __init__(self, pool: ConnectionPool[Connection]) -> None:
        self.pool = pool
        self._talks: dict[UUID, FollowedTalk] = {}
        self._lock = threading.Lock()

    def enter(self, stream: UUID, topic: Topic) -> None:
        """Follows a talk, until `leave`."""
        with self._lock:
            self._talks.setdefault(stream, FollowedTalk(topic)).followers += 1

    def leave(self, stream: UUID) -> None:
        """Follows a talk no longer, once for each `enter`."""
        with self._lock:
            talk = self._talks[stream]
            talk.followers -= 1
            if not talk.followers:
                del self._talks[stream]

    def sweep(self) -> None:
        """Compares all followed talks with the last look by one query; rings the topics of those that differ."""
        with self._lock:
            followed = dict(self._talks)
        if not followed:
            return
        with self.pool.connection() as connection:
            talks = {row[0]: (row[1], row[2]) for row in connection.execute(STATES, (list(followed),))}
            rematches: dict[UUID, UUID] = dict(connection.execute(REMATCHES, (list(followed),)).fetchall())
        for stream, talk in followed.items():
            stored = TalkNews(*talks.get(stream, (None, 0)), rematches.get(stream))
            if stored != talk.seen:
                talk.seen = stored
                talk.topic.ring()

"""What the world hears after a commit: streams wake, the next seat's bot is called. Nothing here is truth.

Redis is told by a thread of its own, so that no move waits for it. What is lost is made good: streams look again by
themselves, and a sweep calls bots whose turn is due.
"""

import threading
from queue import SimpleQueue
from typing import Final, NamedTuple
from uuid import UUID

import redis
import structlog
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from service.act import Act
from service.stores import REDIS_AWAY
from service.wakeups import CHANNEL

BOTS: Final = "bots"  # the queue
TAKE_TURN: Final = "workers.jobs.take_turn"
JOB_SECONDS: Final = 60
MOST_WAITING: Final = 10_000  # beyond it, news are dropped: nobody can tell them any more
log = structlog.get_logger("service.announce")


class News(NamedTuple):
    """Who is to be woken, and whose bot is to be called at which version."""

    topics: tuple[str, ...]
    game: UUID
    version: int
    engine: str | None


def news_of(act: Act) -> News:
    """What there is to tell of an act: to those who follow the game, and to its players when their turn changes."""
    record, before = act.record, act.before.record
    players = {chair.player for chair in record.chairs if chair.player is not None and chair.bot is None}
    if before is not None and before.status == record.status and record.turn is not None:
        players &= {record.seats[record.turn.seat].player}
    return News((str(act.id), *sorted(players)), act.id, act.now.head.seq, record.engine)


class Announcer:
    """Tells Redis what happened, in the order in which it was told."""

    def __init__(self, client: "redis.Redis") -> None:
        self._redis = client
        self._bots = Queue(BOTS, connection=client, serializer=JSONSerializer)
        self._news: SimpleQueue[News] = SimpleQueue()
        self._lock = threading.Lock()
        self._teller: threading.Thread | None = None
        self._idle = threading.Event()
        self._idle.set()

    def announce(self, act: Act, *, calls_bots: bool = True) -> None:
        """Tell of an act that is committed; returns at once."""
        if self._news.qsize() >= MOST_WAITING:
            return
        self._idle.clear()
        news = news_of(act)
        self._news.put(news if calls_bots else news._replace(engine=None))
        with self._lock:
            if self._teller is None:  # not before: gunicorn forks after the application is made
                self._teller = threading.Thread(target=self._tell_all, name="announcer", daemon=True)
                self._teller.start()

    def told(self, within: float) -> bool:
        """Wait until everything has been told; False when the time was too short."""
        return self._idle.wait(within)

    def call_bot(self, game: UUID, version: int) -> None:
        """Put a bot's turn into the queue, once."""
        call_bot(self._bots, game, version)

    def _tell_all(self) -> None:
        while True:
            news = self._news.get()
            try:
                self._tell(news)
            except REDIS_AWAY as problem:
                log.warning("nobody was told", game=str(news.game), version=news.version, reason=str(problem))
            if self._news.empty():
                self._idle.set()

    def _tell(self, news: News) -> None:
        if news.engine is not None:
            self.call_bot(news.game, news.version)
        for topic in news.topics:
            self._redis.publish(CHANNEL, topic)


def call_bot(queue: Queue, game: UUID, version: int) -> None:
    """Put a bot's turn into a queue; the same turn is never there twice."""
    try:
        queue.enqueue_call(
            TAKE_TURN,
            args=(str(game), version),
            job_id=f"turn-{game}-{version}",
            timeout=JOB_SECONDS,
            result_ttl=0,
            failure_ttl=JOB_SECONDS,
            retry=Retry(max=3),
            unique=True,
        )
    except DuplicateJobError:
        log.debug("the bot was called before", game=str(game), version=version)

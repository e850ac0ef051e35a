"""Publishes committed events on Redis: wakes streams, enqueues bot turns. Redis holds no truth.

A separate thread publishes, so that no move waits for Redis. Lost messages are repaired: streams read again after a
time, and a sweep enqueues due bot turns.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from uuid import UUID

import redis
import structlog
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from service.core.bot_turns import BotTurn, WaitingTurns
from service.core.queues import ANALYSES, BOT_GAMES, BOTS
from service.core.stores import REDIS_AWAY
from service.live.programmed_games import ProgrammedGames
from service.live.wake_channels import WakeChannels

TAKE_TURNS: Final = "workers.jobs.take_turns"
REVIEW: Final = "workers.jobs.review"
JOB_SECONDS: Final = 60
LISTS: Final = "lists"  # the topic of what lists of games show, except turns
MOST_WAITING: Final = 10_000  # beyond it, the oldest announcements are dropped
GATHER: Final = 0.008  # seconds in which announcements collect into one message
log = structlog.get_logger("service.core.announce")


class Announcement(NamedTuple):
    """The topics to wake, and the turn of a house bot or of a player who may have left an answer."""

    topics: tuple[str, ...]
    turn: BotTurn | None = None  # the turn of a house bot, if one is to act
    programmed: BotTurn | None = None  # the turn of a player, which an answer may play
    answered: UUID | None = None  # the game in which a player has just left an answer
    ended: UUID | None = None  # the game that is over: no answer of it stands any more


LISTS_CHANGED: Final = Announcement((LISTS,))


class Announcer:
    """Publishes announcements in order; `noted` hears them in this process before they are published."""

    def __init__(self, client: "redis.Redis", channels: WakeChannels) -> None:
        self._channels = channels
        self._bots = {queue: Queue(queue, connection=client, serializer=JSONSerializer) for queue in (BOTS, BOT_GAMES)}
        self._turns = {queue: WaitingTurns(client, queue) for queue in (BOTS, BOT_GAMES)}
        self._analyses = Queue(ANALYSES, connection=client, serializer=JSONSerializer)
        self.programmed_games = ProgrammedGames(client)
        self._news: deque[Announcement] = deque(maxlen=MOST_WAITING)
        self._changed = threading.Condition()  # guards the queue and the thread's state
        self._telling = False
        self._teller: threading.Thread | None = None
        self.noted: Callable[[Announcement], None] = lambda _news: None

    def announce(self, news: Announcement) -> None:
        """Queue an announcement of committed events; returns at once."""
        self.noted(news)
        with self._changed:
            self._news.append(news)
            if self._teller is None:  # not earlier: the process may fork before the first announcement
                self._teller = threading.Thread(target=self._tell_all, name="announcer", daemon=True)
                self._teller.start()
            self._changed.notify_all()

    def flush(self, within: float) -> bool:
        """Wait until all announcements are published. Returns False on timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._news or self._telling), within)

    def call_bot(self, turn: BotTurn) -> None:
        """Let a bot's turn wait, and call a job unless one is called already.

        A job plays the waiting turns of one maker after the other: so a maker of many games delays other makers by one
        turn at most.
        """
        if self._turns[turn.queue].add(turn):
            self._call_job(turn.queue)

    def call_answer(self, turn: BotTurn) -> None:
        """Let a turn wait in a game where players have left answers."""
        self.programmed_games.mark(str(turn.game))
        self.call_bot(turn)

    def continue_turns(self, queue: str) -> None:
        """Call a job for the turns that still wait."""
        if self._turns[queue].need_job():
            self._call_job(queue)

    def waiting_turns(self, queue: str) -> WaitingTurns:
        """Returns the waiting turns of a queue of bots."""
        return self._turns[queue]

    def call_analysis(self, id: UUID, stage: str) -> None:
        """Enqueue a stage of an analysis, once for each stage; without Redis, a sweep repeats it."""
        name = f"analysis-{id}-{stage}"
        try:
            self._analyses.enqueue_call(
                REVIEW,
                args=(str(id),),
                job_id=name,
                timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=JOB_SECONDS,
                retry=Retry(max=3),
                unique=True,
            )
        except DuplicateJobError:
            log.debug("was called before", job=name)
        except REDIS_AWAY as problem:
            log.warning("analysis not called", analysis=str(id), reason=str(problem))

    def _call_job(self, queue: str) -> None:
        """Enqueue a job without retries: the next turn or the sweep calls another."""
        self._bots[queue].enqueue_call(
            TAKE_TURNS, args=(queue,), timeout=JOB_SECONDS, result_ttl=0, failure_ttl=JOB_SECONDS
        )

    def _tell_all(self) -> None:
        while True:
            batch = self._next_batch()
            try:
                self._tell(batch)
            except REDIS_AWAY as problem:
                log.warning("nobody was told", acts=len(batch), reason=str(problem))
            except Exception:
                log.exception("announcements lost", acts=len(batch))  # readers and sweeps look for themselves
            with self._changed:
                self._telling = False
                self._changed.notify_all()

    def _next_batch(self) -> Sequence[Announcement]:
        """Wait for announcements, and collect those that follow shortly."""
        with self._changed:
            self._changed.wait_for(lambda: self._news)
        time.sleep(GATHER)
        with self._changed:
            batch = list(self._news)
            self._news.clear()
            self._telling = True
            return batch

    def _tell(self, batch: Sequence[Announcement]) -> None:
        self._channels.publish(dict.fromkeys(topic for news in batch for topic in news.topics))
        for news in batch:
            if news.turn is not None:
                self.call_bot(news.turn)
        self._call_answers(batch)

    def _call_answers(self, batch: Sequence[Announcement]) -> None:
        """Let the turns of players wait in games where answers were left; others need nothing."""
        for news in batch:
            if news.answered is not None:
                self.programmed_games.mark(str(news.answered))
            if news.ended is not None:
                self.programmed_games.unmark(str(news.ended))
        turns = [news.programmed for news in batch if news.programmed is not None]
        marked = self.programmed_games.are_marked([str(turn.game) for turn in turns])
        for turn in (turn for turn, is_marked in zip(turns, marked, strict=True) if is_marked):
            self.call_bot(turn)

"""Looks what waits for the workers that run on demand: bots that play alone, computer analyses, webhooks."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import psycopg
import redis

from events.store.connections import connect
from service.core.clock import now
from service.core.queues import BACKGROUND, WEBHOOKS, unfinished_jobs
from service.core.redis_connections import open_redis
from service.settings import Settings
from service.webhooks.slots import has_work

ON_DEMAND: Final = (*BACKGROUND, WEBHOOKS)  # for what nobody waits who plays
LOOK_EVERY: Final = 0.5  # seconds
TRY_AGAIN: Final = 5.0  # seconds after a store did not answer
ANSWER_WITHIN: Final = 2.0


class Demand:
    """How many workers of a queue have something to do; a thread asks the stores, so that no other waits for them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings.direct()
        self._wanted = dict.fromkeys(ON_DEMAND, 0)
        self._ended = threading.Event()

    def is_wanted(self, queue: str, number: int) -> bool:
        """Returns whether the worker of this number has something to do; the first one is number 1."""
        return self._wanted[queue] >= number

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Looks again and again while entered."""
        thread = threading.Thread(target=self._run, name="demand", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self._follow()
            except (psycopg.Error, redis.RedisError):
                self._ended.wait(TRY_AGAIN)  # what was wanted before is wanted still

    def _follow(self) -> None:
        """Notes what waits, over two connections, until one of them fails."""
        with ExitStack() as opened:
            limits = {"socket_timeout": ANSWER_WITHIN, "socket_connect_timeout": ANSWER_WITHIN}
            client = opened.enter_context(open_redis(self._settings.redis_url, retry=None, **limits))
            connection = opened.enter_context(connect(self._settings.database_url))
            while not self._ended.wait(LOOK_EVERY):
                self._wanted |= {queue: unfinished_jobs(client, queue) for queue in BACKGROUND}
                self._wanted[WEBHOOKS] = int(has_work(connection, now()))

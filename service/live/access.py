"""Ends streams whose token, session or account has ended: one query for all streams of a process.

A web process checks the credentials of its open streams every few seconds, and at once when a command announces that
rights have ended. A stream of an anonymous client depends on no credential.
"""

import threading
import time
from collections.abc import Callable
from typing import Final, LiteralString
from uuid import UUID

import psycopg
import structlog
from psycopg import Connection
from psycopg_pool import ConnectionPool

from service.core.announce import Announcement
from service.live.pubsub import PubSub
from service.players.identity import OF_BLOCKED_MAKER, Identity

TOPIC: Final = "access"
RIGHTS_ENDED: Final = Announcement((TOPIC,))  # of some token, session or account
CHECK_SECONDS: Final = 5.0
LEAST_PAUSE: Final = 0.5  # between two checks, whatever is announced
VALID: Final[LiteralString] = (
    """
SELECT s.id FROM sessions AS s JOIN players AS p ON p.id = s.player
WHERE s.id = ANY(%(ids)s) AND p.forgotten IS NULL AND s.expires > %(now)s
UNION ALL
SELECT t.id FROM tokens AS t JOIN players AS p ON p.id = t.player
WHERE t.id = ANY(%(ids)s) AND p.forgotten IS NULL AND (t.expires IS NULL OR t.expires > %(now)s) AND NOT """
    + OF_BLOCKED_MAKER
)
log = structlog.get_logger("service.live.access")


class StreamAccess:
    """The right to one open stream."""

    def __init__(self, credential: UUID | None, end: Callable[[], None]) -> None:
        self.credential = credential
        self.end = end  # ends the stream; returns at once


class AccessWatch:
    """The open streams of a process with their credentials, and the thread that checks them."""

    def __init__(
        self,
        pool: ConnectionPool[Connection],
        pubsub: PubSub,
        now: Callable[[], int],
        check_seconds: float = CHECK_SECONDS,
    ) -> None:
        self._pool = pool
        self._pubsub = pubsub
        self._now = now
        self._check_seconds = check_seconds
        self._open: set[StreamAccess] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def enter(self, client: Identity | None, end: Callable[[], None]) -> StreamAccess:
        """Watches the right of a client to a stream until `leave`; calls `end` when it has ended."""
        access = StreamAccess(None if client is None else client.credential, end)
        if access.credential is not None:
            with self._lock:
                self._open.add(access)
                self._start()
        return access

    def leave(self, access: StreamAccess) -> None:
        """Watches a stream no more."""
        with self._lock:
            self._open.discard(access)

    def check(self) -> None:
        """Ends the streams whose credentials are not valid any more."""
        with self._lock:
            followed = list(self._open)
        credentials = {access.credential for access in followed}
        if not credentials:
            return
        with self._pool.connection() as connection:
            rows = connection.execute(VALID, {"ids": list(credentials), "now": self._now()}).fetchall()
        valid = {id for (id,) in rows}
        for access in followed:
            if access.credential not in valid:
                access.end()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="access", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        with self._pubsub.on(TOPIC) as topic:
            while not self._pubsub.closing:
                seen = topic.count
                try:
                    self.check()
                except psycopg.Error as problem:
                    log.warning("rights of streams not checked", reason=str(problem))
                except Exception:
                    log.exception("rights of streams not checked")
                time.sleep(LEAST_PAUSE)
                topic.wait(seen, self._check_seconds)

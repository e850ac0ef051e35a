"""Locks a stream for writers that lost a race; they retry one after the other, across processes.

The primary key alone decides every race, and a first attempt takes no lock; the lock keeps a writer from losing again
and again. A writer also waits when another thread of its process is waiting for the same stream.
All waits end: a writer that waited for too long goes on without the lock.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import BoundedSemaphore, Lock
from typing import Final, TypeVar
from uuid import UUID

import psycopg
from psycopg import Connection, errors
from psycopg_pool import ConnectionPool

from events.errors import CabildoError, CommitOverdue, StaleVersion, StoreSilent

Outcome = TypeVar("Outcome")
TRIES: Final = 40  # under the lock: only first attempts in other processes can still win
LOCK_TIMEOUT: Final = "SET LOCAL lock_timeout = '2s'"  # a process may hang; then the writer goes on without the lock
LONGEST_WAIT: Final = 2.0  # seconds for a connection to lock with
LONGEST_TURN: Final = 10.0  # seconds for other threads of this process
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('cabildo.turns.' || %s, 0))"


class StreamLock:
    """Locks of streams for the threads of a process.

    One thread for each stream holds or awaits its lock, and half of the pool's connections at most do so: a lock
    that is held for long holds up no other stream.
    """

    def __init__(self, pool: ConnectionPool[Connection]) -> None:
        self._pool = pool
        self._slots = BoundedSemaphore(max(1, pool.max_size // 2))
        self._guard = Lock()
        self._waiting: list[UUID] = []  # streams whose lock a thread holds or awaits
        self._turns: dict[UUID, Lock] = {}  # of these streams, within the process

    def settle(
        self,
        stream: UUID,
        attempt: Callable[[], Outcome],
        settled: Callable[[], Outcome | None],
        *,
        insists: bool = True,
    ) -> Outcome:
        """Runs an attempt to decide and write; on a version conflict retries it under the lock if `insists`.

        `settled` returns the stored outcome of the same request, if there is one; it is returned instead of an error.
        """
        try:
            try:
                if stream not in self._waiting or not insists:
                    return attempt()
            except StaleVersion:
                if not insists:
                    raise
            return self._in_turn(stream, attempt)
        except (StoreSilent, CommitOverdue):
            raise  # to ask again would wait as long
        except CabildoError:
            if (before := settled()) is not None:
                return before
            raise

    def _in_turn(self, stream: UUID, attempt: Callable[[], Outcome]) -> Outcome:
        with self.at(stream):
            for _ in range(TRIES - 1):
                with suppress(StaleVersion):
                    return attempt()
            return attempt()

    @contextmanager
    def at(self, stream: UUID) -> Iterator[None]:
        """Holds the lock of a stream; the server releases it when this process dies.

        Goes on without the lock when another process, or the other streams of this one, hold it up for too long.
        """
        with self._turn(stream):
            if not self._slots.acquire(timeout=LONGEST_WAIT):
                yield
                return
            try:
                with self._locked(stream):
                    yield
            finally:
                self._slots.release()

    @contextmanager
    def _turn(self, stream: UUID) -> Iterator[None]:
        """Waits for the other threads of the process that want the same stream."""
        with self._guard:
            self._waiting.append(stream)
            turn = self._turns.setdefault(stream, Lock())
        taken = turn.acquire(timeout=LONGEST_TURN)
        try:
            yield
        finally:
            if taken:
                turn.release()
            with self._guard:
                self._waiting.remove(stream)
                if stream not in self._waiting:
                    del self._turns[stream]

    @contextmanager
    def _locked(self, stream: UUID) -> Iterator[None]:
        """Holds the lock in the database."""
        with self._pool.connection() as connection:
            with suppress(errors.LockNotAvailable):
                connection.execute("BEGIN")
                connection.execute(LOCK_TIMEOUT)
                connection.execute(LOCK, (str(stream),))
            try:
                yield
            finally:
                with suppress(psycopg.OperationalError):  # a broken connection holds no lock
                    connection.commit()  # a rollback would drop all prepared statements

"""Turns at a stream: whoever lost a race decides again while the other losers wait, those of other processes too.

The primary key alone decides every race, and a first try costs nothing; turns are there so that nobody who loses has to
decide again and again. Where somebody of the same process is waiting already, a newcomer waits behind.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Final, TypeVar
from uuid import UUID

import psycopg
from psycopg import Connection, errors
from psycopg_pool import ConnectionPool

from events.errors import CabildoError, StaleVersion

Outcome = TypeVar("Outcome")
TRIES: Final = 40  # in turn: only those who try for the first time, in other processes, can still be faster
PATIENCE: Final = "SET LOCAL lock_timeout = '2s'"  # with a process that stands still; then it is everybody for himself
TAKE: Final = "SELECT pg_advisory_xact_lock(hashtextextended('cabildo.turns.' || %s, 0))"


class StreamLock:
    """The turns that the threads of a process take; one of them at a time holds a connection, so that some are left."""

    def __init__(self, pool: ConnectionPool[Connection]) -> None:
        self._pool = pool
        self._lock = Lock()
        self._waiting: list[UUID] = []  # streams at which somebody waits for a turn or has it

    def settle(
        self,
        stream: UUID,
        attempt: Callable[[], Outcome],
        settled: Callable[[], Outcome | None],
        *,
        insists: bool = True,
    ) -> Outcome:
        """What comes of an attempt to decide and write; who insists tries again, in turn, when others were faster.

        `settled` tells what came of the same request, should it have been stored meanwhile: then nothing is refused.
        """
        try:
            try:
                if stream not in self._waiting or not insists:
                    return attempt()
            except StaleVersion:
                if not insists:
                    raise
            return self._in_turn(stream, attempt)
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
        """Wait for the turn at a stream and keep it; the server ends it should this process die."""
        with self._waits(stream), self._lock, self._pool.connection() as connection:
            with suppress(errors.LockNotAvailable):
                connection.execute("BEGIN")
                connection.execute(PATIENCE)
                connection.execute(TAKE, (str(stream),))
            try:
                yield
            finally:
                with suppress(psycopg.OperationalError):  # a connection that broke holds nothing any more
                    connection.commit()  # a rollback would let go of all that is prepared

    @contextmanager
    def _waits(self, stream: UUID) -> Iterator[None]:
        self._waiting.append(stream)
        try:
            yield
        finally:
            self._waiting.remove(stream)

"""A pool that leads reads to a standby, where the request says so; everything else goes to the primary."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from time import monotonic
from typing import Final

import psycopg
from psycopg import Connection

from events.store.connections import BoundedPool, PoolLimits
from service.core.clock import SECOND, now

MOST_LAG: Final = 10.0  # seconds; a standby that is further behind is not read
WAITS: Final = 1.0  # seconds for a connection to a standby
REST: Final = 5.0  # seconds without reads from a standby that failed
FRESH: Final = 1.0  # seconds for which its lag counts
LAG: Final = "SELECT max(at) FROM heartbeat"  # a keeper writes it twice a second
REPLAYED: Final = "SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= %s::pg_lsn"
_FROM_STANDBY: ContextVar[bool] = ContextVar("from_standby", default=False)


class StandbyBehind(Exception):
    """The standby does not have what this process has seen: read from the primary."""


def reads_from_standby() -> bool:
    """Returns whether the caller reads from a standby."""
    return _FROM_STANDBY.get()


@contextmanager
def reading_from(*, standby: bool) -> Iterator[None]:
    """Lets the caller read from a standby, or from the primary."""
    token = _FROM_STANDBY.set(standby)
    try:
        yield
    finally:
        _FROM_STANDBY.reset(token)


class Standby:
    """The standbys of one address, and whether they may be read now."""

    def __init__(self, url: str, size: int, limits: PoolLimits) -> None:
        self.pool = BoundedPool(url, size, limits)
        self._asking = Lock()
        self._asked = -FRESH
        self._lag: float | None = None
        self._rests_until = 0.0

    def lag(self) -> float | None:
        """Returns how many seconds it is behind; None when it does not answer, or no keeper shows it."""
        with self._asking:
            if monotonic() - self._asked >= FRESH:
                self._lag, self._asked = self._ask_lag(), monotonic()
            return self._lag

    def is_usable(self) -> bool:
        """Returns whether it answers and is not far behind."""
        lag = None if monotonic() < self._rests_until else self.lag()
        return lag is not None and lag <= MOST_LAG

    def rest(self) -> None:
        """Notes that it failed: it is left alone for a while."""
        self._rests_until = monotonic() + REST

    def has_replayed(self, position: str) -> bool:
        """Returns whether it has replayed the primary's log up to a position."""
        with self.pool.connection(WAITS) as connection:
            return connection.execute(REPLAYED, (position,)).fetchone() == (True,)

    def _ask_lag(self) -> float | None:
        try:
            with self.pool.connection(WAITS) as connection:
                row = connection.execute(LAG).fetchone()
        except psycopg.Error:
            self.rest()
            return None
        return None if row is None or row[0] is None else max(0.0, (now() - row[0]) / SECOND)


class ReadPool(BoundedPool):
    """The pool of the primary, which leads the reads of some requests to a standby."""

    def __init__(self, url: str, size: int, limits: PoolLimits, standby: Standby | None) -> None:
        self.standby = standby
        super().__init__(url, size, limits)

    @contextmanager
    def connection(self, timeout: float | None = None) -> Iterator[Connection]:
        """Lends a connection: to the standby for a caller that reads from it, else to the primary."""
        if self.standby is not None and _FROM_STANDBY.get():
            with self.standby.pool.connection(WAITS) as connection:
                yield connection
            return
        with super().connection(timeout) as connection:
            yield connection

    def close(self, timeout: float = 5.0) -> None:
        """Closes the connections to primary and standby."""
        super().close(timeout)
        if self.standby is not None:
            self.standby.pool.close(timeout)

"""Refuses writes while commits wait for a lost standby: each would leave another waiting session on the server."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.errors import CommitOverdue, CommitsHang

HANGING: Final = "SELECT waiting, seconds FROM hanging_commits()"
LONG: Final = 2.0  # seconds: longer than any commit with a standby that answers
BLIND_PAUSE: Final = 10.0  # seconds until the next write, where waits of other sessions are hidden


class CommitWatch:
    """Remembers that a write was not confirmed in time, until no commit waits for long any more."""

    def __init__(self, pool: ConnectionPool[Connection]) -> None:
        self._pool = pool
        self._overdue_at: float | None = None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Lets a write through, and notes when it is overdue. Raises CommitsHang."""
        self.check()
        try:
            yield
        except CommitOverdue:
            self.note()
            raise

    def note(self) -> None:
        """Notes that a write was not confirmed in time."""
        self._overdue_at = monotonic()

    def check(self) -> None:
        """Raises CommitsHang when a write was overdue, and commits still wait."""
        if self._overdue_at is None:
            return
        if self._still_hang(monotonic() - self._overdue_at):
            raise CommitsHang
        self._overdue_at = None

    def _still_hang(self, since: float) -> bool:
        with self._pool.connection() as connection:
            waiting, seconds = connection.execute(HANGING).fetchone() or (None, 0.0)
        return since < BLIND_PAUSE if waiting is None else bool(waiting) and seconds > LONG

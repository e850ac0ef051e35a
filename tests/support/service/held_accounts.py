"""A request that comes while another one of the same player is being stored."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import Final, LiteralString, TypeVar

import psycopg
from psycopg import Connection

from tests.service.conftest import Environ
from tests.support.running_program import PATIENCE

HOLD: Final = "SELECT FROM players WHERE id = %s FOR NO KEY UPDATE"
WAITS: Final = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND %s = ANY(pg_blocking_pids(pid))"
Answer = TypeVar("Answer")


def asked_meanwhile(
    environ: Environ, player: str, stored: LiteralString, values: Sequence[object], ask: Callable[[], Answer]
) -> Answer:
    """Stores a row under the lock of a player as a command does; asks before it commits. Returns the answer."""
    url = environ["DATABASE_URL"]
    with ThreadPoolExecutor(1) as thread, psycopg.connect(url) as other, psycopg.connect(url, autocommit=True) as look:
        other.execute(HOLD, (player,))
        other.execute(stored, values)
        asked = thread.submit(ask)
        _until_it_waits(asked, look, other.info.backend_pid)
        other.commit()
        return asked.result(PATIENCE)


def _until_it_waits(asked: "Future[Answer]", look: Connection, holder: int) -> None:
    """Returns when a request waits for the holder of a lock, or was answered without waiting."""
    until = monotonic() + PATIENCE
    while not asked.done() and look.execute(WAITS, (holder,)).fetchone() is None:
        assert monotonic() < until, "the request neither waits nor ends"

"""Requests that come at once: each waits where another one stores, or all of them where the test holds a table."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import Final, LiteralString, TypeVar

import psycopg
from psycopg import Connection

from tests.service.conftest import Environ
from tests.support.running_program import PATIENCE

HOLD: Final = "SELECT FROM players WHERE id = %s FOR NO KEY UPDATE"
WAITING: Final = """
SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
"""
Answer = TypeVar("Answer")


def asked_meanwhile(
    environ: Environ, player: str, stored: LiteralString, values: Sequence[object], ask: Callable[[], Answer]
) -> Answer:
    """Stores a row under the lock of a player as a command does; asks before it commits. Returns the answer."""
    with psycopg.connect(environ["DATABASE_URL"]) as other:
        other.execute(HOLD, (player,))
        other.execute(stored, values)
        (told,) = _asked(environ, other, [ask])
        return told


def asked_at_once(environ: Environ, held: LiteralString, *asks: Callable[[], Answer]) -> list[Answer]:
    """Asks while a statement holds a table, each when the earlier ones wait; lets all go on. Returns the answers."""
    with psycopg.connect(environ["DATABASE_URL"]) as other:
        other.execute(held)
        return _asked(environ, other, asks)


def _asked(environ: Environ, holder: Connection, asks: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """Commits what the holder holds when all requests wait or were answered. Returns the answers."""
    url = environ["DATABASE_URL"]
    with ThreadPoolExecutor(len(asks)) as threads, psycopg.connect(url, autocommit=True) as look:
        asked: list[Future[Answer]] = []
        try:
            for ask in asks:
                asked.append(threads.submit(ask))
                _until_they_wait(asked, look)
        finally:
            holder.commit()
        return [one.result(PATIENCE) for one in asked]


def _until_they_wait(asked: Sequence["Future[Answer]"], look: Connection) -> None:
    """Returns when each request waits for a lock, or was answered."""
    until = monotonic() + PATIENCE
    while True:
        ((waiting,),) = look.execute(WAITING).fetchall()
        if waiting + sum(one.done() for one in asked) >= len(asked):
            return
        assert monotonic() < until, "a request neither waits nor ends"

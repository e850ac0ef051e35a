"""Remembers in Redis up to where a client has written, so that no client reads behind its own write on a standby."""

import time
from collections.abc import Sequence
from typing import Final

import psycopg
import redis
import structlog
from psycopg import Connection
from psycopg_pool import ConnectionPool

from service.core.standby.read_pool import Standby
from service.core.stores import text

PREFIX: Final = "cabildo:wrote:"
KEPT: Final = 60  # seconds; longer than the lag of a standby that is read
LONGEST_WAIT: Final = 0.5  # seconds for a standby to replay
PAUSE: Final = 0.05
POSITION: Final = "SELECT pg_current_wal_insert_lsn()::text"
log = structlog.get_logger("service.core.standby.own_writes")


class OwnWrites:
    """The newest writes of addresses, accounts and tokens."""

    def __init__(self, client: "redis.Redis", pool: ConnectionPool[Connection]) -> None:
        self._redis = client
        self._pool = pool
        self._blind_until = 0.0

    def note(self, clients: Sequence[str]) -> None:
        """Notes that these clients may have written something."""
        try:
            with self._pool.connection() as connection:
                (position,) = connection.execute(POSITION).fetchone() or ("",)
            pipe = self._redis.pipeline(transaction=False)
            for client in clients:
                pipe.set(PREFIX + client, position, ex=KEPT)
            pipe.execute()
        except (psycopg.Error, redis.RedisError) as problem:  # reads go to the primary until this write is old
            log.warning("write not noted", reason=str(problem))
            self._blind_until = time.monotonic() + KEPT

    def are_replayed(self, clients: Sequence[str], standby: Standby) -> bool:
        """Waits a moment until a standby has what these clients wrote; returns whether it has."""
        if time.monotonic() < self._blind_until:
            return False
        try:
            found = self._redis.mget([PREFIX + client for client in clients])
        except redis.RedisError:
            return False
        positions = [text(position) for position in found if position]
        end = time.monotonic() + LONGEST_WAIT
        while not all(standby.has_replayed(position) for position in positions):
            if time.monotonic() > end:
                return False
            time.sleep(PAUSE)
        return True

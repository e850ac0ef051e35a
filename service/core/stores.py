"""Connections to PostgreSQL and Redis, opened once per process, with health checks."""

import psycopg
import redis
from psycopg.conninfo import make_conninfo
from psycopg_pool import PoolTimeout

from events.sealing.vault import Vault
from events.store.connections import PoolLimits, check_is_direct, connect
from events.store.guards import check_guards
from events.store.migrations import check_schema
from service.core.redis_connections import open_redis
from service.core.sealing.key_rotation import check_master_keys
from service.core.standby.read_pool import ReadPool, Standby
from service.live.wake_channels import WakeChannels
from service.settings import Settings

STORES = ("postgresql", "redis")
ANSWER_WITHIN = 2.0
POSTGRESQL_AWAY = (psycopg.OperationalError, PoolTimeout)
REDIS_AWAY = (redis.RedisError,)  # includes a full, read-only or failing server


def check_database(url: str, *, locks: bool = False) -> None:
    """Raises an error for a database with another schema or without its guards; with `locks`, for a pooler, too."""
    with connect(url) as connection:
        if locks:
            check_is_direct(connection)
        check_schema(connection)
        check_guards(connection)


def check_start(settings: Settings, *, locks: bool = False) -> None:
    """Raises an error for a database that this process may not serve, or whose secrets it cannot open."""
    check_database(settings.database_url, locks=locks)
    with connect(settings.database_url) as connection:
        check_master_keys(connection, Vault(settings.master_keys))


class Stores:
    """The connections of one process to PostgreSQL and Redis."""

    def __init__(self, settings: Settings, name: str) -> None:
        limits = PoolLimits(wait=settings.pool_seconds, answer=settings.answer_seconds)
        self.standby = None
        if settings.read_database_url:
            self.standby = Standby(named_address(settings.read_database_url, name), settings.pool_size, limits)
        self.pool = ReadPool(named_address(settings.database_url, name), settings.pool_size, limits, self.standby)
        self.redis = open_redis(
            settings.redis_url,
            socket_connect_timeout=ANSWER_WITHIN,
            socket_timeout=ANSWER_WITHIN,
            retry=None,
        )
        self.wake_channels = WakeChannels(
            settings.wake_redis_url or settings.redis_url,
            socket_connect_timeout=ANSWER_WITHIN,
            socket_timeout=ANSWER_WITHIN,
        )

    def missing(self) -> list[str]:
        """Returns the stores that do not answer."""
        asked = {"postgresql": self._postgresql_answers, "redis": self._redis_answers}
        return [store for store, answers in asked.items() if not answers()]

    def close(self) -> None:
        """Close all connections."""
        self.pool.close()
        self.redis.close()
        self.wake_channels.close()

    def _postgresql_answers(self) -> bool:
        try:
            with self.pool.connection(ANSWER_WITHIN) as connection:
                connection.execute("SELECT 1")
        except POSTGRESQL_AWAY:
            return False
        return True

    def _redis_answers(self) -> bool:
        try:
            return bool(self.redis.ping())
        except REDIS_AWAY:
            return False


def named_address(url: str, name: str) -> str:
    """Returns an address with the name of this process, for the server's list of sessions."""
    return make_conninfo(url, application_name=f"cabildo {name}")


def text(answer: bytes | str) -> str:
    """Returns an answer of Redis as text."""
    return answer if isinstance(answer, str) else answer.decode()

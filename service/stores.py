"""The way to PostgreSQL and Redis: opened once per process, asked whether they answer."""

import psycopg
import redis
from psycopg_pool import ConnectionPool, PoolTimeout

from service.config import Settings

ANSWER_WITHIN = 2.0
POSTGRESQL_AWAY = (psycopg.OperationalError, PoolTimeout)
REDIS_AWAY = (redis.ConnectionError, redis.TimeoutError)
HOLD_NOTHING_OPEN = "-c idle_in_transaction_session_timeout=30s"


class Stores:
    """PostgreSQL and Redis as one process reaches them."""

    def __init__(self, settings: Settings, name: str) -> None:
        self.pool = ConnectionPool(
            settings.database_url,
            min_size=1,
            max_size=settings.pool_size,
            kwargs={"application_name": f"cabildo {name}", "options": HOLD_NOTHING_OPEN},
            check=ConnectionPool.check_connection,
            timeout=ANSWER_WITHIN,
            open=True,
            name=name,
        )
        self.redis = redis.Redis.from_url(
            settings.redis_url,
            socket_connect_timeout=ANSWER_WITHIN,
            socket_timeout=ANSWER_WITHIN,
            retry=None,
        )

    def missing(self) -> list[str]:
        """The stores that do not answer now."""
        asked = {"postgresql": self._postgresql_answers, "redis": self._redis_answers}
        return [store for store, answers in asked.items() if not answers()]

    def waiting_jobs(self) -> dict[str, int]:
        """How many jobs wait in each queue."""
        keys = [key.decode() for key in self.redis.smembers("rq:queues")]
        return {key.removeprefix("rq:queue:"): self.redis.llen(key) for key in sorted(keys)}

    def close(self) -> None:
        """Let go of all connections."""
        self.pool.close()
        self.redis.close()

    def _postgresql_answers(self) -> bool:
        try:
            with self.pool.connection() as connection:
                connection.execute("SELECT 1")
        except POSTGRESQL_AWAY:
            return False
        return True

    def _redis_answers(self) -> bool:
        try:
            return bool(self.redis.ping())
        except REDIS_AWAY:
            return False

"""Checks the versions of PostgreSQL and Redis before the service starts."""

from typing import NamedTuple

import psycopg
import redis

from deploy.errors import StoreAbsent, TooOld
from service.core.redis_connections import open_redis

OLDEST_POSTGRESQL = 15
OLDEST_REDIS = 6


class Versions(NamedTuple):
    """The versions of the stores."""

    postgresql: str
    redis: str


def check_versions(database_url: str, redis_url: str) -> Versions:
    """Returns the versions of the stores. Raises TooOld or StoreAbsent."""
    return Versions(postgresql_version(database_url), redis_version(redis_url))


def postgresql_version(url: str) -> str:
    """Returns the version of PostgreSQL. Raises TooOld or StoreAbsent."""
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            number = connection.info.server_version
    except psycopg.OperationalError as problem:
        raise StoreAbsent("PostgreSQL (DATABASE_URL)", str(problem).strip()) from problem
    found = f"{number // 10_000}.{number % 10_000}"
    if number < OLDEST_POSTGRESQL * 10_000:
        raise TooOld("PostgreSQL", found, str(OLDEST_POSTGRESQL))
    return found


def redis_version(url: str) -> str:
    """Returns the version of Redis. Raises TooOld or StoreAbsent."""
    try:
        with open_redis(url, socket_connect_timeout=5, socket_timeout=5, retry=None) as client:
            found = str(client.info("server")["redis_version"])
    except redis.RedisError as problem:
        raise StoreAbsent("Redis (REDIS_URL)", str(problem)) from problem
    if int(found.split(".")[0]) < OLDEST_REDIS:
        raise TooOld("Redis", found, str(OLDEST_REDIS))
    return found

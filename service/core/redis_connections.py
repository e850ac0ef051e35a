"""Connections to Redis: one server, or the master that a group of Sentinels names.

An address of Sentinels is `redis+sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT/SERVICE[?db=N]`, with the password of
the servers. Each new connection asks the Sentinels again, so a client finds the new master after a failover.
"""

from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

import redis
from redis.sentinel import Sentinel

from service.setting_parsers import SENTINELS

ASK_WITHIN: Final = 1.0  # seconds for an answer of a Sentinel


def open_redis(url: str, **options: Any) -> "redis.Redis":
    """Returns a client of the server at an address, or of the master of its Sentinels."""
    if not url.startswith(f"{SENTINELS}://"):
        return redis.Redis.from_url(url, **options)
    parts = urlsplit(url)
    access, _, hosts = parts.netloc.rpartition("@")
    user, _, password = (unquote(part) or None for part in access.partition(":"))
    database = int(parse_qs(parts.query).get("db", ["0"])[0])
    sentinel = Sentinel(
        [host_and_port(host) for host in hosts.split(",")],
        sentinel_kwargs={"socket_timeout": ASK_WITHIN, "socket_connect_timeout": ASK_WITHIN},
    )
    client: redis.Redis = sentinel.master_for(
        parts.path.strip("/"), username=user, password=password, db=database, **options
    )
    return client


def host_and_port(text: str) -> tuple[str, int]:
    """Returns the parts of HOST:PORT; an IPv6 address stands in brackets."""
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)

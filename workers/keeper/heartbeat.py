"""A sign of life that others can read: gone soon after the process that gave it."""

import json
import time
from collections.abc import Mapping
from typing import Any

import redis
import structlog

from service.core.stores import text

EVERY = 5.0
LASTS = 20
PREFIX = "cabildo:keeper:"
log = structlog.get_logger("workers.keeper.heartbeat")


def keeper_key(name: str) -> str:
    """Where a keeper leaves its sign."""
    return PREFIX + name


def send_heartbeat(client: redis.Redis, name: str, duties: Mapping[str, Any]) -> None:
    """Say that the keeper lives and what its duties do; without Redis it is merely not seen."""
    try:
        client.set(keeper_key(name), json.dumps({"at": time.time(), "duties": duties}), ex=LASTS)
    except redis.RedisError as problem:
        log.warning("heartbeat not left", reason=str(problem))


def live_keepers(client: redis.Redis) -> dict[str, Any]:
    """The keepers that live, by name."""
    names = sorted(text(key) for key in client.scan_iter(f"{PREFIX}*"))
    found = {name.removeprefix(PREFIX): client.get(name) for name in names}
    return {name: json.loads(left) for name, left in found.items() if left}

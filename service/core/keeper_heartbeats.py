"""Heartbeats of keepers in Redis: a key that expires soon after its keeper ends."""

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
LOCK_NAME = "cabildo.keeper."  # before the name of a duty: the advisory lock that a leader holds
log = structlog.get_logger("service.core.keeper_heartbeats")


def keeper_key(name: str) -> str:
    """Returns the Redis key of a keeper's heartbeat."""
    return PREFIX + name


def send_heartbeat(client: redis.Redis, name: str, duties: Mapping[str, Any]) -> None:
    """Writes the heartbeat with the status of the duties. Without Redis, logs a warning and goes on."""
    try:
        client.set(keeper_key(name), json.dumps({"at": time.time(), "duties": duties}), ex=LASTS)
    except redis.RedisError as problem:
        log.warning("heartbeat not written", reason=str(problem))


def live_keepers(client: redis.Redis) -> dict[str, Any]:
    """Returns the heartbeats of all running keepers, by name."""
    names = sorted(text(key) for key in client.scan_iter(f"{PREFIX}*"))
    found = {name.removeprefix(PREFIX): client.get(name) for name in names}
    return {name: json.loads(left) for name, left in found.items() if left}

"""A named check of the service's health: its state, what it found, and what the operator must do."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import redis
from psycopg import Connection

from service.settings import Settings


class HealthState(StrEnum):
    """The state of a check: unknown when its source cannot be asked or nothing has happened yet."""

    OK = "ok"
    UNKNOWN = "unknown"
    FAILING = "failing"


class CheckResult(NamedTuple):
    """What a check found. `advice` says what the operator must do; empty when nothing."""

    name: str
    state: HealthState
    found: str
    advice: str = ""


class HealthSources(NamedTuple):
    """What the checks ask. The connection may write nothing and is used by one thread."""

    connection: Connection
    redis: "redis.Redis"
    settings: Settings
    now: int  # microseconds


Check = Callable[[HealthSources], Iterable[CheckResult]]


def ok(name: str, found: str) -> CheckResult:
    """Returns the result of a check that found no fault."""
    return CheckResult(name, HealthState.OK, found)


def unknown(name: str, found: str, advice: str = "") -> CheckResult:
    """Returns the result of a check that cannot tell."""
    return CheckResult(name, HealthState.UNKNOWN, found, advice)


def failing(name: str, found: str, advice: str) -> CheckResult:
    """Returns the result of a check that found a fault."""
    return CheckResult(name, HealthState.FAILING, found, advice)


def age_of_file(path: Path, now: float) -> float | None:
    """Returns the seconds since a file was last written; None without the file."""
    try:
        return max(0.0, now - path.stat().st_mtime)
    except OSError:
        return None

"""Reads whether this process can take moves, and the state of every health check."""

import time
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final, TypedDict

from service.core.errors import StoreUnavailable
from service.core.stores import POSTGRESQL_AWAY, STORES, Stores
from service.operations.checks.check import CheckResult, HealthSources, failing, ok, unknown
from service.operations.checks.table import is_healthy, run_checks
from service.settings import Settings

NEEDED: Final = "postgresql"  # without Redis moves are still accepted; bots and streams catch up
FRESH: Final = 1.0  # seconds; load balancers of many nodes ask often


class HealthCheckDocument(TypedDict):
    """A check as clients see it."""

    name: str
    state: str
    found: str
    advice: str


class Readiness(TypedDict):
    """The stores that do not answer, and every check."""

    status: str
    missing: Sequence[str]
    checks: Sequence[HealthCheckDocument]


class HealthMonitor:
    """Runs the checks of a process; keeps the results for a moment."""

    def __init__(self, settings: Settings, stores: Stores, now: Callable[[], int]) -> None:
        self._settings = settings
        self._stores = stores
        self._now = now
        self._asking = Lock()
        self._asked = -FRESH
        self._results: Sequence[CheckResult] = ()

    def readiness(self) -> Readiness:
        """Returns the state of stores and checks; raises StoreUnavailable without PostgreSQL."""
        missing = self._stores.missing()
        if NEEDED in missing:
            raise StoreUnavailable(" and ".join(missing))
        results = [*(store_result(store, missing) for store in STORES), *self._checked()]
        return {
            "status": "ready" if is_healthy(results) else "degraded",
            "missing": missing,
            "checks": check_documents(results),
        }

    def _checked(self) -> Sequence[CheckResult]:
        with self._asking:
            if time.monotonic() - self._asked >= FRESH:
                self._results, self._asked = self._check(), time.monotonic()
            return self._results

    def _check(self) -> Sequence[CheckResult]:
        try:
            with self._stores.pool.connection() as connection:
                return run_checks(HealthSources(connection, self._stores.redis, self._settings, self._now()))
        except POSTGRESQL_AWAY:
            return [unknown("checks", "PostgreSQL stopped answering", "ask again")]


def check_documents(results: Sequence[CheckResult]) -> list[HealthCheckDocument]:
    """Returns results as JSON documents."""
    return [{"name": one.name, "state": one.state.value, "found": one.found, "advice": one.advice} for one in results]


def store_result(store: str, missing: Sequence[str]) -> CheckResult:
    """Returns whether a store answers, as a check."""
    return (
        failing(store, "does not answer", "start it, or mend the way to it")
        if store in missing
        else ok(store, "answers")
    )

"""Checks of the keepers: is each duty led, and does the keeper that holds it work."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import redis

from service.core.clock import SECOND
from service.core.keeper_heartbeats import LOCK_NAME, live_keepers
from service.core.outages import read_presence
from service.operations.checks.check import CheckResult, HealthSources, failing, ok, unknown

IDLE: Final = 60.0  # seconds without a sign of work from a keeper that leads a duty
UNLED: Final = 30.0  # seconds without a leader
HELD: Final = """
SELECT duty FROM unnest(%s::text[]) AS duty
WHERE EXISTS (
    SELECT FROM pg_locks, hashtextextended(%s || duty, 0) AS hash
    WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid::bigint = (hash >> 32) & 4294967295 AND objid::bigint = hash & 4294967295 AND objsubid = 1
)
"""


def check_keepers(sources: HealthSources) -> Iterator[CheckResult]:
    """Is every duty led by a keeper that works?"""
    try:
        keepers = live_keepers(sources.redis)
    except redis.RedisError:
        yield unknown("keepers", "Redis, where keepers are listed, does not answer", "start Redis")
        return
    if not keepers:
        worked = read_presence(sources.connection).worked
        if worked is None:
            yield unknown("keepers", "no keeper has worked yet", "start one: cabildo keeper")
        else:
            seconds = (sources.now - worked) / SECOND
            yield failing("keepers", f"no keeper works since {seconds:.0f} s", "start one: cabildo keeper")
        return
    faults = [*_faults(sources, keepers)]
    yield from faults or [ok("keepers", f"{len(keepers)} keepers run, each duty is led")]


def _faults(sources: HealthSources, keepers: Mapping[str, Any]) -> Iterator[CheckResult]:
    now = sources.now / SECOND
    duties = sorted({duty for keeper in keepers.values() for duty in keeper["duties"]})
    held = {duty for (duty,) in sources.connection.execute(HELD, (duties, LOCK_NAME))}
    for duty in duties:
        seen = [(name, keeper["duties"][duty]) for name, keeper in sorted(keepers.items()) if duty in keeper["duties"]]
        leading = [(name, status) for name, status in seen if status["leading"]]
        idle = [(name, now - status["active"]) for name, status in leading if now - status["active"] > IDLE]
        if idle:
            name, seconds = idle[0]
            found = f"keeper {name} holds the duty {duty} and does nothing for {seconds:.0f} s"
            yield failing("keepers", found, "end that process: another keeper takes over; its log tells why")
        elif not leading and min(now - status["since"] for _, status in seen) > UNLED:
            holder = "a keeper that does nothing holds it" if duty in held else "no keeper leads it"
            fault = next((status["fault"] for _, status in seen if status["fault"]), "")
            yield failing("keepers", f"duty {duty}: {holder}{': ' * bool(fault)}{fault}", "end or mend that keeper")

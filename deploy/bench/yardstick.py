"""The yardstick: a fixed piece of pure Python; figures of the same run are printed as multiples of it."""

import time
from collections.abc import Callable
from typing import Final

STEPS: Final = 20_000


def workload() -> int:
    """Runs twenty thousand steps of arithmetic, tuples and a dictionary; about ten milliseconds."""
    table: dict[tuple[int, int], int] = {}
    for step in range(STEPS):
        key = (step * 7919 % 1009, step & 15)
        table[key] = table.get(key, 0) + step
    return len(table)


def per_second(work: Callable[[], object], seconds: float) -> float:
    """Returns the runs of some work in a second of processor time, repeated for some seconds."""
    done, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds or not done:
        work()
        done += 1
    return done / spent

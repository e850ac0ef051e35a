"""The service's clock in microseconds, as in events; tests freeze it."""

import time
from typing import Final

SECOND: Final = 1_000_000


def now() -> int:
    """Returns microseconds since 1970, UTC."""
    return time.time_ns() // 1000


def iso_time(at: int | None) -> str | None:
    """Returns a time in ISO format; None for None."""
    if at is None:
        return None
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at // SECOND))
    return f"{whole}.{at % SECOND:06}Z"

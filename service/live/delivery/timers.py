"""Calls that are due later, for a loop that has other work."""

import heapq
import itertools
import time
from collections.abc import Callable

Call = Callable[[], None]


class Timers:
    """Calls by the time at which they are due."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._numbers = itertools.count()
        self._due: list[tuple[float, int, Call]] = []

    def add(self, seconds: float, call: Call) -> None:
        """Lets a call be due after some seconds."""
        heapq.heappush(self._due, (self._clock() + seconds, next(self._numbers), call))

    def wait(self, most: float) -> float:
        """Returns the seconds until the next call is due, at most so many."""
        return min(most, max(0.0, self._due[0][0] - self._clock())) if self._due else most

    def run(self) -> None:
        """Makes the calls that are due."""
        now = self._clock()
        while self._due and self._due[0][0] <= now:
            heapq.heappop(self._due)[2]()

"""Time budget of a request; raises TimeBudgetExceeded with the number of steps done."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from projections.rules.errors import TimeBudgetExceeded

T = TypeVar("T")


class TimeBudget:
    """Some seconds, by a clock that is handed in; they begin now."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._until = clock() + seconds

    def through(self, steps: Iterable[T]) -> Iterator[T]:
        """The steps of some work, as long as there is time; refuses with TakesTooLong."""
        for done, step in enumerate(steps):
            if self._clock() >= self._until:
                raise TimeBudgetExceeded(done, self._seconds)
            yield step

"""Keeps the memory of a process low: few arenas, and given back after many threads or streams have ended."""

import ctypes
import gc
import os
import time
from collections.abc import Callable
from typing import Final

ARENAS: Final = 2  # of glibc's allocator; the interpreter's lock lets one thread allocate at a time
ARENA_MAX: Final = -8  # M_ARENA_MAX of malloc.h
MANY: Final = 100  # threads and connections; fewer leave little behind
FEW: Final = 10  # a part of them in so many
SETTLED_AFTER: Final = 20.0  # seconds, in which idle threads end too


def limit_arenas() -> None:
    """Lets all threads of this process allocate from few arenas; each keeps what it had at its peak.

    Does nothing without glibc, or where the operator chose a number by `MALLOC_ARENA_MAX`.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None and "MALLOC_ARENA_MAX" not in os.environ:
        mallopt(ARENA_MAX, ARENAS)


class MemoryReturn:
    """Notices that most threads and connections of a process have ended, and then returns what they had used."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._most = 0
        self._due: float | None = None
        self._trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc

    def note(self, busy: int) -> None:
        """Takes the present number of threads and connections."""
        self._most = max(self._most, busy)
        if self._most >= MANY and busy <= self._most // FEW:
            self._most = busy
            self._due = self._clock() + SETTLED_AFTER
        if self._due is not None and self._clock() >= self._due:
            self._due = None
            gc.collect()
            if self._trim is not None:
                self._trim(0)

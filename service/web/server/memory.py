"""Keeps the memory of a process with many threads low: few arenas, and given back after many threads have ended."""

import ctypes
import gc
import os
from typing import Final

ARENAS: Final = 2  # of glibc's allocator; the interpreter's lock lets one thread allocate at a time
ARENA_MAX: Final = -8  # M_ARENA_MAX of malloc.h
MANY: Final = 100  # threads; fewer leave little behind
FEW: Final = 10  # a part of them in so many


def limit_arenas() -> None:
    """Lets all threads of this process allocate from few arenas; each keeps what it had at its peak.

    Does nothing without glibc, or where the operator chose a number by `MALLOC_ARENA_MAX`.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None and "MALLOC_ARENA_MAX" not in os.environ:
        mallopt(ARENA_MAX, ARENAS)


class MemoryReturn:
    """Notices that most threads of a pool have ended, and then returns what they had used."""

    def __init__(self) -> None:
        self._most = 0
        self._trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc

    def note(self, threads: int) -> None:
        """Takes the present number of threads."""
        self._most = max(self._most, threads)
        if self._most >= MANY and threads <= self._most // FEW:
            self._most = 0
            gc.collect()
            if self._trim is not None:
                self._trim(0)

"""Gives memory back to the system after many threads have ended."""

import ctypes
import gc
from typing import Final

MANY: Final = 100  # threads; fewer leave little behind
FEW: Final = 10  # a part of them in so many


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

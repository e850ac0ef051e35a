"""The processor time of a server and its processes between two moments: it says more than a clock on a busy machine."""

from collections.abc import Mapping
from contextlib import suppress

import psutil


class ProcessorTime:
    """The processor time of a process and its children since this was made."""

    def __init__(self, main: int) -> None:
        self._main = psutil.Process(main)
        self._before = self._seconds()

    def microseconds(self) -> float:
        """Returns the time in user and kernel mode of all that run now."""
        now = self._seconds()
        return 1e6 * sum(seconds - self._before.get(pid, 0.0) for pid, seconds in now.items())

    def _seconds(self) -> Mapping[int, float]:
        found = {}
        for process in (self._main, *self._main.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                found[process.pid] = times.user + times.system
        return found

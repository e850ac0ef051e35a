"""Processor time of this process and of all servers that it has started: a busy machine changes it little."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

PROCESSES: Final = Path("/proc")


class ProcessorClock:
    """Counts from its creation; threads that have ended by the time it is asked are left out."""

    def __init__(self) -> None:
        self._begun = dict(_threads())

    def seconds(self) -> float:
        """Returns the processor time since."""
        return sum(now - self._begun.get(thread, 0) for thread, now in _threads()) / 1e9


def _threads() -> Iterator[tuple[str, int]]:
    """Yields each thread of this process and its descendants with its nanoseconds."""
    own = psutil.Process()
    for pid in (own.pid, *(child.pid for child in own.children(recursive=True))):
        with suppress(OSError):
            for thread in (PROCESSES / str(pid) / "task").iterdir():
                with suppress(OSError):
                    yield str(thread), int((thread / "schedstat").read_text().split()[0])

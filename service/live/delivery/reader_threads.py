"""A few threads that read stores for all streams of a process, so that its writing loop never waits for one."""

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

import structlog

READERS: Final = 3  # each holds one page of a stream at most
Job = Callable[[], None]
log = structlog.get_logger("service.live.delivery.reader_threads")


class ReaderThreads:
    """Runs jobs in order of arrival; starts with the first one."""

    def __init__(self, number: int = READERS) -> None:
        self._number = number
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._started = False

    def submit(self, job: Job) -> None:
        """Lets a thread run a job."""
        self._jobs.put(job)
        if self._started:
            return
        with self._lock:
            if not self._started:
                self._started = True
                for number in range(self._number):
                    threading.Thread(target=self._run, name=f"stream reader {number}", daemon=True).start()

    def close(self) -> None:
        """Ends the threads after the jobs that wait."""
        for _ in range(self._number):
            self._jobs.put(None)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception:
                log.exception("a job of streams failed")
            del job  # an idle thread keeps nothing of its last job

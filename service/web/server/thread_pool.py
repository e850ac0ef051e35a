"""A pool of threads that grows when tasks wait and shrinks when threads have nothing to do."""

import threading
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final

import structlog

IDLE_SECONDS: Final = 15.0  # after which a thread without a task ends
Task = Callable[[], None]
Desk = SimpleQueue[Task]  # where an idle thread gets its next task
log = structlog.get_logger("service.web.server.thread_pool")


class ShrinkingPool:
    """Runs tasks in at most so many threads.

    The thread that became idle last gets the next task: under little load the others stay idle and end, whereas a
    pool that takes turns would keep all of them for ever.
    """

    def __init__(self, most: int, idle_seconds: float = IDLE_SECONDS) -> None:
        self._most = most
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._threads = 0
        self._idle: list[Desk] = []
        self._waiting: deque[Task] = deque()
        self._stopping = False

    @property
    def threads(self) -> int:
        """Returns the number of threads."""
        return self._threads

    def submit(self, task: Task) -> None:
        """Runs a task in an idle or a new thread; it waits while all are busy."""
        with self._lock:
            if self._idle:
                self._idle.pop().put(task)
                return
            if self._threads >= self._most:
                self._waiting.append(task)
                return
            self._threads += 1
        try:
            threading.Thread(target=self._run, args=(task,), name="request", daemon=True).start()
        except RuntimeError:  # the system allows no more threads
            with self._lock:
                self._threads -= 1
                self._waiting.append(task)
                alone = not self._threads
            if alone:
                raise

    def shutdown(self, wait: bool = False) -> None:
        """Ends each thread after its task."""
        del wait  # as gunicorn calls it; what runs has had its time
        with self._lock:
            self._stopping = True
            self._waiting.clear()

    def _run(self, task: Task | None) -> None:
        desk: Desk = SimpleQueue()
        while task is not None:
            try:
                task()
            except Exception:  # the thread lives on; it may be the last one
                log.exception("a task failed")
            task = None  # an idle thread keeps nothing of its last request
            task = self._next(desk)

    def _next(self, desk: Desk) -> Task | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            if self._stopping:
                return None
            self._idle.append(desk)
        try:
            return desk.get(timeout=self._idle_seconds)
        except Empty:
            with self._lock:
                if desk in self._idle:
                    self._idle.remove(desk)
                    self._threads -= 1
                    return None
        return desk.get()  # handed over at the last moment

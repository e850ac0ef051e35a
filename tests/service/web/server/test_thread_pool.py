"""The threads of a web process: as many as are needed, and again few when they are not."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from service.web.server.thread_pool import ShrinkingPool
from tests.support.running_program import PATIENCE, eventually


@pytest.fixture
def running() -> Callable[[], int]:
    """Tells how many threads of pools there are, without those that an earlier test has left."""
    before = set(threading.enumerate())
    return lambda: sum(thread.name == "request" and thread not in before for thread in threading.enumerate())


@contextmanager
def busy(pool: ShrinkingPool, tasks: int) -> Iterator[None]:
    """Occupies so many threads."""
    begun, end = threading.Semaphore(0), threading.Event()

    def work() -> None:
        begun.release()
        end.wait(PATIENCE)

    for _ in range(tasks):
        pool.submit(work)
    for _ in range(tasks):
        assert begun.acquire(timeout=PATIENCE)
    yield
    end.set()


def test_threads_end_when_there_is_nothing_to_do(running: Callable[[], int]) -> None:
    pool = ShrinkingPool(300, idle_seconds=0.5)
    with busy(pool, 300):
        assert running() == 300
    assert eventually(lambda: running() == 0)


def test_threads_end_although_some_work_goes_on(running: Callable[[], int]) -> None:
    pool = ShrinkingPool(300, idle_seconds=1.0)
    with busy(pool, 100):
        pass
    done = threading.Event()

    def few_are_left() -> bool:
        done.clear()
        pool.submit(done.set)
        assert done.wait(PATIENCE)
        return running() <= 2

    assert eventually(few_are_left)
    pool.shutdown()


def test_tasks_wait_for_a_thread_and_none_is_lost() -> None:
    pool = ShrinkingPool(2, idle_seconds=0.001)
    done = threading.Semaphore(0)
    with busy(pool, 2):
        pool.submit(done.release)
        assert not done.acquire(blocking=False)
    for _ in range(2_000):
        pool.submit(done.release)
    for _ in range(2_001):
        assert done.acquire(timeout=PATIENCE)


def test_a_system_without_threads_lets_tasks_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, done = ShrinkingPool(10, idle_seconds=PATIENCE), threading.Event()
    with busy(pool, 1):
        monkeypatch.setattr(threading.Thread, "start", refuse_to_start)
        pool.submit(done.set)
        assert not done.is_set()
    assert done.wait(PATIENCE)
    pool.shutdown()


def refuse_to_start(_thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def fail() -> None:
    raise ValueError


def test_a_failed_task_costs_no_thread() -> None:
    pool, done = ShrinkingPool(1, idle_seconds=PATIENCE), threading.Event()
    pool.submit(fail)
    pool.submit(done.set)
    assert done.wait(PATIENCE)
    pool.shutdown()

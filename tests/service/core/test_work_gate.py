"""Gates bound heavy work: so much at once, so much waiting, in order, over all processes."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
import redis

from service.core import work_gate
from service.core.errors import ServiceBusy
from service.core.work_gate import Capacity, SharedGate, WorkGate
from tests.support.running_program import PATIENCE, eventually

SMALL = Capacity("tests", at_once=1, waiting=1, wait_seconds=PATIENCE, longest=1)


@pytest.fixture
def client(redis_url: str) -> Iterator[redis.Redis]:
    """A connection to Redis."""
    with redis.Redis.from_url(redis_url) as client:
        yield client


@pytest.fixture(params=["one process", "all processes"])
def gates(request: pytest.FixtureRequest, client: redis.Redis) -> tuple[WorkGate | SharedGate, WorkGate | SharedGate]:
    """The gate of one process twice, or those of two processes."""
    if request.param == "one process":
        gate = WorkGate(SMALL)
        return gate, gate
    return SharedGate(client, SMALL), SharedGate(client, SMALL)


def test_a_gate_lets_one_in_one_wait_and_refuses_a_third(
    gates: tuple[WorkGate | SharedGate, WorkGate | SharedGate], client: redis.Redis
) -> None:
    inside, end = Event(), Event()
    one, other = gates

    def works(gate: WorkGate | SharedGate) -> str:
        try:
            with gate.passed():
                inside.set()
                assert end.wait(PATIENCE)
        except ServiceBusy:
            return "refused"
        return "done"

    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(works, one)
        assert inside.wait(PATIENCE)
        later = [threads.submit(works, other), threads.submit(works, one)]
        assert eventually(lambda: any(waits.done() for waits in later))
        assert sorted(waits.done() for waits in later) == [False, True]
        end.set()
        assert first.result() == "done"
        assert sorted(waits.result() for waits in later) == ["done", "refused"]
    with one.passed():
        pass
    assert client.zcard("cabildo:gate:{tests}:places") == 0


def test_a_gate_refuses_after_its_patience() -> None:
    gate = WorkGate(Capacity("tests", 1, 1, 0.0, 1))
    with gate.passed(), pytest.raises(ServiceBusy), gate.passed():
        raise AssertionError("two were let in")


def test_the_place_of_a_process_that_died_is_free_after_its_lease(
    client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_gate, "ALIVE", 1)
    gate = SharedGate(client, SMALL)
    gate._place("of a dead process")
    with gate.passed():
        assert client.zrange("cabildo:gate:{tests}:places", 0, -1) != [b"of a dead process"]

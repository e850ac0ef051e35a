"""The clock around the stages of a move: each place exists, and no time is counted twice."""

import sys
from importlib import import_module
from time import process_time_ns, sleep

import psutil
import pytest

from deploy.bench.processor_time import ProcessorTime
from deploy.bench.stages import STAGES, StageClock, install

PLACES = [place for places in STAGES.values() for place in places]


@pytest.mark.parametrize("place", PLACES)
def test_the_functions_of_each_stage_are_where_the_service_looks_them_up(place: str) -> None:
    module, _, path = place.partition(":")
    found = import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    assert callable(found)


def test_a_stage_does_not_count_the_time_of_the_stages_it_calls() -> None:
    clock = StageClock(("outer", "inner"))
    inner = clock.timed("inner", lambda: sleep(0.05))
    outer = clock.timed("outer", inner)
    assert outer() is None
    spent = clock.spent(2)
    assert spent["inner"].wall >= 25_000  # microseconds of one of two moves
    assert spent["outer"].wall < spent["inner"].wall
    assert all(one.processor < 25_000 for one in spent.values())  # who sleeps takes no processor
    clock.reset()
    assert set(clock.spent(1).values()) == {(0.0, 0.0)}


def test_a_stage_that_fails_is_counted_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[__name__]
    monkeypatch.setattr(module, "refuse", refuse, raising=False)
    clock = StageClock(("refusing",))
    install(clock, {"refusing": (f"{__name__}:refuse",)})
    with pytest.raises(ValueError, match="no"):
        refuse()
    assert clock.spent(1)["refusing"].wall > 0


def refuse() -> None:
    """Refuses."""
    raise ValueError("no")


def test_processor_time_is_that_of_the_process_since_it_was_asked() -> None:
    measured, begun = ProcessorTime(psutil.Process().pid), process_time_ns()
    while process_time_ns() < begun + 50_000_000:
        pass
    assert measured.microseconds() >= 30_000  # the system counts in steps of ten milliseconds

"""All that any keeper ever publishes is one history: over kills, stops, promotions, stale files and restores."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.databases import Databases
from tests.support.events.forking_world import World
from tests.support.events.keeper_schedules import KNOWN_OF, LINKS, LOST_SUFFIX, carry_out, random_schedule
from tests.support.events.keeper_turns import ENDED, KILLED, REFUSED, Turns

SEED, SCHEDULES, STEPS = 11, 3, 10  # hundreds of others: tests/long/drill_forks.py


@pytest.fixture(scope="module")
def turns() -> Iterator[Turns]:
    program = Turns()
    yield program
    program.close()


@pytest.fixture
def world(databases: Databases, turns: Turns, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    opened = World(databases, turns, tmp_path, request.param)
    yield opened
    opened.close()


@pytest.mark.parametrize("world", LINKS, indirect=True)
def test_a_lost_suffix_is_not_signed_over_and_goes_on_once_recovered(world: World) -> None:
    first, last = world.nodes[0], world.nodes[-1]
    assert world.keep(first, world.primary) == ENDED
    world.play(1, 5, world.primary)
    assert world.keep(first, world.primary) == ENDED
    world.back_up()
    world.play(2, 7, world.primary)
    assert world.keep(first, world.primary) == ENDED
    world.restore(0, keeping=False)
    assert world.keep(last, world.primary) == REFUSED
    assert world.recover(first)
    assert world.keep(first, world.primary) == ENDED
    world.play(3, 3, world.primary)
    assert world.keep(last, world.primary) == ENDED
    world.check()
    assert len(max(world.published.values(), key=lambda one: one.checkpoint.size).leaves) == 15


@pytest.mark.parametrize("link", LINKS)
def test_everything_ever_published_is_one_history(databases: Databases, turns: Turns, link: str) -> None:
    for known in KNOWN_OF.get(link, (LOST_SUFFIX,)):
        carry_out(databases, turns, link, known)


@pytest.mark.parametrize("link", LINKS)
def test_random_schedules_publish_one_history(databases: Databases, turns: Turns, link: str) -> None:
    source, outcomes = random.Random(SEED), set[str]()
    for _ in range(SCHEDULES):
        outcomes.update(carry_out(databases, turns, link, random_schedule(source, STEPS)))
    assert outcomes >= {ENDED, KILLED, REFUSED}

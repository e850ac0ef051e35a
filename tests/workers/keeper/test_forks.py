"""All that any keeper ever publishes is one history: over kills, stops, promotions, stale files and restores."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from tests.support.databases import Databases
from tests.support.events.forking_world import World
from tests.support.events.keeper_turns import ENDED, REFUSED, Turns

LINKS = ("alone", "peers", "directory", "bucket", "witnesses")
STORES = ("directory", "bucket")
MOST_FAILPOINTS = 60  # that a turn passes; with more it ends
MOST_STOPPED = 3  # keepers at the same time
EXAMPLES, STEPS = 1, 6
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)  # a schedule takes seconds


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


class Work(NamedTuple):
    """Players play, a keeper starts, numbers, seals and publishes; perhaps it is killed or stopped meanwhile."""

    node: int = 0
    age: int = 0  # 1: on the database that was the primary before, if that lives on
    events: int = 2
    kill: int = 0
    stop: int = 0

    def act(self, world: World) -> None:
        url = world.alive[-1 - self.age % len(world.alive)]
        if self.events:
            world.play(len(world.backups) + 1, self.events, url)
        stop = self.stop if world.kind in STORES and len(world.stopped) < MOST_STOPPED else 0
        world.keep(world.nodes[self.node % len(world.nodes)], url, self.kill, stop)
        world.back_up()


class Promote(NamedTuple):
    """A database that ends some steps ago takes over, perhaps beside the old one.

    Without anything shared, what was published must be in the files of a node: else no keeper could know it.
    """

    lag: int = 0
    keeping: bool = False

    def act(self, world: World) -> None:
        if world.kind in (*STORES, "witnesses") or world.knows_all():
            world.restore(-1 - self.lag % len(world.backups), keeping=self.keeping and world.kind in STORES)


class Recover(NamedTuple):
    """The operator brings lost events back."""

    node: int = 0

    def act(self, world: World) -> None:
        if not world.stopped:
            world.recover(world.nodes[self.node % len(world.nodes)])


class GoOn(NamedTuple):
    """A keeper that was stopped goes on."""

    number: int = 0

    def act(self, world: World) -> None:
        if world.stopped:
            world.go_on(self.number % len(world.stopped))


class CopyFiles(NamedTuple):
    """The files of a node are backed up, or the backup is put back."""

    node: int = 0
    stale: bool = False

    def act(self, world: World) -> None:
        name = world.nodes[self.node % len(world.nodes)]
        if not self.stale:
            world.copy_files(name)
        elif world.kind == "witnesses" or world.knows_all():
            world.stale_files(name)


Action = Work | Promote | Recover | GoOn | CopyFiles
ANY_NODE = st.integers(0, 2)
WORK = st.builds(
    Work,
    node=ANY_NODE,
    age=st.sampled_from((0, 0, 1)),
    events=st.sampled_from((1, 2, 3, 0)),
    kill=st.sampled_from((0, 0, 0, *range(1, MOST_FAILPOINTS))),
    stop=st.sampled_from((0, 0, 0, 1, 2, 3, 4)),
)
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    WORK,
    WORK,
    WORK,
    st.builds(Promote, lag=st.integers(0, 3), keeping=st.booleans()),
    st.builds(Promote, lag=st.integers(0, 3), keeping=st.booleans()),
    st.builds(Recover, node=ANY_NODE),
    st.builds(GoOn, number=ANY_NODE),
    st.builds(CopyFiles, node=ANY_NODE, stale=st.booleans()),
)
SCHEDULES = st.lists(ACTIONS, min_size=STEPS, max_size=STEPS)
TWO_PRIMARIES = [Work(), Promote(keeping=True), Work(1), Work(0, age=1), Work(1), Work(0, age=1, events=9)]
LOST_SUFFIX = [Work(), CopyFiles(1), Work(), Promote(lag=1), Work(1), Work(1, events=9), Recover(), Work(1), Work(2)]
RACE = [Work(), Promote(keeping=True), Work(1, events=0), Work(0, age=1, events=9, stop=1), Work(1), GoOn(), Work(1)]
CLAIMED = [Work(), Promote(keeping=True), Work(1, events=0), Work(0, age=1, stop=2), Work(1, events=9), GoOn(), Work(1)]
STOPPED = [Work(), Work(stop=4), Promote(keeping=True), Work(1), Work(1, events=9), GoOn(), Work(0, age=1)]
KNOWN_OF = {"directory": (TWO_PRIMARIES, LOST_SUFFIX, RACE, CLAIMED, STOPPED), "bucket": (TWO_PRIMARIES, CLAIMED)}


@pytest.mark.parametrize("link", LINKS)
def test_everything_ever_published_is_one_history(databases: Databases, turns: Turns, link: str) -> None:
    @given(schedule=SCHEDULES)
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), phases=UNSHRUNK)
    def holds(schedule: Sequence[Action]) -> None:
        with tempfile.TemporaryDirectory() as root, closing(World(databases, turns, Path(root), link)) as world:
            for action in (Work(events=0), Work(events=5), *schedule):
                action.act(world)
                world.check()

    for known in KNOWN_OF.get(link, (LOST_SUFFIX,)):
        holds = example(schedule=known)(holds)
    holds()

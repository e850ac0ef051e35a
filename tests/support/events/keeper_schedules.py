"""What may happen to keepers, as schedules of actions: known ones that once forked the log, and random ones."""

import random
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.databases import Databases
from tests.support.events.forking_world import World
from tests.support.events.keeper_turns import Turns

LINKS: Final = ("alone", "peers", "directory", "bucket", "witnesses")
STORES: Final = ("directory", "bucket")
MOST_FAILPOINTS: Final = 60  # that a turn passes; with more it ends
MOST_STOPPED: Final = 3  # keepers at the same time


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
WEIGHTS: Final = {Work: 6, Promote: 4, Recover: 2, GoOn: 2, CopyFiles: 2}


def random_schedule(source: random.Random, steps: int) -> list[Action]:
    """Returns so many random actions."""
    kinds = source.choices([*WEIGHTS], [*WEIGHTS.values()], k=steps)
    return [_random_action(source, kind) for kind in kinds]


def _random_action(source: random.Random, kind: type[Action]) -> Action:
    node = source.randrange(3)
    if kind is Promote:
        return Promote(lag=source.randrange(4), keeping=source.random() < 0.5)
    if kind is Recover:
        return Recover(node)
    if kind is GoOn:
        return GoOn(node)
    if kind is CopyFiles:
        return CopyFiles(node, stale=source.random() < 0.5)
    kill = source.randint(1, MOST_FAILPOINTS) if source.random() < 0.5 else 0
    return Work(node, source.choice((0, 0, 1)), source.randrange(4), kill, source.choice((0, 0, 0, 1, 2, 3, 4)))


def carry_out(databases: Databases, turns: Turns, link: str, schedule: Sequence[Action]) -> list[str]:
    """Carries a schedule out in a world of its own, which checks all that is published; returns how turns went."""
    with tempfile.TemporaryDirectory() as root, closing(World(databases, turns, Path(root), link)) as world:
        for action in (Work(events=0), Work(events=5), *schedule):
            action.act(world)
            world.check()
        return world.outcomes


def _known(*actions: Action) -> Sequence[Action]:
    return actions


TWO_PRIMARIES = _known(Work(), Promote(keeping=True), Work(1), Work(0, age=1), Work(1), Work(0, age=1, events=9))
LOST_SUFFIX = _known(
    Work(), CopyFiles(1), Work(), Promote(lag=1), Work(1), Work(1, events=9), Recover(), Work(1), Work(2)
)
RACE = _known(
    Work(), Promote(keeping=True), Work(1, events=0), Work(0, age=1, events=9, stop=1), Work(1), GoOn(), Work(1)
)
CLAIMED = _known(
    Work(), Promote(keeping=True), Work(1, events=0), Work(0, age=1, stop=2), Work(1, events=9), GoOn(), Work(1)
)
STOPPED = _known(Work(), Work(stop=4), Promote(keeping=True), Work(1), Work(1, events=9), GoOn(), Work(0, age=1))
KNOWN_OF = {"directory": (TWO_PRIMARIES, LOST_SUFFIX, RACE, CLAIMED, STOPPED), "bucket": (TWO_PRIMARIES, CLAIMED)}

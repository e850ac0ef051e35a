"""Appends with and without the keeper at work, and how long moves take until a published checkpoint includes them."""

import multiprocessing
import time
from collections import deque
from collections.abc import Sequence
from multiprocessing.synchronize import Event as Flag
from pathlib import Path
from typing import Any, Final, NamedTuple

from deploy.bench.append import Game, move
from events.archive import Archive
from events.connections import connect, open_pool
from events.leaves import log_size, place
from events.merkle.notes import SigningKey
from events.publisher import Publisher, by_nobody
from events.sealer import Lookout, is_due, newest_seal, seal
from events.sequencer import PAUSE, sequence_once
from events.tile_files import TileFiles

ORIGIN: Final = "bench.example/log"
KEY: Final = SigningKey.from_seed(ORIGIN, bytes(32))
MASTER: Final = bytes(32)
SLICES: Final = 4  # with and without the keeper take turns, so that both see the same machine
PROBE_EVERY: Final = 0.01
WARM: Final = 20  # appends of each writer that are not measured


class House:
    """The keeper's work on a log, for measuring."""

    def __init__(self, directory: Path) -> None:
        self.files = TileFiles(directory / "log")
        self.publisher = Publisher(ORIGIN, self.files, by_nobody, None, Archive(directory / "archive", MASTER))
        self._sealed = 0.0
        self._lookout = Lookout()

    def turn(self, connection: Any) -> bool:
        """Order, seal and publish what is due; whether more waits."""
        more = sequence_once(connection) > 0
        newest = newest_seal(connection, ORIGIN)
        if newest is None or is_due(self._lookout.waiting(connection, newest.size), time.monotonic() - self._sealed):
            seal(connection, ORIGIN, [KEY])
            self._sealed = time.monotonic()
            self.publisher.publish(connection)
        return more

    def finish(self, connection: Any) -> None:
        """Leave nothing waiting."""
        while sequence_once(connection):
            pass
        size = -1
        while (sealed := seal(connection, ORIGIN, [KEY])).size > size:  # a seal takes in a batch at a time
            size = sealed.size
        self.publisher.publish(connection)


def keep(url: str, directory: str, working: Flag, stopping: Flag) -> None:
    """The keeper's process: works while it is told to."""
    house = House(Path(directory))
    with connect(url) as connection:
        while not stopping.is_set():
            if working.is_set() and house.turn(connection):
                continue
            stopping.wait(PAUSE)


def write(url: str, writing: Flag, stopping: Flag, count: Any) -> None:
    """A writer's process: appends to a stream of its own while it is told to, and counts."""
    with open_pool(url, size=1) as pool:
        game = Game(pool)
        while not stopping.is_set():
            if writing.is_set():
                game.append(move())
                with count.get_lock():
                    count.value += 1
            else:
                stopping.wait(0.005)


class Beside(NamedTuple):
    """Appends a second without and with the keeper at work, and how long moves took into the public log."""

    alone: float
    kept: float
    inclusion: Sequence[float]

    @property
    def ratio(self) -> float:
        """What is left of the appends while the keeper works."""
        return self.kept / self.alone


def sealing(url: str, directory: Path, writers: int, seconds: float, moves: int) -> Beside:
    """Let writers append with the keeper idle and at work in turns; then both until so many moves were followed."""
    spawn = multiprocessing.get_context("spawn")
    working, writing, stopping, count = spawn.Event(), spawn.Event(), spawn.Event(), spawn.Value("q", 0)
    processes = [spawn.Process(target=keep, args=(url, str(directory), working, stopping))]
    processes += [spawn.Process(target=write, args=(url, writing, stopping, count)) for _ in range(writers)]
    for process in processes:
        process.start()
    rates: dict[bool, list[float]] = {False: [], True: []}
    inclusion: list[float] = []
    with connect(url) as connection, Probe(url, directory) as probe:
        House(directory).finish(connection)
        writing.set()
        while count.value < writers * WARM:  # processes have started, statements are prepared
            pace()
        for number in range(2 * SLICES):
            kept = bool(number % 2)
            (working.set if kept else working.clear)()
            writing.set()
            begun, before = time.perf_counter(), count.value
            probe.watch(seconds / SLICES / 2, sampling=False)
            rates[kept].append((count.value - before) / (time.perf_counter() - begun))
            writing.clear()
            working.set()
            probe.settle()
        writing.set()
        while len(inclusion) < moves:
            inclusion += probe.watch(1.0, sampling=True)
        writing.clear()
        inclusion += probe.rest()
    stopping.set()
    for process in processes:
        process.join()
    alone, with_keeper = (sum(rates[kept]) / SLICES for kept in (False, True))
    return Beside(alone, with_keeper, sorted(inclusion))


def pace() -> None:
    """Let a moment pass between two looks at what others do."""
    time.sleep(PROBE_EVERY)


class Probe:
    """Appends an event now and then and sees how long it takes until a published checkpoint includes it."""

    def __init__(self, url: str, directory: Path) -> None:
        self._pool = open_pool(url, size=1)
        self._game = Game(self._pool)
        self._connection = connect(url)
        self._publisher = Publisher(ORIGIN, TileFiles(directory / "log"))
        self._waiting: deque[tuple[int, float]] = deque()

    def __enter__(self) -> "Probe":
        return self

    def __exit__(self, *_exception: object) -> None:
        self._connection.close()
        self._pool.close()

    def watch(self, seconds: float, *, sampling: bool) -> list[float]:
        """The times of what arrived meanwhile."""
        end, arrived = time.monotonic() + seconds, list[float]()
        while time.monotonic() < end:
            if sampling:
                self._game.append(move())
                self._waiting.append((self._game.head.seq, time.monotonic()))
                arrived += self._arrivals()
            pace()
        return arrived

    def settle(self) -> None:
        """Wait until everything that was appended is published: the next slice begins with nothing to catch up on."""
        while (shown := self._publisher.published()) is None or shown.size < log_size(self._connection):
            pace()

    def rest(self) -> list[float]:
        """The times of what was still under way, once it is there."""
        arrived = self._arrivals()
        while self._waiting:
            pace()
            arrived += self._arrivals()
        return arrived

    def _arrivals(self) -> list[float]:
        shown, arrived = self._publisher.published(), list[float]()
        while shown is not None and self._waiting:
            index = place(self._connection, self._game.stream, self._waiting[0][0])
            if index is None or index >= shown.size:
                break
            arrived.append(time.monotonic() - self._waiting.popleft()[1])
        return arrived

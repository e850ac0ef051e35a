"""`cabildo bench verify`: what proof costs: verifying, auditing, sealing beside appends, and the way into the log."""

import multiprocessing
import random
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing.synchronize import Event as Flag
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from deploy.bench.append import Game, move, now, opening, scratch_server
from events.archive import Archive
from events.bundle import Bundle
from events.chain import LONGEST_BATCH, link
from events.connections import connect, open_pool
from events.event import START, Event, new_stream
from events.fsck import Audit
from events.leaves import log_size, place
from events.merkle.notes import SigningKey
from events.publisher import Publisher, by_nobody
from events.sealer import is_due, newest_seal, open_origin, seal, waiting
from events.sequencer import PAUSE, sequence_once
from events.store import PostgresBook
from events.tile_files import TileFiles
from projections.audit import verify
from projections.checks.case import Case
from projections.checks.log import follow_chain, read_file
from projections.games import GAMES
from projections.record import RUNNING
from service import play, tables
from service.act import Act, Sources, Table
from service.tables import Proposal

ORIGIN: Final = "bench.example/log"
KEY: Final = SigningKey.from_seed(ORIGIN, bytes(32))
SEED: Final = bytes(32)
SLICES: Final = 4  # with and without the sealer take turns, so that both see the same machine
PROBE_EVERY: Final = 0.01
MASTER: Final = bytes(32)


def played(game: str) -> tuple[Event, ...]:
    """A game of two, played to its end by the rules."""
    rules, table, events = GAMES[game], Table(new_stream(now())), list[Event]()
    sources, source = Sources(lambda: SEED, lambda: events), random.Random(1)

    def let(decide: Callable[[Act], object]) -> None:
        nonlocal table
        act = Act(table, now(), "bench", sources)
        decide(act)
        events.extend(act.events)
        table = act.now

    let(lambda act: tables.create(act, Proposal(game, {}, ["me", "bot:random"], seed=SEED.hex())))
    while table.known.status == RUNNING:
        turn = table.known.turn
        assert turn is not None  # somebody is to act while the game runs
        text = rules.notation(rules.legal(table.board).sample(source))
        let(partial(play.play, seat=turn.seat, text=text))
    return tuple(events)


class Verified(NamedTuple):
    """Events a second."""

    events: int
    chain: float
    rules: float


def verifying(events: Sequence[Event], seconds: float) -> Verified:
    """How fast a bundle is verified, its chain alone and with all the rules."""
    data = Bundle(events[0].stream, tuple(event.body for event in events)).encode()

    def chain_alone() -> None:
        case = Case(data, None)
        for check in (read_file, follow_chain):
            tuple(check(case))

    speeds = (len(events) * often(work, seconds / 2) for work in (chain_alone, lambda: verify(data, None)))
    return Verified(len(events), *speeds)


def often(work: Callable[[], object], seconds: float) -> float:
    """How often some work is done in a second."""
    done, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds or not done:
        work()
        done += 1
    return done / spent


class House:
    """The keeper's work on a log, for measuring."""

    def __init__(self, directory: Path) -> None:
        self.files = TileFiles(directory / "log")
        self.publisher = Publisher(ORIGIN, self.files, by_nobody, None, Archive(directory / "archive", MASTER))
        self._sealed = 0.0

    def turn(self, connection: Any) -> bool:
        """Order, seal and publish what is due; whether more waits."""
        more = sequence_once(connection) > 0
        newest = newest_seal(connection, ORIGIN)
        if newest is None or is_due(waiting(connection, newest.size), time.monotonic() - self._sealed):
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


def auditing(url: str, directory: Path, length: int) -> float:
    """Events a second of a whole-database audit."""
    with open_pool(url, size=1) as pool, connect(url) as connection:
        book, stream, head = PostgresBook(pool), new_stream(now()), START
        while head.seq < length:
            drafts = [move()] * min(LONGEST_BATCH, length - head.seq)
            events = link(stream, head, drafts if head.seq else [opening(), *drafts[1:]])
            book.append(stream, head.seq, events)
            head = events[-1].head
        house = House(directory)
        house.finish(connection)
        begun = time.perf_counter()
        for step in Audit(connection, ORIGIN, house.files, [KEY.verifier]).run():
            assert not step.faults
        return step.total / (time.perf_counter() - begun)


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
            time.sleep(PROBE_EVERY)  # the pace of the probe
        return arrived

    def settle(self) -> None:
        """Wait until everything that was appended is published: the next slice begins with nothing to catch up on."""
        while (shown := self._publisher.published()) is None or shown.size < log_size(self._connection):
            time.sleep(PROBE_EVERY)  # the pace of the probe

    def rest(self) -> list[float]:
        """The times of what was still under way, once it is there."""
        arrived = self._arrivals()
        while self._waiting:
            time.sleep(PROBE_EVERY)  # the pace of the probe
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


@contextmanager
def scratch_directory() -> Any:
    """A place for published files."""
    with tempfile.TemporaryDirectory(prefix="cabildo-bench-log-") as name:
        yield Path(name)


@click.command("verify")
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=8.0, show_default=True, help="For each figure.")
@click.option("--length", type=click.IntRange(1), default=20_000, show_default=True, help="Of the audited log.")
@click.option("--writers", type=click.IntRange(1, 64), default=2, show_default=True, help="How many append at once.")
@click.option(
    "--moves", type=click.IntRange(1), default=1_000, show_default=True, help="Followed into the log, at least."
)
def verify_command(seconds: float, length: int, writers: int, moves: int) -> None:
    """Measure verifying, auditing, and appends with and without the keeper that orders, seals and publishes.

    Appends with the keeper are to reach 0.95 of those without, and 99 of 100 moves are to be in a published checkpoint
    within 10 seconds.
    """
    for name in GAMES:
        speed = verifying(played(name), seconds / len(GAMES))
        click.echo(f"{name}: {speed.chain:,.0f} events/s chain alone, {speed.rules:,.0f} with the rules")
    with scratch_server() as url, scratch_directory() as directory:
        with connect(url) as connection:
            open_origin(connection, ORIGIN, "measuring")
        click.echo(f"audit: {auditing(url, directory, length):,.0f} events/s of {length:,}")
        found = sealing(url, directory, writers, seconds, moves)
    times = found.inclusion
    click.echo(f"appends/s: {found.alone:,.0f} alone, {found.kept:,.0f} with the keeper, ratio {found.ratio:.2f}")
    middle, late = times[len(times) // 2], times[int(len(times) * 0.99)]
    click.echo(
        f"into a published checkpoint: {middle:.2f} s in the middle, {late:.2f} s for 99 of 100, {len(times)} moves"
    )

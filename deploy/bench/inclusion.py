"""Measures appends with and without the keeper's duties, their processor time, and the delay into the public log."""

import multiprocessing
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from multiprocessing.connection import Connection as Pipe
from multiprocessing.synchronize import Event as Flag
from typing import Final, NamedTuple

import psutil
from psycopg import Connection

from deploy.bench.append import BenchStream, move, now
from deploy.bench.temporary_service import BenchStores
from deploy.errors import ServerFailed
from events.event import EventDraft
from events.log.leaves import log_index
from events.log.sealer import log_standing
from events.store.connections import connect, open_pool
from service import settings as config
from service.core import logs
from service.proof.public_log import files_of, first_origin, shown_in
from workers.keeper.duty_context import KeeperContext
from workers.keeper.keeper import Duty, Work, keep
from workers.keeper.log_duties import LOG_DUTIES

Duties = tuple[str, ...]
NONE: Final[Duties] = ()
SEALED: Final[Duties] = ("sequence", "seal")
PUBLIC: Final[Duties] = (*SEALED, "publish")  # the duties between an append and the public log
SIDES: Final = (NONE, SEALED, PUBLIC)
ROUNDS: Final = (SIDES, SIDES[::-1]) * 2  # in both orders, so that all run under the same load on average
PROBE_EVERY: Final = 0.01
FULL_SPEED: Final = 0.0  # a rate that asks for no pause
WARM: Final = 50  # appends of each writer that are not measured
SPAWN: Final = multiprocessing.get_context("spawn")


def run_switched_keeper(environ: dict[str, str], switches: dict[str, Flag]) -> None:
    """Runs the keeper's process; each duty works while its switch is set."""

    def switched(duty: Duty) -> Duty:
        def prepare(context: KeeperContext) -> Work:
            work, now = duty.prepare(context), switches[duty.name]
            return lambda connection: now.is_set() and work(connection)

        return duty._replace(prepare=prepare)

    settings = config.load(environ)
    logs.configure(settings.log_level, settings.log_format)
    keep(settings, environ, "bench", [switched(duty) for duty in LOG_DUTIES if duty.name in switches])


def write(url: str, orders: Pipe) -> None:
    """Runs a writer's process: receives orders of seconds and rate, appends to its own stream, sends the times."""
    with open_pool(url, size=1) as pool:
        game = BenchStream(pool)
        for _ in range(WARM):
            game.append(move())
        while order := orders.recv():
            orders.send(list(appends(game, *order)))


def appends(game: BenchStream, seconds: float, rate: float) -> Iterator[float]:
    """Yields the seconds of each append; starts them at a rate, or without pause when the rate is 0."""
    begun, count = time.perf_counter(), 0
    while (at := time.perf_counter() - begun) < seconds:
        if rate and at < count / rate:
            time.sleep(count / rate - at)
            continue
        started = time.perf_counter()
        game.append(move())
        count += 1
        yield time.perf_counter() - started


class Writers:
    """Writer processes that append at the same time."""

    def __init__(self, url: str, number: int) -> None:
        pairs = [SPAWN.Pipe() for _ in range(number)]
        self._orders = [ours for ours, _ in pairs]
        self._theirs = [theirs for _, theirs in pairs]
        self.processes = [SPAWN.Process(target=write, args=(url, theirs), daemon=True) for theirs in self._theirs]

    def __enter__(self) -> "Writers":
        for process, theirs in zip(self.processes, self._theirs, strict=True):
            process.start()
            theirs.close()  # so that a dead writer closes the pipe
        self.begin(0, FULL_SPEED)
        self.end()  # all are warm
        return self

    def __exit__(self, *_exception: object) -> None:
        for orders in self._orders:
            orders.send(None)
        for process in self.processes:
            process.join()

    def begin(self, seconds: float, rate: float) -> None:
        """Starts the writers at a common rate, or at full speed."""
        for orders in self._orders:
            orders.send((seconds, rate / len(self._orders)))

    def end(self) -> list[float]:
        """Waits for the writers. Returns the seconds of each append."""
        return [taken for orders in self._orders for taken in orders.recv()]


class ProcessorSeconds(NamedTuple):
    """Seconds of processor time."""

    writers: float
    keeper: float
    database: float


class LoadResult(NamedTuple):
    """Appends while some duties of the keeper run, or none."""

    seconds: float
    taken: Sequence[float]  # by each append, the fastest first
    spent: ProcessorSeconds

    @property
    def rate(self) -> float:
        """Appends a second."""
        return len(self.taken) / self.seconds

    def within(self, share: float) -> float:
        """Returns the milliseconds within which this share of the appends was answered."""
        return self.taken[int(len(self.taken) * share)] * 1e3

    def cost(self) -> ProcessorSeconds:
        """Returns the microseconds of processor time for each append."""
        return ProcessorSeconds(*(seconds / len(self.taken) * 1e6 for seconds in self.spent))


class Comparison(NamedTuple):
    """Appends alone, while they are numbered and sealed, and while they are published as well."""

    alone: LoadResult
    sealed: LoadResult
    public: LoadResult

    def ratio(self, side: LoadResult) -> float:
        """Returns the rate as a part of the rate without the keeper."""
        return side.rate / self.alone.rate


class LogBench:
    """Writers, a keeper and a probe on the same stores."""

    def __init__(self, stores: BenchStores, stack: ExitStack, writers: int) -> None:
        settings = config.load(stores.environ)
        self._database = stores.database
        self.origin = first_origin(settings)
        self.files = files_of(settings, self.origin)
        self._switches = {duty: SPAWN.Event() for duty in PUBLIC}
        self._keeper = SPAWN.Process(target=run_switched_keeper, args=(stores.environ, self._switches), daemon=True)
        self._keeper.start()
        stack.callback(self._keeper.join)
        stack.callback(self._keeper.terminate)
        self._writers = stack.enter_context(Writers(settings.database_url, writers))
        self._pool = stack.enter_context(open_pool(settings.database_url, size=1))
        self._connection: Connection = stack.enter_context(connect(settings.database_url))
        self.settle()

    def beside(self, seconds: float, rate: float) -> Comparison:
        """Measures the writers with the keeper idle and with its duties, alternately."""
        turns: dict[Duties, list[LoadResult]] = {side: [] for side in SIDES}
        for side in chain(*ROUNDS):
            turns[side].append(self._measure(seconds / len(ROUNDS), rate, side))
        return Comparison(*map(_sum, turns.values()))

    def inclusion(self, moves: int, rate: float) -> list[float]:
        """Returns the seconds of each move until a published checkpoint includes it, while the writers append."""
        self._switch(PUBLIC)
        game, waiting, arrived = BenchStream(self._pool), deque[tuple[int, float]](), list[float]()
        self._writers.begin(moves * PROBE_EVERY, rate)
        while len(arrived) < moves:
            if len(arrived) + len(waiting) < moves:
                game.append(move())
                waiting.append((game.head.seq, time.monotonic()))
            while waiting and self._is_processed(game, waiting[0][0], PUBLIC):
                arrived.append(time.monotonic() - waiting.popleft()[1])
            self._pace()
        self._writers.end()
        return sorted(arrived)

    def settle(self) -> None:
        """Waits until the keeper has published all events."""
        self._switch(PUBLIC)
        self._finish(PUBLIC)

    def _measure(self, seconds: float, rate: float, side: Duties) -> LoadResult:
        """Measures appends; the duties' remaining work afterwards counts as their processor time."""
        self._switch(side)
        before = self._processor_time()
        self._writers.begin(seconds, rate)
        taken = self._writers.end()
        self._finish(side)
        spent = ProcessorSeconds(
            *(after - earlier for after, earlier in zip(self._processor_time(), before, strict=True))
        )
        self.settle()
        return LoadResult(seconds, taken, spent)

    def _switch(self, duties: Duties) -> None:
        """Switches these duties of the keeper on, and the others off."""
        for duty, switch in self._switches.items():
            (switch.set if duty in duties else switch.clear)()

    def _finish(self, duties: Duties) -> None:
        """Waits until these duties have processed all events; the end of a game makes them start at once."""
        if not duties:
            return
        game = BenchStream(self._pool)
        game.append(EventDraft("game_aborted", {"cause": "agreed", "reason": None}, "bench", now(), "puerto_rico/1"))
        while not self._is_processed(game, game.head.seq, duties):
            self._pace()

    def _is_processed(self, game: BenchStream, seq: int, duties: Duties) -> bool:
        index = log_index(self._connection, game.stream, seq)
        if index is None:
            return False
        return index < (shown_in(self.files) if duties == PUBLIC else log_standing(self._connection).sealed or 0)

    def _pace(self) -> None:
        """Sleeps between two polls. Raises ServerFailed when the keeper has ended."""
        if not self._keeper.is_alive():
            raise ServerFailed("keeper", f"ended with status {self._keeper.exitcode}", "")
        time.sleep(PROBE_EVERY)

    def _processor_time(self) -> ProcessorSeconds:
        pids = [process.pid for process in self._writers.processes]
        return ProcessorSeconds(
            sum(map(processor_time, pids)), processor_time(self._keeper.pid), processor_time(self._database)
        )


def _sum(sides: Sequence[LoadResult]) -> LoadResult:
    """Returns several results as one."""
    taken = sorted(each for side in sides for each in side.taken)
    spent = ProcessorSeconds(*(sum(part) for part in zip(*(side.spent for side in sides), strict=True)))
    return LoadResult(sum(side.seconds for side in sides), taken, spent)


def processor_time(pid: int | None) -> float:
    """Returns the processor time of a process and its children in seconds, ended children included."""
    process, spent = psutil.Process(pid), 0.0
    for child in process.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            spent += sum(child.cpu_times()[:2])
    return spent + sum(process.cpu_times()[:4])  # last, so that a child that ends meanwhile is counted


@contextmanager
def running_bench(stores: BenchStores, writers: int) -> Iterator[LogBench]:
    """Yields a bench on fresh stores."""
    with ExitStack() as stack:
        yield LogBench(stores, stack, writers)

"""Appends with and without the keeper's duties, what they cost, and how long moves take into the public log."""

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
from workers.keeper.duties import DUTIES
from workers.keeper.duty_context import KeeperContext
from workers.keeper.keeper import Duty, Work, keep

Duties = tuple[str, ...]
NONE: Final[Duties] = ()
SEALED: Final[Duties] = ("sequence", "seal")
PUBLIC: Final[Duties] = (*SEALED, "publish")  # the duties between an append and the public log
SIDES: Final = (NONE, SEALED, PUBLIC)
ROUNDS: Final = (SIDES, SIDES[::-1]) * 2  # there and back again, so that all see the same machine on the average
PROBE_EVERY: Final = 0.01
FULL_SPEED: Final = 0.0  # a rate that asks for no pause
WARM: Final = 50  # appends of each writer that are not measured
SPAWN: Final = multiprocessing.get_context("spawn")


def run_switched_keeper(environ: dict[str, str], told: dict[str, Flag]) -> None:
    """The keeper's process: the keeper as it is run everywhere, with each of these duties while it is told to."""

    def when_told(duty: Duty) -> Duty:
        def prepare(office: KeeperContext) -> Work:
            work, now = duty.prepare(office), told[duty.name]
            return lambda connection: now.is_set() and work(connection)

        return duty._replace(prepare=prepare)

    settings = config.load(environ)
    logs.configure(settings.log_level, settings.log_format)
    keep(settings, environ, "bench", [when_told(duty) for duty in DUTIES if duty.name in told])


def write(url: str, orders: Pipe) -> None:
    """A writer's process: appends to a stream of its own, for so long and so often a second, as it is told."""
    with open_pool(url, size=1) as pool:
        game = BenchStream(pool)
        for _ in range(WARM):
            game.append(move())
        while order := orders.recv():
            orders.send(list(appends(game, *order)))


def appends(game: BenchStream, seconds: float, rate: float) -> Iterator[float]:
    """The seconds that each append took; with a rate they are begun so often, without one as fast as they go."""
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
    """Processes that append at once."""

    def __init__(self, url: str, number: int) -> None:
        pairs = [SPAWN.Pipe() for _ in range(number)]
        self._orders = [ours for ours, _ in pairs]
        self._theirs = [theirs for _, theirs in pairs]
        self.processes = [SPAWN.Process(target=write, args=(url, theirs)) for theirs in self._theirs]

    def __enter__(self) -> "Writers":
        for process, theirs in zip(self.processes, self._theirs, strict=True):
            process.start()
            theirs.close()  # so that a writer's end is noticed here
        self.begin(0, FULL_SPEED)
        self.end()  # all are warm
        return self

    def __exit__(self, *_exception: object) -> None:
        for orders in self._orders:
            orders.send(None)
        for process in self.processes:
            process.join()

    def begin(self, seconds: float, rate: float) -> None:
        """Let them append, so often a second together, or at full speed."""
        for orders in self._orders:
            orders.send((seconds, rate / len(self._orders)))

    def end(self) -> list[float]:
        """How long each append took, when all are done."""
        return [taken for orders in self._orders for taken in orders.recv()]


class ProcessorTime(NamedTuple):
    """Seconds of processor time."""

    writers: float
    keeper: float
    database: float


class LoadResult(NamedTuple):
    """Appends with some duties of the keeper, or with none."""

    seconds: float
    taken: Sequence[float]  # by each append, the fastest first
    spent: ProcessorTime

    @property
    def rate(self) -> float:
        """Appends a second."""
        return len(self.taken) / self.seconds

    def within(self, share: float) -> float:
        """The milliseconds within which this share of the appends was answered."""
        return self.taken[int(len(self.taken) * share)] * 1e3

    def cost(self) -> ProcessorTime:
        """Microseconds of processor time for each append."""
        return ProcessorTime(*(seconds / len(self.taken) * 1e6 for seconds in self.spent))


class Comparison(NamedTuple):
    """Appends alone, while they are numbered and sealed, and while they are published as well."""

    alone: LoadResult
    sealed: LoadResult
    public: LoadResult

    def ratio(self, side: LoadResult) -> float:
        """What is left of the appends that are made alone."""
        return side.rate / self.alone.rate


class LogBench:
    """Writers, a keeper and a probe on the same stores."""

    def __init__(self, stores: BenchStores, stack: ExitStack, writers: int) -> None:
        settings = config.load(stores.environ)
        self._database = stores.database
        self.origin = first_origin(settings)
        self.files = files_of(settings, self.origin)
        self._told = {duty: SPAWN.Event() for duty in PUBLIC}
        self._keeper = SPAWN.Process(target=run_switched_keeper, args=(stores.environ, self._told))
        self._keeper.start()
        stack.callback(self._keeper.join)
        stack.callback(self._keeper.terminate)
        self._writers = stack.enter_context(Writers(settings.database_url, writers))
        self._pool = stack.enter_context(open_pool(settings.database_url, size=1))
        self._connection: Connection = stack.enter_context(connect(settings.database_url))
        self.settle()

    def beside(self, seconds: float, rate: float) -> Comparison:
        """Let the writers append for so long with the keeper idle and with its duties, in turns."""
        turns: dict[Duties, list[LoadResult]] = {side: [] for side in SIDES}
        for side in chain(*ROUNDS):
            turns[side].append(self._turn(seconds / len(ROUNDS), rate, side))
        return Comparison(*map(_sum, turns.values()))

    def inclusion(self, moves: int, rate: float) -> list[float]:
        """How long each of so many moves took into a published checkpoint while the writers append at a rate."""
        self._let(PUBLIC)
        game, waiting, arrived = BenchStream(self._pool), deque[tuple[int, float]](), list[float]()
        self._writers.begin(moves * PROBE_EVERY, rate)
        while len(arrived) < moves:
            if len(arrived) + len(waiting) < moves:
                game.append(move())
                waiting.append((game.head.seq, time.monotonic()))
            while waiting and self._has_come(game, waiting[0][0], PUBLIC):
                arrived.append(time.monotonic() - waiting.popleft()[1])
            self._pace()
        self._writers.end()
        return sorted(arrived)

    def settle(self) -> None:
        """Let the keeper work until all that was appended is public."""
        self._let(PUBLIC)
        self._finish(PUBLIC)

    def _turn(self, seconds: float, rate: float, side: Duties) -> LoadResult:
        """A while of appending; what these duties still have to do afterwards is on their bill."""
        self._let(side)
        before = self._spent()
        self._writers.begin(seconds, rate)
        taken = self._writers.end()
        self._finish(side)
        spent = ProcessorTime(*(after - earlier for after, earlier in zip(self._spent(), before, strict=True)))
        self.settle()
        return LoadResult(seconds, taken, spent)

    def _let(self, duties: Duties) -> None:
        """Let the keeper do its duties from now on, and no others."""
        for duty, told in self._told.items():
            (told.set if duty in duties else told.clear)()

    def _finish(self, duties: Duties) -> None:
        """Wait until all has come as far as these duties bring it; the end of a game, a barrier, hurries them."""
        if not duties:
            return
        game = BenchStream(self._pool)
        game.append(EventDraft("game_aborted", {"cause": "agreed", "reason": None}, "bench", now(), "puerto_rico/1"))
        while not self._has_come(game, game.head.seq, duties):
            self._pace()

    def _has_come(self, game: BenchStream, seq: int, duties: Duties) -> bool:
        index = log_index(self._connection, game.stream, seq)
        if index is None:
            return False
        return index < (shown_in(self.files) if duties == PUBLIC else log_standing(self._connection).sealed or 0)

    def _pace(self) -> None:
        """Let a moment pass between two looks at what others do."""
        if not self._keeper.is_alive():
            raise ServerFailed("keeper", f"ended with status {self._keeper.exitcode}", "")
        time.sleep(PROBE_EVERY)

    def _spent(self) -> ProcessorTime:
        pids = [process.pid for process in self._writers.processes]
        return ProcessorTime(
            sum(map(processor_time, pids)), processor_time(self._keeper.pid), processor_time(self._database)
        )


def _sum(sides: Sequence[LoadResult]) -> LoadResult:
    """Several turns as one."""
    taken = sorted(each for side in sides for each in side.taken)
    spent = ProcessorTime(*(sum(part) for part in zip(*(side.spent for side in sides), strict=True)))
    return LoadResult(sum(side.seconds for side in sides), taken, spent)


def processor_time(pid: int | None) -> float:
    """Seconds of processor time of a process and of its children, also of those that have ended."""
    process, spent = psutil.Process(pid), 0.0
    for child in process.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            spent += sum(child.cpu_times()[:2])
    return spent + sum(process.cpu_times()[:4])  # last, so that no child that ends meanwhile is missing


@contextmanager
def running_bench(stores: BenchStores, writers: int) -> Iterator[LogBench]:
    """A bench on fresh stores."""
    with ExitStack() as stack:
        yield LogBench(stores, stack, writers)

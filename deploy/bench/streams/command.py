"""`cabildo bench streams`: the delay of an event to all watchers, their cost, and what they cost other requests."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from typing import Final, NamedTuple

import click
import psutil

from deploy.bench.clients import Measured, summary
from deploy.bench.streams.games import EndlessGame, Movers
from deploy.bench.streams.watchers import Faults, Heard, Watched, WatcherProcesses
from deploy.bench.temporary_service import HOST, WebNodes, temporary_nodes

ARRIVES_WITHIN: Final = 30.0
ALONE: Final = 50  # moves without watchers, at the most
ALONE_FOR: Final = 10.0  # seconds of them; at the same rate, because a machine at rest answers later than a busy one
PROBES: Final = 20  # requests of another client in a second
AIM: Final = 1.0  # seconds after the answer to the mover
SETTLED_AFTER: Final = 3.0  # seconds
SHRINKS_WITHIN: Final = 90.0
BACK: Final = 1.2  # of the memory before
MEGABYTE: Final = 2**20
MILLISECONDS: Final = 1000.0


class StreamPlan(NamedTuple):
    """What is measured."""

    watchers: int
    games: int
    rounds: int
    rate: float
    idle: bool


class WebProcesses(NamedTuple):
    """Memory and processor time of all web processes."""

    megabytes: float
    seconds: float
    threads: int


class StreamMeasurement(NamedTuple):
    """The result."""

    came: float  # seconds until all watched
    delays: Sequence[float]  # from the answer to a mover until a watcher had the event, sorted
    missing: int  # events that watchers did not receive
    faults: Faults
    alone: Measured  # moves without watchers
    moves: Measured  # and with them
    other: Measured  # requests of another client meanwhile
    before: WebProcesses
    full: WebProcesses
    after: WebProcesses
    left: WebProcesses


class Probe:
    """Another client, which reads a game that nobody watches."""

    def __init__(self, address: tuple[str, int], path: str) -> None:
        self._address = address
        self._path = path
        self._over = threading.Event()
        self._times: list[float] = []
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begins."""
        self._thread.start()

    def stop(self) -> Measured:
        """Ends. Returns the times of all answers."""
        self._over.set()
        self._thread.join(ARRIVES_WITHIN)
        return summary(self._times or [ARRIVES_WITHIN], 1.0)

    def _run(self) -> None:
        http = HTTPConnection(*self._address, timeout=ARRIVES_WITHIN)
        while not self._over.wait(1 / PROBES):
            began = time.perf_counter()
            http.request("GET", self._path)
            http.getresponse().read()
            self._times.append(time.perf_counter() - began)
        http.close()


def measure_streams(nodes: WebNodes, plan: StreamPlan) -> StreamMeasurement:
    """Lets watchers come, makes moves and lets them leave. Returns what was measured. Raises RuntimeError."""
    processes = [web for pid in nodes.pids for web in psutil.Process(pid).children()]
    with ExitStack() as exits:
        movers = Movers(nodes.addresses[0])
        exits.callback(movers.close)
        games = [EndlessGame(movers) for _ in range(plan.games)]
        unwatched = EndlessGame(movers)
        played = [unwatched] if plan.idle else games
        alone = _alone(unwatched, plan.rate)
        before = _sizes(processes)
        crowd = WatcherProcesses(list(_shares(nodes, games, plan.watchers)))
        exits.callback(crowd.kill)
        came = crowd.connected()
        movers.wire.reopen()
        time.sleep(SETTLED_AFTER)
        full = _sizes(processes)
        probe = Probe(nodes.addresses[-1], f"/v1/games/{unwatched.id}")
        probe.start()
        took, answered, heard = _play(crowd, played, plan)
        other, after = probe.stop(), _sizes(processes)
        expected = 0 if plan.idle else _expected(answered, games, plan.watchers)
        faults = crowd.leave()
    delays = sorted(at - answered[one.game, one.seq] for one in heard for at in one.times)
    left = _shrunk(processes, before)
    moves = summary(alone, 1.0), summary(took, 1.0)
    return StreamMeasurement(came, delays, expected - len(delays), faults, *moves, other, before, full, after, left)


def _alone(game: EndlessGame, rate: float) -> list[float]:
    """Makes moves at a rate that nobody watches. Returns their times."""
    took = []
    for _ in range(max(1, min(ALONE, int(rate * ALONE_FOR)))):
        took.append(game.move())
        time.sleep(max(0.0, 1 / rate - took[-1]))
    return took


def _play(
    crowd: WatcherProcesses, games: Sequence[EndlessGame], plan: StreamPlan
) -> tuple[list[float], dict[tuple[str, int], float], list[Heard]]:
    """Makes moves at a rate, in turn. Returns their times, when each was answered and what was heard."""
    took, answered, heard = [], dict[tuple[str, int], float](), list[Heard]()
    begun = time.perf_counter()
    for number in range(plan.rounds):
        game = games[number % len(games)]
        took.append(game.move())
        answered[game.id, game.version] = time.perf_counter()
        heard += crowd.heard(plan.watchers, max(0.0, begun + (number + 1) / plan.rate - time.perf_counter()))
    if not plan.idle:
        left = _expected(answered, games, plan.watchers) - sum(len(one.times) for one in heard)
        heard += crowd.heard(left, ARRIVES_WITHIN)
    return took, answered, heard


def _expected(answered: dict[tuple[str, int], float], games: Sequence[EndlessGame], watchers: int) -> int:
    """Returns how many events are received in all."""
    of = {game.id: _watchers_of(place, len(games), watchers) for place, game in enumerate(games)}
    return sum(of[game] for game, _ in answered)


def _watchers_of(place: int, games: int, watchers: int) -> int:
    return watchers // games + (place < watchers % games)


def _shares(nodes: WebNodes, games: Sequence[EndlessGame], watchers: int) -> Iterator[Watched]:
    """Yields how many watch each game, over which node: all over each in turn."""
    for place, game in enumerate(games):
        number = _watchers_of(place, len(games), watchers)
        for node, address in enumerate(nodes.addresses):
            of_node = number // len(nodes.addresses) + (node < number % len(nodes.addresses))
            yield Watched(game.id, game.version, address, of_node)


def _sizes(processes: Sequence[psutil.Process]) -> WebProcesses:
    return WebProcesses(
        sum(one.memory_full_info().uss for one in processes) / MEGABYTE,
        sum(one.cpu_times().user + one.cpu_times().system for one in processes),
        sum(one.num_threads() for one in processes),
    )


def _shrunk(processes: Sequence[psutil.Process], before: WebProcesses) -> WebProcesses:
    """Returns the size when the web processes have given back what watchers took, or after some time."""
    until = time.perf_counter() + SHRINKS_WITHIN
    while (found := _sizes(processes)).megabytes > before.megabytes * BACK and time.perf_counter() < until:
        time.sleep(1.0)
    return found


@contextmanager
def _nodes(number: int, watchers: int) -> Iterator[WebNodes]:
    """Runs the web servers; more than they let in by default is let in by settings."""
    with temporary_nodes(number, CABILDO_STREAMS=str(max(watchers, 20_000))) as nodes:
        yield nodes


@click.command()
@click.option("--watchers", type=click.IntRange(1, 40_000), default=1_000, show_default=True, help="How many.")
@click.option("--games", type=click.IntRange(1, 20_000), default=1, show_default=True, help="Games that they watch.")
@click.option("--rounds", type=click.IntRange(1, 100_000), default=10, show_default=True, help="The number of moves.")
@click.option("--rate", type=click.FloatRange(0.1, 1_000), default=2.0, show_default=True, help="Moves a second.")
@click.option("--nodes", type=click.IntRange(1, 8), default=1, show_default=True, help="Web servers of two processes.")
@click.option("--idle", is_flag=True, help="Make the moves in a game that nobody watches.")
def streams(watchers: int, games: int, rounds: int, rate: float, nodes: int, idle: bool) -> None:
    """Print the delay of events to all watchers, and what the watchers cost."""
    plan = StreamPlan(watchers, min(games, watchers), rounds, rate, idle)
    with _nodes(nodes, watchers) as running:
        found = measure_streams(running, plan)
    about = f"{watchers} watchers of {plan.games} games, {rounds} moves, {rate:g} a second"
    click.echo(f"{about}, {nodes} x 2 web processes on {HOST}; came within {found.came:.0f} s")
    for line in report(found, plan):
        click.echo(line)


def report(found: StreamMeasurement, plan: StreamPlan) -> Iterator[str]:
    """Yields the lines about a measurement."""
    if not plan.idle:
        at = [MILLISECONDS * value for value in found.delays] or [MILLISECONDS * ARRIVES_WITHIN]
        first, half, most, last = at[0], at[len(at) // 2], at[len(at) * 99 // 100], at[-1]
        yield f"after the answer, in ms: first {first:.0f}, by half {half:.0f}, by 99 % {most:.0f}, by all {last:.0f}"
    yield f"not received {found.missing}, gaps or doubles {found.faults.gaps}, streams ended {found.faults.closed}"
    yield f"moves p50 {found.moves.p50:.1f} ms, p99 {found.moves.p99:.1f}; alone p50 {found.alone.p50:.1f} ms"
    yield f"other requests meanwhile p50 {found.other.p50:.1f} ms, p99 {found.other.p99:.1f}"
    cost = found.after.seconds - found.full.seconds
    each = cost / max(1, len(found.delays)) * 1e6
    of_each = "" if plan.idle else f", {each:.0f} us a received event"
    yield f"processor time of the web processes {cost:.2f} s{of_each}"
    grown = found.full.megabytes - found.before.megabytes
    yield (
        f"own memory (USS) {found.before.megabytes:.0f} MB, with watchers {found.full.megabytes:.0f} MB: "
        f"{1024 * grown / plan.watchers:.1f} kB each; after they left {found.left.megabytes:.0f} MB; "
        f"threads {found.full.threads}"
    )
    if not plan.idle:
        reached = not found.missing and not found.faults.gaps and most <= MILLISECONDS * AIM
        yield f"{'within' if reached else 'NOT within'} the aim of {AIM:.0f} s for 99 %, without a gap"

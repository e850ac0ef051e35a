"""`cabildo bench streams`: the delay of an event to all watchers of a game, and the cost of the watchers."""

import asyncio
import json
import resource
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final, NamedTuple

import click
import psutil

from deploy.bench.clients import Wire
from deploy.bench.temporary_service import temporary_service

MOVES: Final = ("play upgrade_2", "rest")  # leave the caravans unchanged, so that they can be repeated for ever
ARRIVES_WITHIN: Final = 30.0
CONNECTING: Final = 50  # at once: fewer than the backlog of the listening socket
THREADS_FOR_EACH: Final = 2  # all watchers may come to one process, and some threads are kept from them
AIM: Final = 1.0  # seconds until all watchers have received an event
SHRINKS_WITHIN: Final = 60.0  # seconds until a web process has few threads again
FEW_THREADS: Final = 40
MEGABYTE: Final = 2**20


class TimedMove(NamedTuple):
    """One move: seconds from its request until the answer and until watchers received it."""

    answered: float
    first: float
    median: float
    last: float


class StreamMeasurement(NamedTuple):
    """The result."""

    rounds: Sequence[TimedMove]
    alone: Sequence[float]  # seconds until a move was answered without watchers
    full: Sequence["ProcessSize"]  # each web process with all watchers
    left: Sequence["ProcessSize"]  # and after they had left
    shrunk_after: float  # seconds


class ProcessSize(NamedTuple):
    """Threads and memory of a web process."""

    threads: int
    megabytes: int


class WatchedGame:
    """A game of two players without an end."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._wire = Wire(*address)
        people = [self._wire.post("/v1/players", _body(name=name)).document() for name in ("one", "other")]
        tokens = {person["player"]["id"]: person["token"] for person in people}
        host, guest = tokens.values()
        proposal = _body(game="spice_road", seats=["me", "open"])
        self.id: str = self._wire.post("/v1/games", proposal, host).document()["id"]
        started = self._wire.post(f"/v1/games/{self.id}/seats", b"{}", guest).document()
        self.version: int = started["version"]
        self._tokens = [tokens[seat["player"]["id"]] for seat in started["seats"]]
        self._made = 0

    def close(self) -> None:
        """Closes the connection."""
        self._wire.close()

    def move(self) -> float:
        """Makes a move. Returns the seconds until the answer. Raises RuntimeError when it is refused."""
        text, token = MOVES[self._made // 2 % 2], self._tokens[self._made % 2]
        began = time.perf_counter()
        answer = self._wire.post(f"/v1/games/{self.id}/moves", _body(move=text), token)
        took = time.perf_counter() - began
        if answer.status != 201:
            raise RuntimeError(f"a move was refused: {answer.body.decode()}")
        self._made += 1
        self.version += 1
        return took


class Watchers:
    """Connections that follow one game."""

    def __init__(self, address: tuple[str, int], game: WatchedGame) -> None:
        self._address = address
        self._request = (
            f"GET /v1/games/{game.id}/events?after={game.version} HTTP/1.1\r\n"
            "Host: bench\r\nAccept: application/x-ndjson\r\n\r\n"
        ).encode()
        self._heard: asyncio.Queue[float] = asyncio.Queue()
        self.closed = 0

    async def come(self, number: int, exits: AsyncExitStack) -> None:
        """Connects watchers and waits until each has its first answer."""
        gate = asyncio.Semaphore(CONNECTING)

        async def connect() -> None:
            async with gate:
                reader, writer = await asyncio.open_connection(*self._address)
                exits.callback(writer.close)
                writer.write(self._request)
                await reader.readuntil(b"\r\n\r\n")
            task = asyncio.create_task(self._listen(reader))
            exits.callback(task.cancel)

        await asyncio.gather(*(connect() for _ in range(number)))

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            if b'"seq"' in line:
                self._heard.put_nowait(time.perf_counter())
        self.closed += 1

    async def hear(self, number: int) -> list[float]:
        """Returns the times at which the watchers received the next event, sorted. Raises TimeoutError."""
        async with asyncio.timeout(ARRIVES_WITHIN):
            return sorted([await self._heard.get() for _ in range(number)])


async def watch(
    address: tuple[str, int], number: int, rounds: int, processes: Sequence[psutil.Process]
) -> StreamMeasurement:
    """Makes moves in a watched game. Returns the result."""
    game = await asyncio.to_thread(WatchedGame, address)
    alone = [await asyncio.to_thread(game.move) for _ in range(rounds)]
    async with AsyncExitStack() as exits:
        exits.callback(game.close)
        watchers = Watchers(address, game)
        await watchers.come(number, exits)
        found = [await _round(game, watchers, number) for _ in range(rounds)]
        full = _sizes(processes)
    began = time.perf_counter()
    while (
        max(size.threads for size in _sizes(processes)) > FEW_THREADS and time.perf_counter() < began + SHRINKS_WITHIN
    ):
        await asyncio.sleep(0.5)
    return StreamMeasurement(found, alone, full, _sizes(processes), time.perf_counter() - began)


def _sizes(processes: Sequence[psutil.Process]) -> Sequence[ProcessSize]:
    return [ProcessSize(one.num_threads(), one.memory_info().rss // MEGABYTE) for one in processes]


async def _round(game: WatchedGame, watchers: Watchers, number: int) -> TimedMove:
    began = time.perf_counter()
    answered, heard = await asyncio.gather(asyncio.to_thread(game.move), watchers.hear(number))
    return TimedMove(answered, *(heard[place] - began for place in (0, number // 2, -1)))


def _body(**fields: object) -> bytes:
    return json.dumps(fields).encode()


def allow_connections(number: int) -> None:
    """Raises the limit of open files. Raises UsageError when the system allows too few."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if most != resource.RLIM_INFINITY and most < 2 * number:
        raise click.UsageError(f"{number} watchers need {2 * number} open files; this system allows {most}")


@click.command()
@click.option(
    "--watchers", type=click.IntRange(1, 20_000), default=1_000, show_default=True, help="The number of watchers."
)
@click.option("--rounds", type=click.IntRange(1, 1_000), default=10, show_default=True, help="The number of moves.")
@click.option(
    "--worker-class",
    type=click.Choice(["gthread", "gevent"]),
    help="A worker class of gunicorn in place of the service's own.",
)
def streams(watchers: int, rounds: int, worker_class: str | None) -> None:
    """Print the delay of an event to all watchers of a game."""
    allow_connections(watchers)
    workers = worker_class or "own workers"
    arguments = "" if worker_class is None else f"--worker-class {worker_class}"
    with temporary_service(GUNICORN_CMD_ARGS=arguments, CABILDO_WEB_THREADS=str(THREADS_FOR_EACH * watchers)) as copy:
        processes = psutil.Process(copy.pid).children()
        found = asyncio.run(watch(copy.api, watchers, rounds, processes))
    worst = {name: 1000 * max(getattr(one, name) for one in found.rounds) for name in TimedMove._fields}
    click.echo(f"{watchers} watchers, {rounds} moves, {workers}, {len(processes)} web processes; the worst, in ms")
    click.echo(f"received by the first {worst['first']:.0f}, by half {worst['median']:.0f}, by all {worst['last']:.0f}")
    click.echo(f"move answered {worst['answered']:.1f}; without watchers {1000 * max(found.alone):.1f}")
    click.echo(f"each web process: {_told(found.full)}; {found.shrunk_after:.0f} s after all left: {_told(found.left)}")
    click.echo("within" if worst["last"] < 1000 * AIM else "NOT within", nl=False)
    click.echo(f" the aim of {AIM:.0f} s")


def _told(sizes: Sequence[ProcessSize]) -> str:
    return ", ".join(f"{size.threads} threads {size.megabytes} MB" for size in sizes)

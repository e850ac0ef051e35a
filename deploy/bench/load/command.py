"""`cabildo bench load`: ordinary use in the first third, the same beside three abusers in the others."""

import asyncio
import os
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack, closing
from pathlib import Path
from typing import Final, NamedTuple

import click
import httpx

from deploy.bench.api import GameFactory
from deploy.bench.bot_service import running_workers
from deploy.bench.clients import Wire
from deploy.bench.load.abusers import ABUSERS, AbusedService, Tally, abuser
from deploy.bench.load.memory import KINDS, MemoryAt, follow_memory
from deploy.bench.load.plot import Line, Panel, write_plot
from deploy.bench.load.recorded import PERFORMANCE, PICTURE, record_report
from deploy.bench.load.report import AIM, LoadFigures, lines
from deploy.bench.load.samples import REQUESTS, Recorder, over_time
from deploy.bench.load.users import Crowd
from deploy.bench.streams.watchers import allow_connections
from deploy.bench.temporary_service import BenchService, temporary_service
from service.container import Container
from service.core.queues import BOT_GAMES, BOTS
from service.settings import documented_settings

LIMITS: Final = {
    "CABILDO_REQUESTS_PER_MINUTE",
    "CABILDO_REGISTRATIONS_PER_HOUR",
    "CABILDO_STREAMS",
    "CABILDO_STREAMS_PER_ADDRESS",
    "CABILDO_MOST_GAMES",
    "CABILDO_MOST_OPEN_TABLES",
    "CABILDO_MOST_BOT_SEATS",
}  # other benches go without them; here they are those of a real service
QUIET: Final = 1 / 3  # of the time
FINISHED: Final = (("spice_road", 3), ("puerto_rico", 4))  # games with their seats, played before the start
MEMORIES: Final = 150  # samples of memory in a run, and no more than one a second
WINDOWS: Final = 60  # of the plot of percentiles, and none shorter than a second


class Intensity(NamedTuple):
    """How long the bench runs and how much the abusers do."""

    seconds: float
    connections: int
    games: int


@click.command()
@click.option(
    "--seconds", type=click.FloatRange(3, 3600), default=600.0, show_default=True, help="How long, the quiet third too."
)
@click.option(
    "--connections",
    type=click.IntRange(1, 9_000),
    default=2_400,
    show_default=True,
    help="Idle streams, and half-sent requests, that the first abuser holds.",
)
@click.option(
    "--games", type=click.IntRange(1, 1000), default=30, show_default=True, help="Games of search bots of the third."
)
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Write a picture to this SVG file.")
@click.option("--record", is_flag=True, help="Write the report and the picture into deploy/docs/performance.md.")
def load(seconds: float, connections: int, games: int, plot: Path | None, *, record: bool) -> None:
    """Measure ordinary users, alone and beside three abusers. The users have addresses of 127.0.0.0/8, as on Linux."""
    allow_connections(2 * connections)
    busy = os.getloadavg()[0]
    limits = {name: default for name, default, _ in documented_settings() if name in LIMITS}
    with temporary_service(**limits) as copy, running_workers(copy.environ, (BOTS, BOT_GAMES)) as container:
        finished = [play_whole_game(copy, container, game, seats) for game, seats in FINISHED]
        found = asyncio.run(measure(copy, finished, Intensity(seconds, connections, games)))
    for line in lines(found):
        click.echo(line)
    for picture in (plot, *([PICTURE] if record else [])):
        if picture is not None:
            write_plot(picture, panels(found), found.end - found.begin, found.abuse - found.begin, "abusers begin")
    if record:
        record_report(PERFORMANCE, list(lines(found)), busy)


def play_whole_game(copy: BenchService, container: Container, game: str, seats: int) -> str:
    """Plays a random game over HTTP and returns its id. Raises ClickException when a move is refused."""
    script = GameFactory(copy, container, game, seats).script()
    with closing(Wire(*copy.api)) as wire:
        for body, token in script.moves:
            if (answer := wire.post(script.path, body, token)).status != httpx.codes.CREATED:
                raise click.ClickException(f"{script.path}: {answer.status} {answer.body.decode()}")
    return script.path.split("/")[3]


async def measure(copy: BenchService, finished: Sequence[str], intensity: Intensity) -> LoadFigures:
    """Lets ordinary users work, after a third of the time beside the abusers. Returns everything measured."""
    recorder, memory = Recorder(), list[MemoryAt]()
    host, port = copy.api
    async with AsyncExitStack() as exits:
        works = await Crowd(f"http://{host}:{port}", recorder, exits).arrive(finished)
        begin = time.monotonic()
        abuse, end = begin + QUIET * intensity.seconds, begin + intensity.seconds
        target = AbusedService(copy.api, finished[0], intensity.connections, intensity.games, abuse, end)
        abusers = exits.enter_context(ExitStack())
        told = [abusers.enter_context(abuser(number, target)) for number in range(len(ABUSERS))]
        tasks = [asyncio.create_task(work()) for work in works]
        tasks.append(asyncio.create_task(follow_memory(memory, max(1.0, intensity.seconds / MEMORIES))))
        done, _ = await asyncio.wait(tasks, timeout=end - time.monotonic(), return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        for task in done:
            task.result()  # raises what ended it too early
        tallies: list[Tally] = [await asyncio.to_thread(one) for one in told]
    return LoadFigures(begin, abuse, end, recorder.samples(), memory, tallies)


def panels(found: LoadFigures) -> Sequence[Panel]:
    """Returns what the picture shows."""
    requests = [sample for sample in found.samples if sample.kind in REQUESTS and sample.at >= found.begin]
    windows = over_time(requests, found.begin, max(1.0, (found.end - found.begin) / WINDOWS))
    memory = [Line(kind, [(one.at - found.begin, one.megabytes[kind]) for one in found.memory]) for kind, _ in KINDS]
    percentiles = [Line(name, [(at, getattr(own, name)) for at, own in windows]) for name in ("p50", "p95", "p99")]
    return (
        Panel("ordinary requests, ms", percentiles, AIM),
        Panel("errors of ordinary requests", [Line("errors", [(at, own.errors) for at, own in windows])]),
        Panel("memory (PSS), MB", memory),
    )

"""`cabildo bench start`: what an import and a start of the whole service take, and its memory while it is idle."""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import click
import psutil

from deploy.local.data_folder import PROJECT
from deploy.local.guard import bench_directory

IMPORTED: Final = "import service.app"
YARDSTICK: Final = "import flask"
IMPORTS: Final = 5
IMPORT_AIM, READY_AIM, MEMORY_AIM = 0.6, 3.0, 350  # seconds, seconds, MB
MEGABYTE: Final = 2**20
STORES: Final = {"postgres": "PostgreSQL", "redis-server": "Redis"}


class StartCost(NamedTuple):
    """Seconds by the clock, and of processor time."""

    clock: float
    processor: float


def imported(statement: str) -> StartCost:
    """Returns the median of some runs of Python with a statement."""
    runs = []
    for _ in range(IMPORTS):
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run((sys.executable, "-c", statement), check=True, cwd=PROJECT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        runs.append(StartCost(time.perf_counter() - begun, used))
    return StartCost(*(statistics.median(values) for values in zip(*runs, strict=True)))


@contextmanager
def started(directory: Path) -> Iterator[tuple[psutil.Process, float]]:
    """Runs `deploy/up`. Yields its process when the service is ready, and the seconds until then."""
    command = (PROJECT / "deploy" / "up", "--port", "0", "--data-dir", directory)
    environ = {**os.environ, "CABILDO_SAMPLES": "off"}
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as running:
        assert running.stdout is not None
        said = iter(running.stdout.readline, "")
        ready = any(line.startswith("ready") for line in said)
        seconds = time.perf_counter() - begun
        try:
            if not ready:
                raise click.ClickException("the service did not become ready")
            yield psutil.Process(running.pid), seconds
        finally:
            running.terminate()
            running.stdout.read()


def memory(service: psutil.Process) -> Mapping[str, tuple[float, int]]:
    """Returns the megabytes (PSS) and the number of processes of each kind: a shared page counts once in all."""
    found: dict[str, tuple[float, int]] = {}
    for one in (service, *service.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            kind = STORES.get(one.name(), "Python")
            megabytes, number = found.get(kind, (0.0, 0))
            found[kind] = megabytes + one.memory_full_info().pss / MEGABYTE, number + 1
    return found


@click.command()
@click.option(
    "--idle", type=click.FloatRange(0, 3600), default=15.0, show_default=True, help="Seconds before weighing."
)
def start(idle: float) -> None:
    """Import the web application, start the service twice in an empty directory, and weigh it while it is idle."""
    app, flask = imported(IMPORTED), imported(YARDSTICK)
    click.echo(f"{IMPORTED}: {app.clock:.2f} s, processor {app.processor:.2f} s; aim {IMPORT_AIM} s")
    click.echo(f"yardstick, {YARDSTICK}: {flask.clock:.2f} s, processor {flask.processor:.2f} s")
    click.echo(f"ratio of processor time: {app.processor / flask.processor:.1f}")
    with bench_directory() as directory:
        with started(directory / "data") as (_, first):
            click.echo(f"first start: ready after {first:.1f} s")
        with started(directory / "data") as (service, second):
            click.echo(f"second start: ready after {second:.1f} s; aim {READY_AIM:.0f} s")
            time.sleep(idle)
            found = memory(service)
    for kind, (megabytes, number) in sorted(found.items()):
        click.echo(f"{kind:<10} {megabytes:6.0f} MB in {number} processes")
    click.echo(f"{'all':<10} {sum(weight for weight, _ in found.values()):6.0f} MB; aim {MEMORY_AIM} MB")

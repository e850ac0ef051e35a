"""`cabildo bench`: performance measurements, each beside a yardstick of the same run."""

import signal
import sys
from functools import partial

import click

from deploy.bench.api import api
from deploy.bench.append import append_command
from deploy.bench.bots import bots
from deploy.bench.growth.command import growth
from deploy.bench.growth.day import scale
from deploy.bench.load.command import load
from deploy.bench.outage import outage
from deploy.bench.pages import pages
from deploy.bench.playouts import playouts
from deploy.bench.read_models import read_models
from deploy.bench.streams import streams
from deploy.bench.tournament import tournament
from deploy.bench.verify import verify_command
from deploy.bench.webhooks import webhooks

MEASUREMENTS: tuple[click.Command, ...] = (
    append_command,
    api,
    playouts,
    pages,
    streams,
    verify_command,
    bots,
    tournament,
    webhooks,
    outage,
    load,
    read_models,
    growth,
    scale,
)


@click.group()
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure performance; each figure is printed beside a yardstick of the same run."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        context.call_on_close(partial(signal.signal, number, signal.signal(number, _exit)))


def _exit(number: int, _frame: object) -> None:
    """Raises SystemExit, so that a measurement that is ended by a signal stops its servers."""
    sys.exit(128 + number)


for measurement in MEASUREMENTS:
    bench.add_command(measurement)

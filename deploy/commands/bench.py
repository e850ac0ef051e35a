"""`cabildo bench`: performance measurements, each beside a yardstick of the same run."""

import click

from deploy.bench.api import api
from deploy.bench.append import append_command
from deploy.bench.bots import bots
from deploy.bench.pages import pages
from deploy.bench.playouts import playouts
from deploy.bench.streams import streams
from deploy.bench.tournament import tournament
from deploy.bench.verify import verify_command

MEASUREMENTS: tuple[click.Command, ...] = (
    append_command,
    api,
    playouts,
    pages,
    streams,
    verify_command,
    bots,
    tournament,
)


@click.group()
def bench() -> None:
    """Measure performance; each figure is printed beside a yardstick of the same run."""


for measurement in MEASUREMENTS:
    bench.add_command(measurement)

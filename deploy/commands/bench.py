"""`cabildo bench`: performance measurements, each beside a yardstick of the same run."""

import sys
from typing import Final

import click

from deploy.lazy_group import LazyGroup
from deploy.local.guard import run_guarded

MOST_SECONDS: Final = 7_200.0
MEASUREMENTS: Final = {
    "append": "deploy.bench.append:append_command",
    "api": "deploy.bench.api:api",
    "playouts": "deploy.bench.playouts:playouts",
    "lists": "deploy.bench.whole_service.lists:lists_command",
    "pages": "deploy.bench.opened_pages.open_pages:pages",
    "start": "deploy.bench.whole_service.start:start",
    "streams": "deploy.bench.streams.command:streams",
    "verify": "deploy.bench.verify:verify_command",
    "bots": "deploy.bench.bots:bots",
    "tournament": "deploy.bench.tournament:tournament",
    "webhooks": "deploy.bench.webhooks:webhooks",
    "outage": "deploy.bench.outage:outage",
    "load": "deploy.bench.load.command:load",
    "read-models": "deploy.bench.read_models:read_models",
    "growth": "deploy.bench.growth.command:growth",
    "scale": "deploy.bench.growth.day:scale",
}


@click.group(cls=LazyGroup, table=MEASUREMENTS)
@click.option(
    "--within",
    type=click.FloatRange(1),
    default=MOST_SECONDS,
    show_default=True,
    help="Seconds after which a measurement is ended with its servers.",
)
def bench(within: float) -> None:
    """Measure performance; each figure is printed beside a yardstick of the same run.

    A measurement that is ended, also by SIGKILL, stops its servers.
    """
    if sys.stdout is sys.__stdout__:  # else it is called by a program that reads what it prints, which ends it itself
        run_guarded(within)

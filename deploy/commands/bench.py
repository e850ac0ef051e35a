"""`cabildo bench`: performance measurements, each beside a yardstick of the same run."""

import signal
import sys
from functools import partial
from typing import Final

import click

from deploy.lazy_group import LazyGroup

MEASUREMENTS: Final = {
    "append": "deploy.bench.append:append_command",
    "api": "deploy.bench.api:api",
    "playouts": "deploy.bench.playouts:playouts",
    "pages": "deploy.bench.pages:pages",
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
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure performance; each figure is printed beside a yardstick of the same run."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        context.call_on_close(partial(signal.signal, number, signal.signal(number, _exit)))


def _exit(number: int, _frame: object) -> None:
    """Raises SystemExit, so that a measurement that is ended by a signal stops its servers."""
    sys.exit(128 + number)

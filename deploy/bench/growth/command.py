"""`cabildo bench growth`: what each operation takes with a log of growing length."""

import time
from collections.abc import Sequence
from contextlib import closing
from math import inf
from pathlib import Path
from typing import Final

import click
import httpx

from deploy.bench.growth.archived_games import all_archived, print_tables
from deploy.bench.growth.keeping import keeping
from deploy.bench.growth.made_games import Order, make_games
from deploy.bench.growth.measured import YARDSTICK, GrowthCost, print_table, ratios
from deploy.bench.growth.operations import ARCHIVED_OPERATIONS, OPERATIONS, UNITS, WHOLE, Grown, beside_yardstick
from deploy.bench.growth.plot import draw_growth
from deploy.bench.growth.query_plans import print_plans
from deploy.bench.temporary_service import BenchService, temporary_service
from events.log.leaves import log_size
from events.store.connections import connect, connect_as_given
from service import settings
from service.container import open_container
from service.players.commands.accounts import CreatePlayer, create_player

SIZES: Final = (10_000, 100_000)
UNBOUNDED: Final = "SELECT set_config('transaction_timeout', '0', false)"
SETTLED: Final = ("VACUUM (ANALYZE)", "CHECKPOINT")  # else they run, or not, beside what is measured


@click.command()
@click.option("--events", "sizes", multiple=True, type=click.IntRange(200), help="Lengths of the log.  [10000, 100000]")
@click.option("--whole", default=1_000_000, show_default=True, help="Up to here, read the whole log and archive it.")
@click.option("--writers", default=2, show_default=True, help="Processes that make the games.")
@click.option("--growing", default=3600.0, show_default=True, help="Seconds of making games, at most.")
@click.option("--plot", type=click.Path(path_type=Path), help="A file to draw the ratios into.")
def growth(sizes: Sequence[int], whole: int, writers: int, growing: float, plot: Path | None) -> None:
    """Let the log grow and measure the processor time of each operation at every length, in all processes together.

    The ratio is of the last length to the first, divided by that of the yardstick: a fixed piece of Python, run before
    and after each measurement, that tells how busy the machine was. In the end the games are moved into files, and
    reading them is measured once more. What reads the whole log takes minutes for a million events.
    """
    bench = GrowthBench(sorted(sizes or SIZES), whole, writers, growing)
    try:
        bench.measure()
    finally:  # also of what was measured before the time was over
        print_table(bench.reached, UNITS, bench.table)
        if plot is not None and bench.table[YARDSTICK]:
            drawn = {name: ratios(bench.table[name], unit) for name, unit in UNITS.items() if bench.table[name]}
            draw_growth(plot, bench.reached, drawn)


class GrowthBench:
    """Lets the log grow and measures at each length."""

    def __init__(self, sizes: Sequence[int], whole: int, writers: int, growing: float) -> None:
        self.reached: list[int] = []
        self.table = {operation.name: list[GrowthCost]() for operation in OPERATIONS}
        self._sizes = sizes
        self._whole = whole
        self._writers = writers
        self._left = growing

    def measure(self) -> None:
        """Measures at every length that is reached in time; then what is archived."""
        with temporary_service() as running:
            here = open_container(settings.load(running.environ), "bench")
            with closing(here), api_of(running) as api, connect(running.environ["DATABASE_URL"]) as connection:
                connection.execute(UNBOUNDED)
                player = str(create_player(here, CreatePlayer("bench"))[0].id)
                grown = Grown(running.environ, here, api, connection, player, running.database)
                for size in self._sizes:
                    if self._left > 0 or not self.reached:
                        self._grow(grown, size)
                        self._measure_at(grown)
                if self.reached[-1] <= self._whole:
                    _measure_archived(grown)

    def _grow(self, grown: Grown, size: int) -> None:
        """Makes games, numbers, seals and publishes all events, and brings the read models level."""
        begun, before = time.monotonic(), log_size(grown.connection)
        with keeping(grown.environ, grown.connection) as step:
            until = begun + self._left if self.reached else inf  # the first length is always reached
            order = Order(grown.player, size - before, self._writers, until)
            make_games(grown.environ, order, step)
            while step():
                continue
        made, seconds = log_size(grown.connection) - before, time.monotonic() - begun
        self._left -= seconds
        self.reached.append(min(size, before + made))
        click.echo(f"{self.reached[-1]:,} events: {made:,} made in {seconds:,.0f} s", err=True)
        _settle(grown)

    def _measure_at(self, grown: Grown) -> None:
        for operation in OPERATIONS:
            if self.reached[-1] <= self._whole or operation.name not in WHOLE:
                cost, yardstick = measured = beside_yardstick(operation, grown)
                self.table[operation.name].append(measured)
                said = f"{operation.name} {cost:.2f} {operation.unit}, yardstick {yardstick:.2f}"
                click.echo(f"{self.reached[-1]:,} events: {said}", err=True)
        print_plans(grown.connection, grown.player)
        print_tables(grown.connection, log_size(grown.connection))


def _settle(stage: Grown) -> None:
    with connect_as_given(stage.environ["DATABASE_URL"]) as owner:
        for statement in SETTLED:
            owner.execute(statement)


def _measure_archived(grown: Grown) -> None:
    with keeping(grown.environ, grown.connection) as step:
        while step():
            continue
    with all_archived(grown.environ["DATABASE_URL"]):
        for operation in ARCHIVED_OPERATIONS:
            click.echo(f"  {operation.name:28}{operation.unit:>15}{operation.measure(grown):12,.2f}")


def api_of(running: BenchService) -> httpx.Client:
    """Returns a client of the service."""
    host, port = running.api
    return httpx.Client(base_url=f"http://{host}:{port}", timeout=60)

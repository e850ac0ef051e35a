"""Games of bots end whatever happens: workers killed, Redis killed and empty again, two keepers, poisoned jobs."""

import base64
import json
import os
import random
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any, Final
from uuid import UUID

import psutil
import pytest
from click.testing import CliRunner
from flask import Flask
from rq import Queue
from rq.registry import StartedJobRegistry
from rq.serializers import JSONSerializer

from deploy.cli import main
from deploy.local.processes import Process, ServerProgram, write_record
from deploy.local.stores import EmbeddedRedis
from events.chain import check
from projections.games.replay import position_at
from projections.rules.registry import GAMES
from service import settings
from service.app import create_app
from service.core.queues import BOT_GAMES
from service.games.game_state import setting
from tests.service.conftest import variables
from tests.support.running_program import PROJECT, eventually
from tests.support.service.players import somebody
from tests.support.service.scrape import scraped

TABLES: Final[tuple[tuple[str, dict[str, Any], int], ...]] = (  # game, options, how many
    ("spice_road", {}, 14),
    ("spice_road", {"hand_visibility": "owner_only"}, 6),
    ("puerto_rico", {}, 2),
    ("puerto_rico", {"expansions": ["new_buildings", "nobles"], "exp1_selection": "all"}, 2),
)
FAULTS_FOR: Final = 5.0
EVERY: Final = 0.7
WITHIN: Final = 480.0  # on a machine that is very busy; a minute is enough for one that is not
POISON: Final = (("workers.jobs.take_turns", "no game"), ("workers.jobs.no_such_job", 1), ("os._exit", 9))
RUNNING: Final = "SELECT count(*) FROM games WHERE status = 'running'"


class House:
    """Workers, keepers and a Redis of their own, each of which may die at any moment."""

    def __init__(self, environ: dict[str, str], server: EmbeddedRedis, directory: Path) -> None:
        key = base64.b64encode(bytes(32)).decode()
        self._environ = {**os.environ, **environ, "CABILDO_LOG_KEY": key}
        self._server, self._directory = server, directory
        self._seen: set[psutil.Process] = set()  # the jobs of killed workers may run on
        self.redis = self.serve()
        self.keepers = [self.start("keeper") for _ in range(2)]
        self.workers = [self.start("worker", BOT_GAMES) for _ in range(2)]

    def serve(self) -> Process:
        """Start Redis, with nothing in it."""
        process = Process(self._server.prepare())
        write_record(self._directory / "doorbell.json", {"redis": process.pid})
        process.wait_ready()
        return process

    def start(self, *command: str) -> Process:
        """A command of `cabildo` in a process of its own."""
        arguments = (sys.executable, "-m", "deploy.cli", *command)
        log = self._directory / "house.log"
        return Process(ServerProgram(command[0], arguments, log, lambda: True, self._environ, directory=PROJECT))

    def kill_redis(self) -> None:
        """Kill Redis and start it again; all that it held is gone."""
        os.kill(self.redis.pid, signal.SIGKILL)
        self.redis.stop()
        self.redis = self.serve()

    def kill_worker(self, source: random.Random) -> None:
        """Kill a worker, or the job it runs, or both; another takes its place, as with every supervisor."""
        worker = self.workers[source.randrange(len(self.workers))]
        with suppress(psutil.NoSuchProcess):
            jobs = psutil.Process(worker.pid).children(recursive=True)
            self._seen.update(jobs)
            for victim in source.choice([jobs, [psutil.Process(worker.pid)], [psutil.Process(worker.pid), *jobs]]):
                victim.send_signal(signal.SIGKILL)

    def supervise(self) -> None:
        """Restarts ended processes."""
        self.workers = [worker if alive(worker) else self.start("worker", BOT_GAMES) for worker in self.workers]

    def stop(self) -> None:
        """End everything that was started."""
        for process in (*self.workers, *self.keepers, self.redis):
            with suppress(psutil.NoSuchProcess):
                self._seen.update(psutil.Process(process.pid).children(recursive=True))
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
            process.stop()
        for job in self._seen:
            with suppress(psutil.NoSuchProcess):
                job.kill()


def alive(process: Process) -> bool:
    """Whether it still runs."""
    return process.exit_code() is None


@pytest.fixture
def environ(database: str, server_directory: Path, tmp_path: Path) -> dict[str, str]:
    """Returns the variables of a service with a Redis of its own."""
    return variables(database, EmbeddedRedis(server_directory / "mortal").url(), tmp_path)


@pytest.fixture
def house(environ: dict[str, str], server_directory: Path, tmp_path: Path) -> Iterator[House]:
    """Everything that bots need, running."""
    directory = server_directory / "mortal"
    directory.mkdir(exist_ok=True)
    running = House(environ, EmbeddedRedis(directory), tmp_path)
    with ExitStack() as ending:
        ending.callback(running.stop)
        yield running


@pytest.mark.timeout(600)
def test_games_of_bots_survive_kills_and_poisoned_jobs(house: House, environ: dict[str, str]) -> None:
    app = create_app(settings.load(environ))
    games = [game for table in TABLES for game in begun(app, *table)]
    source, over = random.Random(1), monotonic() + FAULTS_FOR
    while monotonic() < over:
        house.kill_worker(source)
        if source.random() < 0.4:
            house.kill_redis()
        signal.sigtimedwait([], EVERY)
        house.supervise()
    assert unfinished(app)  # the faults came during the games
    house.kill_redis()
    poison(app)
    assert eventually(partial(all_over, house, app), WITHIN), unfinished(app)
    assert all(map(alive, house.keepers))
    for game in games:
        check_played(app, game)
    tell_of_poison(app, environ)
    app.extensions["cabildo"].close()


def begun(app: Flask, game: str, options: dict[str, Any], number: int) -> list[UUID]:
    """Games of two greedy bots."""
    asked = {"game": game, "seats": ["bot:greedy", "bot:greedy"], "options": options}
    host = somebody(app.test_client())
    return [UUID(host.post("/v1/games", asked)["id"]) for _ in range(number)]


def all_over(house: House, app: Flask) -> bool:
    """Whether no game runs any more; workers that end go on being replaced."""
    house.supervise()
    return not unfinished(app)


def unfinished(app: Flask) -> int:
    """How many games still run."""
    with app.extensions["cabildo"].stores.pool.connection() as connection:
        return int(connection.execute(RUNNING).fetchone()[0])


def bot_games(app: Flask) -> Queue:
    """Returns the queue of games that bots play alone."""
    return Queue(BOT_GAMES, connection=app.extensions["cabildo"].stores.redis, serializer=JSONSerializer)


def poison(app: Flask) -> None:
    """Jobs that cannot be done: with no such arguments, of no such name, one that ends its process, a torn one."""
    queue = bot_games(app)
    for number, (function, argument) in enumerate(POISON):
        queue.enqueue(function, argument, job_id=f"poison-{number}", failure_ttl=600)
    torn = queue.enqueue("workers.jobs.take_turns", "torn", 1, job_id="poison-torn", failure_ttl=600)
    queue.connection.hset(torn.key, "data", b"\x00torn")


def tell_of_poison(app: Flask, environ: dict[str, str]) -> None:
    """`cabildo status` and the metrics report the failure, and no job waits behind it."""
    asked = CliRunner().invoke(main, ["status", "--json"], env=environ)
    told = json.loads(asked.stdout)["queues"][BOT_GAMES]
    # The job that ended its worker counts as running until its time is over; the torn one has failed.
    assert (told["waiting"], told["failed"]) == (0, len(POISON))
    assert "poison-2" in StartedJobRegistry(queue=bot_games(app)).get_job_ids(cleanup=False)
    metrics = scraped(app)
    assert f'cabildo_queue_failed_jobs{{queue="{BOT_GAMES}"}} {told["failed"]}.0' in metrics


def check_played(app: Flask, game: UUID) -> None:
    """The chain holds, its facts lead to the board that was kept, and each move was decided on the one before it."""
    container = app.extensions["cabildo"]
    events, table = list(container.games.store.read(game, 0)), container.games.load(game)
    check(event.body for event in events)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert position_at(setting(table.known), events) == table.board
    assert GAMES[table.known.game].outcome(table.board) is not None
    for before, event in pairwise(events):
        if event.kind == "moved":
            assert event.data["bot"]["seed"] == before.hash[:8].hex()

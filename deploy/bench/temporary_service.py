"""Temporary stores and web servers for measuring, durable as in production."""

import base64
import os
import secrets
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import psycopg

from deploy.bench.bare import TABLE
from deploy.local.data_folder import PROJECT
from deploy.local.guard import bench_directory
from deploy.local.processes import Process, ServerProgram
from deploy.local.stores import EmbeddedPostgres, EmbeddedRedis
from events.log.signing_gate import set_gate
from events.store.migrations import migrate
from service.key_settings import LOG_KEY, MASTER_KEY

HOST: Final = "127.0.0.1"
KEY_BYTES: Final = 32
API: Final = "service.app:create_app()"
BARE: Final = "deploy.bench.bare:create_app()"


class BenchStores(NamedTuple):
    """The settings of temporary stores."""

    environ: dict[str, str]
    directory: Path
    database: int  # the main process of PostgreSQL
    admin: str  # the address of the superuser


class BenchService(NamedTuple):
    """The addresses of a temporary service."""

    environ: dict[str, str]
    api: tuple[str, int]
    bare: tuple[str, int]
    pid: int  # of gunicorn's main process
    bare_pid: int  # of the bare endpoint's
    database: int  # the main process of PostgreSQL


class WebNodes(NamedTuple):
    """Web servers over the same stores."""

    addresses: Sequence[tuple[str, int]]
    pids: Sequence[int]  # of gunicorn's main processes


@contextmanager
def temporary_stores() -> Iterator[BenchStores]:
    """Runs temporary stores with the schema of the service."""
    with bench_directory() as directory:
        postgres, redis = EmbeddedPostgres(directory / "postgresql"), EmbeddedRedis(directory / "redis")
        with running_program(postgres.prepare()) as database, running_program(redis.prepare()):
            with psycopg.connect(postgres.url(), autocommit=True) as admin:
                migrate(admin)
                set_gate(admin, is_open=True, reason="a new database of the bench")
                admin.execute(TABLE)
            yield BenchStores(_environ(directory, postgres.url(), redis.url()), directory, database.pid, postgres.url())


@contextmanager
def temporary_service(application: str = API, **settings: str) -> Iterator[BenchService]:
    """Runs temporary stores and two web servers with equal settings: the application, and the bare endpoint."""
    with temporary_stores() as stores:
        environ, ports = stores.environ | settings, free_ports(2)
        with (
            running_program(_server(application, ports[0], environ, stores.directory)) as api,
            running_program(_server(BARE, ports[1], environ, stores.directory)) as bare,
        ):
            addresses = (HOST, ports[0]), (HOST, ports[1])
            yield BenchService(environ, *addresses, api.pid, bare.pid, stores.database)


@contextmanager
def temporary_nodes(number: int, **settings: str) -> Iterator[WebNodes]:
    """Runs temporary stores and some web servers over them."""
    with temporary_stores() as stores, ExitStack() as exits:
        ports = free_ports(number)
        environ = stores.environ | settings
        running = [
            exits.enter_context(running_program(_server(API, port, environ, stores.directory))) for port in ports
        ]
        yield WebNodes([(HOST, port) for port in ports], [one.pid for one in running])


@contextmanager
def running_program(program: ServerProgram) -> Iterator[Process]:
    """Runs a program; stops it when the context ends."""
    process = Process(program)
    try:
        process.wait_ready()
        yield process
    finally:
        process.stop()


def free_ports(number: int) -> list[int]:
    """Returns unused ports."""
    sockets = [socket.socket() for _ in range(number)]
    for one in sockets:
        one.bind((HOST, 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def _environ(directory: Path, database_url: str, redis_url: str) -> dict[str, str]:
    keys = {name: base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode() for name in (MASTER_KEY, LOG_KEY)}
    return {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "CABILDO_DATA_DIR": str(directory),
        "CABILDO_LOG_LEVEL": "warning",
        "CABILDO_REQUESTS_PER_MINUTE": "1000000",  # requests, streams and games are counted, but not limited
        "CABILDO_REGISTRATIONS_PER_HOUR": "1000000",
        "CABILDO_STREAMS": "1000000",
        "CABILDO_MOST_GAMES": "1000000",
        "CABILDO_MOST_OPEN_TABLES": "1000000",
        "CABILDO_MOST_BOT_SEATS": "1000000",
        "CABILDO_STREAMS_PER_ADDRESS": "1000000",
        **keys,
    }


def _server(application: str, port: int, environ: dict[str, str], directory: Path) -> ServerProgram:
    return ServerProgram(
        name=application,
        command=(sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf", application),
        log=directory / f"{port}.log",
        ready=lambda: listens(port),
        environment={**environ, "CABILDO_PORT": str(port)},
        directory=PROJECT,
    )


def listens(port: int) -> bool:
    """Whether something accepts connections there."""
    with socket.socket() as trying:
        return trying.connect_ex((HOST, port)) == 0

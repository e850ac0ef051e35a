"""A database that a test replaces by a copy of itself, as an operator who restores a backup does."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import ObjectInUse

from events.log.signing_gate import set_gate
from service import settings
from service.app import create_app
from service.container import Container
from tests.support.running_program import eventually

CONNECTABLE = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
DISCONNECT = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s"


class ReplaceableDatabase:
    """A database that can be copied, and replaced by a copy, while a process is connected to it."""

    def __init__(self, url: str) -> None:
        self.name = str(conninfo_to_dict(url)["dbname"])
        self._url = url

    def copy(self, name: str) -> None:
        """Copy the database as it is now."""
        self._run("CREATE DATABASE {} TEMPLATE {}", name, self.name)

    def replace(self, name: str) -> None:
        """Put a copy in the place of the database, and open its gate as a keeper does that finds no contradiction."""
        self._run("DROP DATABASE {}", self.name)
        self._run("ALTER DATABASE {} RENAME TO {}", name, self.name)
        with psycopg.connect(self._url, autocommit=True) as admin:
            set_gate(admin, is_open=True, reason="a copy")

    def _run(self, command: str, *names: str) -> None:
        """Run a command on databases to which nothing is connected; a pool that reconnects in between would stop it.

        A connection that is being made while the database closes is not listed yet: it is ended at another try.
        """
        with psycopg.connect(make_conninfo(self._url, dbname="postgres"), autocommit=True) as admin:
            closed = existing(admin, names)
            for name in closed:
                admin.execute(CONNECTABLE.format(sql.Identifier(name), sql.SQL("false")))

            def done() -> bool:
                for name in closed:
                    admin.execute(DISCONNECT, (name,))
                with suppress(ObjectInUse):
                    admin.execute(sql.SQL(command).format(*map(sql.Identifier, names)))
                    return True
                return False

            assert eventually(done)
            for name in existing(admin, names):
                admin.execute(CONNECTABLE.format(sql.Identifier(name), sql.SQL("true")))


def existing(admin: psycopg.Connection, names: Sequence[str]) -> list[str]:
    """Returns those of the names that are databases."""
    return [
        name for (name,) in admin.execute("SELECT datname FROM pg_database WHERE datname = ANY(%s)", (list(names),))
    ]


@contextmanager
def process(environ: dict[str, str]) -> Iterator[Container]:
    """A process of the service."""
    container: Container = create_app(settings.load(environ)).extensions["cabildo"]
    try:
        yield container
    finally:
        container.close()

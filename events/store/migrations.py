"""Migrates a database to the schema of this program: numbered SQL files, each run once, by one node at a time."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.util import find_spec
from typing import NamedTuple

import structlog
from psycopg import Connection

from events.errors import NotAllowedToMigrate, SchemaMismatch

FOLDERS: Mapping[str, str] = {  # component -> package with its schema/, in the order in which they build on one another
    "events": "events",
    "projections": "projections.read_models",
    "service": "service.core",
}
COMPONENTS = tuple(FOLDERS)
FILE_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
AS_SUPERUSER = "-- runs as superuser"
LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('cabildo.migrations', 0))"
HISTORY = """
CREATE TABLE IF NOT EXISTS migrations (
    component text NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (component, number)
)
"""
IS_SUPERUSER = "SELECT rolsuper, current_user FROM pg_roles WHERE rolname = current_user"
HAS_HISTORY = "SELECT to_regclass('migrations') IS NOT NULL"
APPLIED = "SELECT component, number, checksum FROM migrations ORDER BY component, number"
RECORD = "INSERT INTO migrations (component, number, name, checksum) VALUES (%s, %s, %s, %s)"
READABLE = "GRANT SELECT ON migrations TO cabildo_service"

log = structlog.get_logger(__name__)


class Migration(NamedTuple):
    """One numbered SQL file of a component."""

    component: str
    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """Detects an edited file."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations(components: Sequence[str] = COMPONENTS) -> tuple[Migration, ...]:
    """Returns all migrations of this program, in order."""
    return tuple(step for component in components for step in _steps(component))


def _steps(component: str) -> Iterator[Migration]:
    folder = files(FOLDERS[component]) / "schema" if find_spec(component) else None
    if folder is None or not folder.is_dir():
        return
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    for expected, name in enumerate(names, start=1):
        match = FILE_NAME.fullmatch(name)
        if match is None or int(match[1]) != expected:
            raise SchemaMismatch(component, expected, f"the file is named {name}")
        yield Migration(component, expected, name, (folder / name).read_text("utf-8"))


def migrate(connection: Connection, steps: Sequence[Migration] | None = None) -> tuple[Migration, ...]:
    """Runs the missing migrations in one transaction and returns them; nodes that start together wait."""
    steps = migrations() if steps is None else steps
    with connection.transaction():
        connection.execute(LOCK)
        missing = pending(connection, steps)
        if missing:
            _require_superuser(connection)
            connection.execute(HISTORY)
        for step in missing:
            _run(connection, step)
    for step in missing:
        log.info("migrated", component=step.component, migration=step.name)
    return missing


def pending(connection: Connection, steps: Sequence[Migration] | None = None) -> tuple[Migration, ...]:
    """Returns the migrations that have not run; raises SchemaMismatch when the database ran others."""
    steps = migrations() if steps is None else steps
    applied = _applied(connection)
    known = {(step.component, step.number): step for step in steps}
    for (component, number), checksum in applied.items():
        step = known.get((component, number))
        if step is None:
            raise SchemaMismatch(component, number, "is unknown here; the database is newer than this program")
        if step.checksum != checksum:
            raise SchemaMismatch(component, number, f"{step.name} is not the file that was run")
    return tuple(step for step in steps if (step.component, step.number) not in applied)


def check_schema(connection: Connection) -> None:
    """Raises SchemaMismatch unless the database is exactly at this program's schema."""
    for step in pending(connection):
        raise SchemaMismatch(step.component, step.number, "has not run; run: cabildo migrate")


def _applied(connection: Connection) -> dict[tuple[str, int], str]:
    exists = connection.execute(HAS_HISTORY).fetchone()
    if exists is None or not exists[0]:
        return {}
    return {(component, number): checksum for component, number, checksum in connection.execute(APPLIED)}


def _require_superuser(connection: Connection) -> None:
    row = connection.execute(IS_SUPERUSER).fetchone()
    if row is None or not row[0]:
        raise NotAllowedToMigrate(row[1] if row else "nobody")


def _run(connection: Connection, step: Migration) -> None:
    if not step.sql.startswith(AS_SUPERUSER):
        connection.execute("SET LOCAL ROLE cabildo_owner")
    connection.execute(step.sql.encode())
    connection.execute("RESET ROLE")
    connection.execute(RECORD, (step.component, step.number, step.name, step.checksum))
    connection.execute(READABLE)

"""Migrates a database to the schema of this program: numbered SQL files, each run once, by one node at a time.

A role that is no superuser migrates, too, when it may create roles and owns the database, as on a managed server. Event
triggers are left out where the server refuses them; a later migration by a superuser adds them.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.util import find_spec
from typing import LiteralString, NamedTuple

import psycopg
import structlog
from psycopg import Connection, sql

from events.errors import NotAllowedToMigrate, SchemaMismatch
from events.store.sql_statements import split_statements

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
MAY_MIGRATE = "SELECT rolsuper, rolcreaterole, current_user FROM pg_roles WHERE rolname = current_user"
ROLES = ("cabildo_owner", "cabildo_service")
IS_MEMBER = "SELECT to_regrole(%(role)s) IS NULL OR pg_has_role(to_regrole(%(role)s), %(right)s)"
SET_RIGHT_SINCE = 160_000  # the version of PostgreSQL that tells apart who is a member and who may become the role
MEMBERSHIP = "GRANT {role} TO CURRENT_USER"
EVENT_TRIGGER = "CREATE EVENT TRIGGER"
EVENT_TRIGGERS_LEFT_OUT = "SELECT to_regnamespace('guards') IS NULL"
# A cluster is told of no table before `cabildo distribute` has distributed some, and of every change from then on.
HAS_CITUS = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"
IS_DISTRIBUTED = "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('public.events'))"
KEEP_TO_ITSELF = "SET LOCAL citus.enable_ddl_propagation = off"
ONE_BY_ONE = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'"
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
        _prepare_cluster(connection)
        missing = pending(connection, steps)
        is_superuser = bool(missing) and _require_right(connection)
        if missing:
            connection.execute(HISTORY)
        for step in missing:
            _run(connection, step, is_superuser)
        _add_event_triggers(connection, steps)
    for step in missing:
        log.info("migrated", component=step.component, migration=step.name)
    return missing


def _prepare_cluster(connection: Connection) -> None:
    """Keeps a migration from the workers of a cluster while no table is distributed: they lack the roles."""
    if _is_true(connection, HAS_CITUS):
        connection.execute(ONE_BY_ONE if is_distributed(connection) else KEEP_TO_ITSELF)


def is_distributed(connection: Connection) -> bool:
    """Returns whether the events lie on the workers of a cluster."""
    return _is_true(connection, HAS_CITUS) and _is_true(connection, IS_DISTRIBUTED)


def _is_true(connection: Connection, query: LiteralString) -> bool:
    row = connection.execute(query).fetchone()
    return bool(row and row[0])


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


def _require_right(connection: Connection) -> bool:
    """Returns whether the role is a superuser; raises NotAllowedToMigrate when it may not even create roles."""
    is_superuser, creates_roles, role = connection.execute(MAY_MIGRATE).fetchone() or (False, False, "nobody")
    if not (is_superuser or creates_roles):
        raise NotAllowedToMigrate(role)
    return bool(is_superuser)


def _run(connection: Connection, step: Migration, is_superuser: bool) -> None:
    if not is_superuser:
        _join_roles(connection)
    if not step.sql.startswith(AS_SUPERUSER):
        connection.execute("SET LOCAL ROLE cabildo_owner")
    try:
        with connection.transaction():
            for statement in split_statements(step.sql):
                connection.execute(statement.encode())
    except psycopg.errors.InsufficientPrivilege as refusal:
        if EVENT_TRIGGER not in step.sql:
            raise NotAllowedToMigrate(connection.info.user, str(refusal).splitlines()[0]) from None
        log.warning("the server lets this role create no event triggers", migration=step.name)
    connection.execute("RESET ROLE")
    connection.execute(RECORD, (step.component, step.number, step.name, step.checksum))
    connection.execute(READABLE)


def _join_roles(connection: Connection) -> None:
    """Makes a role that is no superuser a member of the roles that it has created."""
    right = "SET" if connection.info.server_version >= SET_RIGHT_SINCE else "MEMBER"
    for role in ROLES:
        found = connection.execute(IS_MEMBER, {"role": role, "right": right}).fetchone()
        if found is not None and not found[0]:
            try:
                with connection.transaction():
                    connection.execute(sql.SQL(MEMBERSHIP).format(role=sql.Identifier(role)))
            except psycopg.errors.InsufficientPrivilege:
                raise NotAllowedToMigrate(connection.info.user, f"it is no member of {role}") from None


def _add_event_triggers(connection: Connection, steps: Sequence[Migration]) -> None:
    """Adds the event triggers that an earlier migration left out, when this role may create them."""
    row = connection.execute(EVENT_TRIGGERS_LEFT_OUT).fetchone()
    rights = connection.execute(MAY_MIGRATE).fetchone()
    if row is None or not row[0] or rights is None or not rights[0]:
        return
    for step in steps:
        if EVENT_TRIGGER in step.sql:
            connection.execute(step.sql.encode())
            log.info("event triggers added", migration=step.name)

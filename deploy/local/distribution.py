"""Distributes the tables of streams over the workers of a Citus cluster, and checks what holds there.

Everything of one stream lies on one worker; the column that holds the stream decides which. Log, seals, accounts and
read models stay on the coordinator, which all processes connect to. What is distributed already is left as it is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, LiteralString

import psycopg
from psycopg import Connection, sql

from deploy.errors import NotDistributable
from deploy.local.worker_guards import (
    ALWAYS_FIRES,
    CHANGES,
    EVENT_TRIGGERS,
    GUARD_SHARD,
    INSTALL,
    IS_GUARDED,
    TRUNCATIONS,
)
from events.store.connections import SERVICE_ROLE
from events.store.guards import check_guards
from events.store.migrations import ROLES, check_schema

COLUMNS: Final[Mapping[str, str]] = {  # tables to distribute -> the column that holds the stream; the first leads
    "events": "stream",
    "outbox": "stream",
    "answers": "stream",
    "texts": "stream",
    "games": "id",
    "places": "id",
    "kept_seats": "id",
    "programmed_answers": "game",
    "boards": "id",
    "kept_boards": "id",
    "seeds": "id",
    "transcripts": "id",
    "transcript_notes": "id",
    "happened": "stream",
    "cold_streams": "stream",
}
COPIED: Final = ("hidden_texts", "cold_archives", "cold_files")  # small, and joined to the others: each node has a copy
VIEWS: Final = ("event_documents", "streams_begun")  # Citus makes them anew, and forgets whose they are
GUARDED: Final = ("events",)
EXTENSION: Final = "SELECT extversion FROM pg_extension WHERE extname = 'citus'"
ROLE: Final = "SELECT rolsuper, current_user FROM pg_roles WHERE rolname = current_user"
NODES: Final = """
SELECT citus_is_coordinator(),
    (SELECT count(*) FROM pg_dist_node WHERE groupid = 0),
    (SELECT count(*) FROM pg_dist_node WHERE groupid <> 0 AND isactive)
"""
IS_DISTRIBUTED: Final = """
SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = %s::regclass AND partmethod = 'h')
"""
IS_COPIED: Final = "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = %s::regclass AND repmodel = 't')"
DISTRIBUTE: Final = "SELECT create_distributed_table(%s, %s, colocate_with => %s)"
COPY: Final = "SELECT create_reference_table(%s)"
HAS_ROWS: Final[LiteralString] = "SELECT EXISTS (SELECT FROM {})"
FORGET_LOCAL: Final = "SELECT truncate_local_data_after_distributing_table(%s::regclass)"
ALLOW: Final = """
SELECT set_config('citus.enable_unsafe_triggers', 'on', true), set_config('cabildo.altering_acts', 'on', true)
"""
LOCALLY: Final = "SELECT set_config('citus.enable_ddl_propagation', %s, true)"
SUBPARTITIONED: Final = """
SELECT relid::regclass::text FROM pg_partition_tree('events')
WHERE level = 1 AND NOT isleaf
"""
BOUNDS: Final = "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE oid = %s::regclass"
PARTITIONS: Final = "SELECT relid::regclass::text FROM pg_partition_tree('events')"
ON_WORKERS: Final = "SELECT nodename || ':' || nodeport, success, result FROM run_command_on_workers(%s)"
MAKE_ROLES: Final = """
DO $do$
BEGIN
    SET LOCAL citus.enable_ddl_propagation = off;
    IF to_regrole('cabildo_owner') IS NULL THEN CREATE ROLE cabildo_owner; END IF;
    IF to_regrole('cabildo_service') IS NULL THEN CREATE ROLE cabildo_service LOGIN; END IF;
END $do$
"""
# The owner logs in nowhere but here, and from the coordinator alone: its functions run with its rights.
MAY_LOG_IN: Final = "SELECT bool_and(rolcanlogin) FROM pg_roles WHERE rolname IN ('cabildo_owner', 'cabildo_service')"
LET_LOG_IN: Final = """
DO $do$
BEGIN
    SET LOCAL citus.enable_ddl_propagation = off;
    ALTER ROLE cabildo_owner LOGIN;
    ALTER ROLE cabildo_service LOGIN;
END $do$
"""
UNSAFE_TRIGGERS: Final = """
SELECT EXISTS (
    SELECT FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS setting
    WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND setting = 'citus.enable_unsafe_triggers=on'
)
"""
GENERIC: Final = """
SELECT oid::regprocedure::text FROM pg_proc
WHERE pronamespace = 'public'::regnamespace AND 'plan_cache_mode=force_generic_plan' = ANY (proconfig)
"""
IS_READABLE: Final = "SELECT has_table_privilege('cabildo_service', %s, 'SELECT')"
LET_TRIGGERS: Final = "ALTER DATABASE {} SET citus.enable_unsafe_triggers = on"
ON_SHARDS: Final = "SELECT shardid, success, result FROM run_command_on_placements(%s, %s)"
PROOFS: Final[Mapping[str, LiteralString]] = {
    SERVICE_ROLE: "SELECT count(*) FROM (SELECT seq FROM events LIMIT 1) AS one",
    "cabildo_owner": "SELECT count(*) FROM (SELECT seq FROM outbox LIMIT 1) AS one",
}

Say = Callable[[str], None]


def distribute(connection: Connection, say: Say) -> int:
    """Distributes what is not distributed, and checks the cluster; returns how much was changed.

    Raises NotDistributable, which says what is missing, and SchemaMismatch for another schema.
    """
    _check_cluster(connection)
    check_schema(connection)
    done = 0
    for change in _changes(connection):
        say(change)
        done += 1
    check_coordinator(connection)
    check_workers(connection)
    return done


def _check_cluster(connection: Connection) -> None:
    """Raises NotDistributable for a server that is no coordinator of a Citus cluster, or for a role without rights."""
    if connection.execute(EXTENSION).fetchone() is None:
        raise NotDistributable(
            "this database has no extension citus; on a server with Citus, run CREATE EXTENSION citus in it, "
            "and citus_add_node() for each worker"
        )
    is_superuser, role = connection.execute(ROLE).fetchone() or (False, "nobody")
    if not is_superuser:
        raise NotDistributable(f"{role} is no superuser; name one in DATABASE_URL")
    is_coordinator, itself, workers = connection.execute(NODES).fetchone() or (False, 0, 0)
    if not is_coordinator:
        raise NotDistributable("this server is a worker; name the coordinator in DATABASE_URL")
    if not itself:
        raise NotDistributable("the coordinator is no node of its cluster; run SELECT citus_set_coordinator_host()")
    if not workers:
        raise NotDistributable("the cluster has no active worker; run SELECT citus_add_node() for each")


def _changes(connection: Connection) -> Iterator[str]:
    """Makes what is missing, each change in a transaction of its own; yields what was done."""
    yield from _prepare(connection)
    yield from _spread_tables(connection)
    yield from _guard_workers(connection)


def _prepare(connection: Connection) -> Iterator[str]:
    """Makes what tables take to be distributed: roles on the workers, the right to have triggers, flat partitions."""
    if _on_workers(connection, "SELECT count(*) FROM pg_roles WHERE rolname LIKE 'cabildo_%'") != {str(len(ROLES))}:
        _on_workers(connection, MAKE_ROLES)
        yield "made the roles on the workers"
    if not _one(connection, UNSAFE_TRIGGERS):
        name = sql.Identifier(connection.info.dbname)
        connection.execute(sql.SQL(LET_TRIGGERS).format(name))
        yield "let this database have triggers on distributed tables"
    for function in [name for (name,) in connection.execute(GENERIC).fetchall()]:  # Citus needs to see the stream
        with connection.transaction():
            connection.execute(LOCALLY, ("off",))
            connection.execute(f"ALTER FUNCTION {function} RESET plan_cache_mode".encode())
        yield f"let {function.partition('(')[0]}() be planned for each stream"
    for table in [name for (name,) in connection.execute(SUBPARTITIONED).fetchall()]:
        _flatten(connection, table)
        yield f"made one partition of {table}"


def _spread_tables(connection: Connection) -> Iterator[str]:
    """Distributes the tables that are not."""
    for table in COPIED:
        if not _one(connection, IS_COPIED, table):
            _spread(connection, table, COPY, (table,))
            yield f"copied {table} to every node"
    lead = next(iter(COLUMNS))
    for table, column in COLUMNS.items():
        if not _one(connection, IS_DISTRIBUTED, table):
            _spread(connection, table, DISTRIBUTE, (table, column, "none" if table == lead else lead))
            yield f"distributed {table} by {column}"
    for view in VIEWS:
        if not _one(connection, IS_READABLE, view):
            name = sql.Identifier(view)
            connection.execute(sql.SQL("ALTER VIEW {} OWNER TO cabildo_owner").format(name))
            connection.execute(sql.SQL("GRANT SELECT ON {} TO cabildo_service").format(name))
            yield f"gave {view} back to the service"


def _guard_workers(connection: Connection) -> Iterator[str]:
    """Lets the roles reach the workers, and guards the tables there."""
    if _on_workers(connection, MAY_LOG_IN) != {"t"}:
        _on_workers(connection, LET_LOG_IN)
        yield "let the roles log in on the workers"
    if _on_workers(connection, IS_GUARDED) != {str(EVENT_TRIGGERS)}:
        _on_workers(connection, INSTALL)
        yield "guarded the tables of the workers from being dropped or altered"
    for part in _parts(connection):  # shards of a month that the keeper has made since
        if any(result == "0" for _, result in _on_shards(connection, part, ALWAYS_FIRES.format(type=TRUNCATIONS))):
            _on_shards(connection, part, GUARD_SHARD)
            yield f"guarded the shards of {part} from truncation"


def _spread(connection: Connection, table: str, statement: LiteralString, values: Sequence[object]) -> None:
    """Distributes a table with its rows; the coordinator keeps none of them."""
    parts = _parts(connection) if table in GUARDED else []
    with connection.transaction():
        connection.execute(ALLOW)
        has_rows = _one(connection, sql.SQL(HAS_ROWS).format(sql.Identifier(table)))
        connection.execute(statement, values)
        if has_rows:
            _forget_local_rows(connection, table, parts)


def _forget_local_rows(connection: Connection, table: str, guarded: Sequence[str]) -> None:
    """Removes the rows that the workers have now; the guards of the coordinator's own tables are off meanwhile."""
    connection.execute(LOCALLY, ("off",))
    for part in guarded:
        connection.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER no_truncate").format(sql.Identifier(part)))
    connection.execute(FORGET_LOCAL, (table,))
    for part in guarded:
        connection.execute(sql.SQL("ALTER TABLE {} ENABLE ALWAYS TRIGGER no_truncate").format(sql.Identifier(part)))
    connection.execute(LOCALLY, ("on",))


def _flatten(connection: Connection, table: str) -> None:
    """Replaces a partition that is partitioned itself, which Citus does not take, by one with the same rows."""
    old, new = sql.Identifier(table), sql.Identifier(f"{table}_flat")
    with connection.transaction():
        connection.execute(ALLOW)
        bounds = sql.SQL(_one(connection, BOUNDS, table))
        for step in (
            sql.SQL("CREATE TABLE {new} (LIKE {old} INCLUDING ALL)"),
            sql.SQL("ALTER TABLE {new} OWNER TO cabildo_owner"),
            sql.SQL("INSERT INTO {new} SELECT * FROM {old}"),
            sql.SQL("ALTER TABLE events DETACH PARTITION {old}"),
            sql.SQL("DROP TABLE {old}"),
            sql.SQL("ALTER TABLE {new} RENAME TO {old}"),
            sql.SQL("ALTER TABLE events ATTACH PARTITION {old} {bounds}"),
            sql.SQL("CALL guard('events')"),
        ):
            connection.execute(step.format(old=old, new=new, bounds=bounds))


def check_coordinator(connection: Connection) -> None:
    """Raises GuardsMissing unless the coordinator has its guards, seen with the rights of the service."""
    with connection.transaction():
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(SERVICE_ROLE)))
        check_guards(connection)


def check_workers(connection: Connection) -> None:
    """Raises NotDistributable unless each shard has its guards and both roles reach the workers."""
    for part in _parts(connection):
        for type in CHANGES, TRUNCATIONS:
            for shard, result in _on_shards(connection, part, ALWAYS_FIRES.format(type=type)):
                if result == "0":
                    raise NotDistributable(f"shard {shard} of {part} lacks a guard that always fires")
    for role, proof in PROOFS.items():
        try:
            with connection.transaction():
                connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(role)))
                connection.execute(proof)
        except psycopg.Error as problem:
            reason = str(problem).splitlines()[0]
            raise NotDistributable(f"{role} does not reach the workers; pg_hba.conf must let it: {reason}") from None


def _on_workers(connection: Connection, command: str) -> set[str]:
    """Runs a command on every worker and returns their different answers. Raises NotDistributable."""
    rows = connection.execute(ON_WORKERS, (command,)).fetchall()
    for node, success, result in rows:
        if not success:
            raise NotDistributable(f"worker {node} refuses: {result}")
    return {result for _, _, result in rows}


def _parts(connection: Connection) -> list[str]:
    """Returns the tables that hold events: all partitions, and the one that they are of."""
    return [name for (name,) in connection.execute(PARTITIONS).fetchall()]


def _on_shards(connection: Connection, part: str, command: str) -> list[tuple[int, str]]:
    """Runs a command for each shard of a table on its workers. Raises NotDistributable."""
    rows = connection.execute(ON_SHARDS, (part, command)).fetchall()
    for shard, success, result in rows:
        if not success:
            raise NotDistributable(f"shard {shard} of {part} refuses: {result}")
    return [(shard, result) for shard, _, result in rows]


def _one(connection: Connection, statement: Any, *values: object) -> Any:
    row = connection.execute(statement, values or None).fetchone()
    return None if row is None else row[0]

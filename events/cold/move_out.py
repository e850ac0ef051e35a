"""Moves archived streams out of the database: their partition is replaced by one that holds what stays.

One transaction enters the archive in the catalogue and exchanges the partitions. The old one is dropped afterwards; a
crash in between leaves it detached, and the next call drops it.
"""

from contextlib import suppress
from typing import Final

from psycopg import Connection, errors, sql

from events.cold.archive_files import CannotArchive, WrittenArchive
from events.store.failpoints import failpoint
from events.store.migrations import is_distributed

LOCK_TIMEOUT: Final = "SET LOCAL lock_timeout = '2s'"  # writers wait behind it
ALTERING: Final = "SELECT set_config('cabildo.altering_acts', 'on', true)"
ONE_AT_A_TIME: Final = "SELECT pg_advisory_xact_lock(hashtextextended('cabildo.months', 0))"
TRIES: Final = 5
NUMBER: Final = "SELECT coalesce(max(number), 0) + 1 FROM cold_archives"
ENTER: Final = """
INSERT INTO cold_archives (number, month, place, folder, manifest, streams, events, log_end)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""
ENTER_FILE: Final = "INSERT INTO cold_files (archive, number, hash) VALUES (%s, %s, %s)"
ENTER_STREAMS: Final = "COPY cold_streams (stream, kind, events, head, archive, file) FROM STDIN"
PARTITIONS: Final = """
SELECT DISTINCT part.oid::regclass::text, pg_get_expr(part.relpartbound, part.oid)
FROM (
    SELECT DISTINCT events.tableoid AS leaf FROM cold_streams JOIN events USING (stream)
    WHERE archive = %s AND seq = 1
) AS held
CROSS JOIN LATERAL pg_partition_ancestors(leaf) AS above
JOIN pg_class AS part ON part.oid = above.relid
JOIN pg_inherits ON inhrelid = part.oid AND inhparent = 'events'::regclass
ORDER BY 1
"""
CREATE: Final = sql.SQL("CREATE TABLE {rest} (LIKE events INCLUDING ALL)")
COPY: Final = sql.SQL("""
INSERT INTO {rest} SELECT * FROM {part} AS held
WHERE NOT EXISTS (SELECT FROM cold_streams WHERE stream = held.stream)
""")
COPY_LATER: Final = sql.SQL("""
INSERT INTO {rest} SELECT * FROM {part} AS held
WHERE NOT EXISTS (SELECT FROM cold_streams WHERE stream = held.stream)
    AND NOT EXISTS (SELECT FROM {rest} AS copied WHERE copied.stream = held.stream AND copied.seq = held.seq)
""")
LOCK: Final = "LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE"  # all who read or write a partition lock it first
LEFT: Final = sql.SQL("""
SELECT (SELECT count(*) FROM {part}) - (SELECT count(*) FROM {rest}) - (
    SELECT coalesce(sum(events), 0) FROM cold_streams
    WHERE archive = %s AND EXISTS (SELECT FROM {part} WHERE {part}.stream = cold_streams.stream)
)
""")
EXCHANGE: Final = sql.SQL("""
ALTER TABLE events DETACH PARTITION {part};
ALTER TABLE {part} RENAME TO {detached};
ALTER TABLE {rest} RENAME TO {part};
ALTER TABLE events ATTACH PARTITION {part} {bound};
CALL guard({name});
""")
DETACHED: Final = """
SELECT relname FROM pg_class
WHERE relname ~ '^detached_[0-9]+_' AND relkind IN ('r', 'p') AND NOT relispartition
    AND relnamespace = 'public'::regnamespace
"""
DROP: Final = sql.SQL("DROP TABLE {}")
before_commit = failpoint("archive.before_commit")
before_drop = failpoint("archive.before_drop")


def move_out(connection: Connection, archive: WrittenArchive) -> int:
    """Removes the streams of a verified archive from the database; returns the number of the archive.

    Raises CannotArchive when one of them took further events meanwhile, or when a long query, such as that of a dump,
    does not let go of the events. The connection has the owner's rights.
    """
    for _ in range(TRIES):
        with suppress(errors.LockNotAvailable):
            number = _move_out(connection, archive)
            before_drop()
            drop_detached(connection)
            return number
    raise CannotArchive("a long query reads the events; archive the month again when it has ended")


def _move_out(connection: Connection, archive: WrittenArchive) -> int:
    with connection.transaction():
        connection.execute(LOCK_TIMEOUT)
        connection.execute(ONE_AT_A_TIME)
        number = _enter(connection, archive)
        for part, bound in connection.execute(PARTITIONS, (number,)).fetchall():
            _exchange(connection, number, part, bound)
        before_commit()
    return number


def check_one_server(connection: Connection) -> None:
    """Raises CannotArchive on a cluster: a partition is exchanged on one server only."""
    if is_distributed(connection):
        raise CannotArchive("the events lie on several servers: months are not archived on a Citus cluster")


def drop_detached(connection: Connection) -> None:
    """Drops partitions whose streams are archived or copied; a crash may have left one."""
    with connection.transaction():
        connection.execute(ONE_AT_A_TIME)
        connection.execute(ALTERING)
        for (name,) in connection.execute(DETACHED).fetchall():
            connection.execute(DROP.format(sql.Identifier(name)))


def _enter(connection: Connection, archive: WrittenArchive) -> int:
    """Writes the archive into the catalogue."""
    (number,) = connection.execute(NUMBER).fetchone() or (1,)
    told = (archive.month, archive.place, archive.folder, archive.manifest)
    connection.execute(ENTER, (number, *told, len(archive.streams), archive.events, archive.log_end))
    with connection.cursor() as cursor:
        cursor.executemany(ENTER_FILE, [(number, file, hash) for file, hash in enumerate(archive.files)])
        with cursor.copy(ENTER_STREAMS) as rows:
            for one in archive.streams:
                rows.write_row((one.stream, one.kind, one.head.seq, one.head.hash, number, one.file))
    return int(number)


def lock_events(connection: Connection) -> None:
    """Lets nobody read or write events until the transaction ends."""
    connection.execute(LOCK)


def _exchange(connection: Connection, number: int, part: str, bound: str) -> None:
    """Puts a table with what stays in the place of a partition."""
    rest = f"{part}_rest{number}"
    named = {"part": sql.Identifier(part), "rest": sql.Identifier(rest)}
    connection.execute(CREATE.format(**named))
    connection.execute(COPY.format(**named))
    lock_events(connection)
    for copy in (COPY_LATER, None):
        (left,) = connection.execute(LEFT.format(**named), (number,)).fetchone() or (1,)
        if left and copy is None:
            raise CannotArchive("events came to archived streams meanwhile; archive the month again")
        if left and copy is not None:
            connection.execute(copy.format(**named))
    connection.execute(ALTERING)
    detached = sql.Identifier(f"detached_{number}_{part}")
    connection.execute(EXCHANGE.format(**named, detached=detached, bound=sql.SQL(bound), name=sql.Literal(part)))

"""What moving all games into files costs and saves, measured on the grown log."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import click
from psycopg import Connection

from events.cold.archive_files import verify_archive, write_archive
from events.cold.move_out import move_out
from events.store.connections import connect_as_given

Value = TypeVar("Value")
AS_OWNER: Final = "SET ROLE cabildo_owner"
MONTH: Final = "all"
FINISHED: Final = "SELECT id FROM games WHERE status = 'finished' ORDER BY id"
SIZE_OF: Final = """
SELECT coalesce(sum(pg_total_relation_size(relid)), 0)::bigint FROM pg_partition_tree('events')
"""
SIZES: Final = """
SELECT CASE WHEN relispartition THEN 'events' ELSE relname END, sum(pg_total_relation_size(oid))::bigint
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
GROUP BY 1 HAVING sum(pg_total_relation_size(oid)) > %s ORDER BY 2 DESC
"""


def print_tables(connection: Connection, events: int) -> None:
    """Prints the tables that take more than 10 bytes for each event."""
    for name, size in connection.execute(SIZES, (10 * events,)):
        click.echo(f"table {name:30}{'bytes an event':>15}{size / events:12,.1f}")


@contextmanager
def all_archived(url: str) -> Iterator[None]:
    """Moves all finished games into files for a while, and prints what that took and saved."""
    with connect_as_given(url) as connection, tempfile.TemporaryDirectory() as place:
        connection.execute(AS_OWNER)
        games = [game for (game,) in connection.execute(FINISHED)]
        before = _size(connection)
        archive, write = _timed(lambda: write_archive(connection, place, "games", MONTH, games))
        _, verify = _timed(lambda: verify_archive(connection, archive))
        _, exchange = _timed(lambda: move_out(connection, archive))
        left = _size(connection)
        costs = (1e6 * seconds / archive.events for seconds in (write, verify, exchange))
        click.echo(f"archive of {len(archive.streams)} games, {archive.events:,} events, in {len(archive.files)} files")
        click.echo("  us an event: write {:.1f}, read back and compare {:.1f}, exchange {:.1f}".format(*costs))
        sizes = (size / archive.events for size in (before, left, archive.size))
        click.echo("  bytes an event: {:.0f} in the database, {:.0f} left there, {:.0f} in files".format(*sizes))
        yield


def _timed(work: Callable[[], Value]) -> tuple[Value, float]:
    begun = time.perf_counter()
    return work(), time.perf_counter() - begun


def _size(connection: Connection) -> int:
    """Returns the bytes of all partitions of events."""
    row = connection.execute(SIZE_OF).fetchone()
    return int(row[0]) if row else 0

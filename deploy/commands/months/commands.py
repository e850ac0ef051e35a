"""`cabildo months`: moves the finished games of earlier months into files, verifies and restores them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import click
from psycopg import Connection
from rich.table import Table

from deploy.console import OUT, say
from deploy.local.data_folder import DataFolder, direct_address
from deploy.local.versions import postgresql_version
from events.cold import catalogue
from events.cold.archive_files import verify_archive, write_archive
from events.cold.move_out import check_one_server, drop_detached, move_out
from events.store.connections import connect_as_given
from events.store.migrations import check_schema
from service.core import clock
from service.operations.finished_months import finished_games

DAY: Final = 86_400 * clock.SECOND
AS_OWNER: Final = "SET ROLE cabildo_owner"
STORED: Final = """
SELECT inhrelid::regclass::text, sum(greatest(part.reltuples, 0))::bigint, sum(pg_total_relation_size(part.oid))::bigint
FROM pg_inherits CROSS JOIN LATERAL pg_partition_tree(inhrelid) AS leaf JOIN pg_class AS part ON part.oid = leaf.relid
WHERE inhparent = 'events'::regclass GROUP BY 1 ORDER BY 1
"""


@click.group()
def months() -> None:
    """Move finished games of earlier months into files, verify and restore them.

    Archived games can be replayed, verified, searched and audited as before; nothing is added to them.
    """


@contextmanager
def owned(folder: DataFolder) -> Iterator[Connection]:
    """Yields a connection with the rights of the owner of the tables."""
    url = direct_address(folder, os.environ)
    postgresql_version(url)
    with connect_as_given(url) as connection:
        check_schema(connection)
        connection.execute(AS_OWNER)
        yield connection


@months.command(name="list")
@click.pass_obj
def list_(folder: DataFolder) -> None:
    """List the partitions of events, with estimated numbers of events, and the archives."""
    with owned(folder) as connection:
        rows = Table("partition", "events", "MB", box=None)
        for name, events, size in connection.execute(STORED):
            rows.add_row(name, f"{events:,}", f"{size / 1e6:,.1f}")
        OUT.print(rows)
        for one in catalogue.archives(connection):
            held = f"{one.streams} games, {one.events} events"
            say(f"archive {one.number}: {one.month}, {held}, {one.place}/{one.folder}")


@months.command()
@click.argument("month", type=click.DateTime(["%Y-%m"]))
@click.option("--to", "place", help="A directory, or s3://BUCKET/PREFIX.  [months in the data directory]")
@click.option("--days", type=click.IntRange(0), default=30, show_default=True, help="Games that changed later stay.")
@click.pass_obj
def archive(folder: DataFolder, month: datetime, place: str | None, days: int) -> None:
    """Move the finished games that began in MONTH (YYYY-MM) into files, and remove their events from the database.

    The files are read back and compared with the log before anything is removed. Games that are not over, that changed
    lately or whose tournament or deal goes on, tournaments and studies stay; archive the month again later.
    """
    first = month.date()
    if first >= datetime.now(UTC).date().replace(day=1):
        raise click.ClickException(f"{first:%Y-%m} is not over")
    with owned(folder) as connection:
        check_one_server(connection)
        drop_detached(connection)
        found = finished_games(connection, first, clock.now() - days * DAY)
        if not found.games:
            raise click.ClickException(f"{first:%Y-%m}: no game to archive, {found.staying} streams stay")
        where = _place(folder, place)
        say(f"{first:%Y-%m}: {len(found.games)} games to {where}, {found.staying} streams stay")
        written = write_archive(connection, where, _folder(first), f"{first:%Y-%m}", found.games)
        verify_archive(connection, written)
        number = move_out(connection, written)
    said = f"{written.events} events in {len(written.files)} files, {written.size / written.events:.0f} bytes an event"
    say(f"archive {number}: {said}")


@months.command()
@click.argument("numbers", type=click.IntRange(1), nargs=-1)
@click.pass_obj
def verify(folder: DataFolder, numbers: tuple[int, ...]) -> None:
    """Read the files of archives, NUMBERS or all, and compare every event with the log."""
    with owned(folder) as connection:
        chosen = [catalogue.archive_numbered(connection, one) for one in numbers] or catalogue.archives(connection)
        for one in chosen:
            say(f"archive {one.number}: {catalogue.verify(connection, one)} events are those of the log")


@months.command()
@click.argument("number", type=click.IntRange(1))
@click.pass_obj
def restore(folder: DataFolder, number: int) -> None:
    """Put the games of archive NUMBER back into the database, so that events can be added to them; the files stay."""
    with owned(folder) as connection:
        one = catalogue.archive_numbered(connection, number)
        catalogue.restore(connection, one)
    say(f"{one.streams} games are in the database again; the files stay in {one.place}/{one.folder}")


@months.command()
@click.argument("number", type=click.IntRange(1))
@click.argument("place")
@click.pass_obj
def moved(folder: DataFolder, number: int, place: str) -> None:
    """Tell that the files of archive NUMBER were copied to PLACE; they are verified there first."""
    with owned(folder) as connection:
        one = catalogue.archive_numbered(connection, number)
        catalogue.move_place(connection, one, _place(folder, place))
    say(f"archive {number} is read from {_place(folder, place)}")


def _place(folder: DataFolder, given: str | None) -> str:
    """Returns an absolute directory or the address of a bucket."""
    if given and given.startswith("s3://"):
        return given.rstrip("/")
    return str(Path(given).resolve() if given else folder.data_dir / "months")


def _folder(month: date) -> str:
    """Returns a folder for the files: one for each run, so that a run that broke off is not in the way."""
    return f"{month:%Y-%m}/{datetime.now(UTC):%Y%m%dT%H%M%S%f}"

"""`cabildo migrate`, `distribute` and `events`: migrates and distributes the tables of the database; prints events."""

import os
from datetime import UTC, datetime
from uuid import UUID

import click
from rich.markup import escape

from deploy.console import OUT, say
from deploy.local.data_folder import DataFolder, direct_address
from deploy.local.distribution import distribute as distribute_tables
from deploy.local.versions import postgresql_version
from events.event import Event
from events.store import migrations
from events.store.connections import connect, connect_as_given
from events.store.postgres import read


@click.command()
@click.option("--dry-run", is_flag=True, help="Only list the migrations that would run.")
@click.pass_obj
def migrate(folder: DataFolder, dry_run: bool) -> None:
    """Migrate the database to this program's schema.

    Safe to repeat and to run on several nodes at once. While something is missing, DATABASE_URL must name a superuser,
    or the owner of the database with CREATEROLE.
    """
    url = direct_address(folder, os.environ)
    postgresql_version(url)
    with connect_as_given(url) as connection:
        steps = migrations.pending(connection) if dry_run else migrations.migrate(connection)
    for step in steps:
        say(f"{'would run' if dry_run else 'ran'} {step.component} {step.name}")
    say("nothing is missing" if not steps else f"{len(steps)} migrations")


@click.command()
@click.pass_obj
def distribute(folder: DataFolder) -> None:
    """Distribute the tables of games over the workers of a Citus cluster.

    DATABASE_URL must name a superuser on the coordinator. Safe to repeat: it makes what is missing, says so, and checks
    guards and roles on every worker. Stop the service before the first time.
    """
    with connect_as_given(direct_address(folder, os.environ)) as connection:
        done = distribute_tables(connection, say)
    say("every table is where it belongs" if not done else f"{done} changes")


@click.command()
@click.argument("game", type=click.UUID)
@click.option("--after", type=click.IntRange(0), default=0, help="Start after this event.")
@click.option("--json", "as_json", is_flag=True, help="The stored canonical bytes, one event a line.")
@click.pass_obj
def events(folder: DataFolder, game: UUID, after: int, as_json: bool) -> None:
    """Print the events of GAME, a stream id."""
    url = direct_address(folder, os.environ)
    postgresql_version(url)
    found = 0
    with connect(url) as connection:
        for event in read(connection, game, after):
            found += 1
            if as_json:
                say(event.body.decode())
            else:
                OUT.print(event_line(event))
    if not found:
        raise click.ClickException(f"no event of {game} behind {after}")


def event_line(event: Event) -> str:
    """Returns an event as a line for readers."""
    at = datetime.fromtimestamp(event.at / 1e6, UTC).isoformat(sep=" ", timespec="milliseconds")
    return (
        f"[bold]{event.seq:>5}[/] {at}  [cyan]{event.kind}[/]  {escape(event.actor)}  {escape(str(dict(event.data)))}"
    )

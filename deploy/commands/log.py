"""`cabildo log`: status of the public log, recovery after a restore, a new name."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click
from psycopg import Connection

from deploy.console import say
from deploy.local.accounts import record_operators_act
from deploy.local.data_folder import DataFolder, settings_of
from deploy.local.versions import postgresql_version
from events.log import signing_gate
from events.log.event_archive import ArchiveUnreadable
from events.log.leaves import log_size
from events.log.publisher import withdraw_claim
from events.log.reconciliation import contradictions
from events.log.recovery import CannotRecover, recover
from events.log.sealer import current_origin, newest_seal, open_origin
from events.sealing.vault import Vault
from events.store.connections import connect
from service.core import clock
from service.operations.declare_branch import declare_branch
from service.operations.rebuild_list_rows import games_without_seed, rebuild_list_rows
from service.proof.log_sources import ask_sources
from service.proof.public_log import archive_of, files_of, first_origin, origin_of
from service.settings import Settings

CLOSED = 1
GIVE_UP = "to go on without the lost events and declare them lost: cabildo log recover --branch NAME --reason TEXT"


@click.group()
def log() -> None:
    """Show the status of the public log, recover it, rename it."""


@contextmanager
def connected(folder: DataFolder) -> Iterator[tuple[Settings, Connection]]:
    """Yields the settings and a connection in the service's role."""
    settings = settings_of(folder)[0].direct()
    postgresql_version(settings.database_url)
    with connect(settings.database_url) as connection:
        yield settings, connection


def seen_against(connection: Connection, settings: Settings) -> list[str]:
    """Returns sentences on published or witnessed checkpoints that contradict the log of this database."""
    origin = origin_of(connection, settings)
    return contradictions(connection, origin, ask_sources(settings, origin).shown)


@log.command()
@click.pass_obj
def status(folder: DataFolder) -> None:
    """Print the name and sizes of the log, and whether signing is on. Exits with 1 while it is off."""
    with connected(folder) as (settings, connection):
        origin = origin_of(connection, settings)
        sealed, shut = newest_seal(connection, origin), signing_gate.reason_shut(connection)
        say(f"{origin}: {log_size(connection)} events, {sealed.size if sealed else 0} sealed")
        against = seen_against(connection, settings)
        if shut is None and not against:
            say("signing is on")
            return
        say(f"signing is off, and nothing is written: {'; '.join(against) or shut}")
    raise SystemExit(CLOSED)


@log.command(name="recover")
@click.option("--branch", "name", help="Go on under this name without the lost events, and declare them lost.")
@click.option("--reason", help="The public reason of the loss, with --branch.")
@click.pass_obj
def recover_(folder: DataFolder, name: str | None, reason: str | None) -> None:
    """Complete a restored database up to the published log, from the archive.

    Where the archive lacks events: declare a branch. Afterwards the keeper turns signing on.
    """
    if (name is None) != (reason is None):
        raise click.ClickException("--branch NAME and --reason TEXT belong together")
    with connected(folder) as (settings, connection):
        origin = origin_of(connection, settings)
        if against := seen_against(connection, settings):
            signing_gate.set_gate(connection, is_open=False, reason="; ".join(against))
        box = Vault(settings.master_keys)
        if name is not None and reason is not None:
            _branch(settings, connection, name, reason, box)
            return
        record_operators_act(connection, "log_recovered", origin)  # before: the steps commit one by one
        try:
            adopted = recover(connection, files_of(settings, origin), archive_of(settings))
            withdraw_claim(files_of(settings, origin))
        except (CannotRecover, ArchiveUnreadable) as fault:
            raise click.ClickException(f"{fault}; {GIVE_UP}") from fault
        listed = rebuild_list_rows(connection, box)
        say(f"restored {adopted} events, and {listed} games and tournaments in their lists")
        if lost := games_without_seed(connection):
            say(f"the seeds of {lost} waiting or running games are not in this database: these games cannot go on")


def _branch(settings: Settings, connection: Connection, name: str, reason: str, box: Vault) -> None:
    old, new = origin_of(connection, settings), _new_origin(settings, name)
    files = files_of(settings, old)
    with connection.transaction():
        branch = declare_branch(connection, files, new, reason, clock.now())
        record_operators_act(connection, "log_recovered", old, reason, name=new)
    rebuild_list_rows(connection, box)
    files.replace("frozen", f"{old} is frozen and goes on as {new}, without lost events: {reason}\n".encode())
    say(f"{old} is frozen and goes on as {new}; {len(branch.lost)} games, studies or tournaments lost published events")


def _new_origin(settings: Settings, name: str) -> str:
    if not (name.isascii() and name.isalnum()) or name == "tile":
        raise click.ClickException("a name is letters and digits")
    return f"{first_origin(settings)}/{name}"


@log.command(name="open")
@click.option("--reason", required=True, help="Why it is safe although a witness or a file is unreachable.")
@click.pass_obj
def open_(folder: DataFolder, reason: str) -> None:
    """Turn signing on although a witness or a published file is unreachable; never against a contradiction."""
    with connected(folder) as (settings, connection):
        against = seen_against(connection, settings)
        if against:
            raise click.ClickException("; ".join(against))
        with connection.transaction():
            by = os.environ.get("USER", "an operator")
            signing_gate.set_gate(connection, is_open=True, reason=f"{by}: {reason}")
            record_operators_act(connection, "log_opened", origin_of(connection, settings), reason)
    say("signing is on")


@log.command()
@click.argument("name")
@click.option("--reason", required=True, help="The public reason, such as: the key was stolen, a new season.")
@click.pass_obj
def rename(folder: DataFolder, name: str, reason: str) -> None:
    """Freeze the published log and continue under NAME, with all events, as a new log.

    For a lost or stolen key, and for a history that cannot be recovered. Install a new key first.
    """
    with connected(folder) as (settings, connection):
        new = _new_origin(settings, name)
        old = current_origin(connection)
        if old is None:
            raise click.ClickException("the log has no name yet")
        with connection.transaction():
            open_origin(connection, new, reason)
            record_operators_act(connection, "log_renamed", old, reason, name=new)
    files_of(settings, old).replace("frozen", f"{old} is frozen and goes on as {new}: {reason}\n".encode())
    say(f"{old} is frozen and goes on as {new}")

"""`cabildo key`: replaces the master key while the service runs."""

import json
import os

import click
from rich.table import Table

from deploy.commands.log import connected
from deploy.console import OUT, say
from deploy.local.data_folder import DataFolder
from deploy.local.keys import replace_master_key, retire_master_key
from deploy.local.supervisor import RESTART_SIGNAL
from events.sealing.vault import Vault
from service.core import clock
from service.core.sealing.key_rotation import begin_rotation, reseal_all
from service.key_settings import MASTER_KEY, is_given
from service.operations.key_status import KeyStatus, key_name, key_status
from service.proof.public_log import archive_of
from service.settings import Settings

LEFT = 1


@click.group()
def key() -> None:
    """Replace the master key, which encrypts stored secrets and the archive of events."""


@key.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def status(folder: DataFolder, *, as_json: bool) -> None:
    """Print how many secrets of each kind are under which master key. Exits with 1 while any is under another one.

    Counts the archive of this machine, and reads all of it.
    """
    with connected(folder) as (settings, connection):
        found = key_status(connection, settings)
    if as_json:
        click.echo(json.dumps({**found._asdict(), "left": found.left}, indent=2))
    else:
        OUT.print(_table(settings, found))
        say(_conclusion(settings, found))
    if found.left:
        raise SystemExit(LEFT)


@key.command()
@click.pass_obj
def rotate(folder: DataFolder) -> None:
    """Encrypt everything under the current master key now, as the keeper does by itself.

    Works in batches beside a running service, and goes on where it was stopped. Exits with 1 when something is left.
    """
    with connected(folder) as (settings, connection):
        vault = Vault(settings.master_keys)
        begin_rotation(connection, vault, clock.now())
        secrets = sum(batch.changed for batch in reseal_all(connection, vault))
        files = sum(batch.changed for batch in archive_of(settings).reseal())
        say(f"encrypted {secrets} secrets and {files} archived files under the master key {vault.key_id}")
        found = key_status(connection, settings)
    say(_conclusion(settings, found))
    if found.left:
        raise SystemExit(LEFT)


@key.command()
@click.pass_obj
def new(folder: DataFolder) -> None:
    """Make a new master key on this machine, and restart the running service with both keys.

    For the keys that `cabildo up` made. The keeper then encrypts everything under the new key.
    """
    _check_own_keys()
    id = replace_master_key(folder.secrets)
    say(f"made the master key {id}; the previous one stays beside it")
    _restart(folder)


@key.command()
@click.pass_obj
def retire(folder: DataFolder) -> None:
    """Put the previous master key of this machine aside, once nothing is encrypted under it.

    It stays in the folder `secrets/retired`, for backups that were made under it.
    """
    _check_own_keys()
    with connected(folder) as (settings, connection):
        found = key_status(connection, settings)
    if found.left:
        raise click.ClickException(_conclusion(settings, found))
    id = retire_master_key(folder.secrets)
    if id is None:
        say("there is no previous master key")
        return
    say(f"put the master key {id} aside; keep it as long as backups that were made under it")
    _restart(folder)


def _check_own_keys() -> None:
    """Raises ClickException where the operator gives the keys."""
    if os.environ.get("DATABASE_URL") or is_given(MASTER_KEY, os.environ):
        raise click.ClickException(
            "the keys of this installation are given by its settings: make one with `openssl rand -base64 32`, and "
            "replace it as the operator's guide says"
        )


def _restart(folder: DataFolder) -> None:
    process = folder.running()
    if process is None:
        say("the service does not run; it takes the keys at its next start")
        return
    os.kill(process, RESTART_SIGNAL)
    say(f"process {process} starts web server, workers and keeper again")


def _table(settings: Settings, found: KeyStatus) -> Table:
    rows = Table("secrets", "master key", "", "number", box=None)
    for kind, counts in found.sealed.items():
        for id, count in sorted(counts.items()) or [(found.current, 0)]:
            rows.add_row(kind, id, key_name(settings.master_keys, id), str(count))
    return rows


def _conclusion(settings: Settings, found: KeyStatus) -> str:
    if found.left:
        return f"{found.left} secrets are not under the master key {found.current}: every key that is listed is needed"
    if not settings.master_keys.is_replacing:
        return f"everything is under the master key {found.current}"
    tables = f"; invitations of {found.invitations} open tables end with it" if found.invitations else ""
    return f"everything is under the master key {found.current}: the previous one may be taken out{tables}"

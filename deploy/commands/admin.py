"""`cabildo admin`: what administrators do, and the record of it."""

import json
import time
from collections.abc import Mapping

import click

from deploy.console import say
from deploy.local.accounts import accounts_database
from deploy.local.data_folder import DataFolder
from service.core import clock
from service.moderation.documents import act_document, players_in
from service.moderation.queries import NEWEST, RecordedAct, RecordQuery, first_broken_act, recorded_acts
from service.moderation.record import ACTS
from service.players.queries import names_of


@click.group()
def admin() -> None:
    """Moderate players and games, and read the record of administrative acts; needs no token."""


@admin.command()
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="How many acts.")
@click.option("--before", type=click.IntRange(1), default=NEWEST, help="Only acts with smaller numbers.")
@click.option("--act", type=click.Choice([*ACTS]), help="Only acts of this kind.")
@click.option("--subject", metavar="ID", help="Only acts done to this game or player.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.pass_obj
def record(folder: DataFolder, limit: int, before: int, act: str | None, subject: str | None, as_json: bool) -> None:
    """Print administrative acts, newest first.

    Checks the chain of hashes of the whole record first. Exits with 1 when an act was changed or removed.
    """
    with accounts_database(folder) as connection:
        broken = first_broken_act(connection)
        acts = recorded_acts(connection, RecordQuery(before, limit, act, subject))
        names = names_of(connection, players_in(acts))
    for one in acts:
        say(json.dumps(act_document(one, names, "en")) if as_json else _line(one, names))
    if broken is not None:
        raise click.ClickException(f"act {broken} does not follow from the acts before it: the record was changed")


def _line(act: RecordedAct, names: Mapping[str, str]) -> str:
    """Returns an act as a line for readers."""
    at = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(act.at // clock.SECOND))
    by, subject = _named(act.by, names), "" if act.subject is None else f" {_named(act.subject, names)}"
    reason = "" if act.reason is None else f": {act.reason}"
    details = "".join(f" {name}={value}" for name, value in act.details.items())
    return f"{act.number:>5}  {at}  {by}  {act.act}{subject}{reason} {details}".rstrip()


def _named(id: str, names: Mapping[str, str]) -> str:
    return f"{names[id]} ({id})" if id in names else id

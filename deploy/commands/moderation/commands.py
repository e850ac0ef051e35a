"""Further commands of `cabildo admin`: administrators of the page, hidden texts, reports."""

from uuid import UUID

import click

from deploy.console import ReasonText, on_one_line, say
from deploy.local.accounts import accounts_database, find_player, operators_container
from deploy.local.data_folder import DataFolder
from service.core.clock import iso_time
from service.moderation.administrators import (
    AppointAdministrator,
    DismissAdministrator,
    all_administrators,
    appoint_administrator,
    dismiss_administrator,
)
from service.moderation.hidden_texts.commands import HideText, ShowText, hide_text, show_text
from service.moderation.record import OPERATOR
from service.moderation.reports.commands import OUTCOMES, SettleReports, settle_reports
from service.moderation.reports.queries import open_groups
from service.moderation.things import TEXTS, Thing
from service.players.queries import names_of

MOST_THINGS = 100


@click.command()
@click.argument("name")
@click.pass_obj
def appoint(folder: DataFolder, name: str) -> None:
    """Let the player NAME use the administrators' page at /admin, with a browser and the account's password."""
    with operators_container(folder) as here:
        with here.stores.pool.connection() as connection:
            player = find_player(connection, name)
        appoint_administrator(here, AppointAdministrator(player))
    say("appointed")


@click.command()
@click.argument("name")
@click.pass_obj
def dismiss(folder: DataFolder, name: str) -> None:
    """Take the administrators' page from the player NAME. Tokens stay valid: see `cabildo token revoke`."""
    with operators_container(folder) as here:
        with here.stores.pool.connection() as connection:
            player = find_player(connection, name)
        dismiss_administrator(here, DismissAdministrator(player))
    say("dismissed")


@click.command()
@click.pass_obj
def administrators(folder: DataFolder) -> None:
    """List the players who may use the administrators' page."""
    with accounts_database(folder) as connection:
        found = all_administrators(connection)
        names = names_of(connection, {str(one.player) for one in found})
    for one in found:
        say(f"{names.get(str(one.player), '')} ({one.player}) since {iso_time(one.since)}")


@click.command()
@click.argument("about", type=click.Choice(TEXTS))
@click.argument("id", type=click.UUID)
@click.option("--number", type=click.IntRange(0), default=0, help="Of the chapter, comment, event ... in it.")
@click.option("--reason", type=ReasonText(), required=True, help="Why, for the record; write no names.")
@click.pass_obj
def hide(folder: DataFolder, about: str, id: UUID, number: int, reason: str) -> None:
    """Hide a text from all readers: the one of kind ABOUT in the study, tournament or game ID."""
    with operators_container(folder) as here:
        hide_text(here, HideText(OPERATOR, Thing(about, id, number), reason))
    say("hidden")


@click.command()
@click.argument("about", type=click.Choice(TEXTS))
@click.argument("id", type=click.UUID)
@click.option("--number", type=click.IntRange(0), default=0, help="Of the chapter, comment, event ... in it.")
@click.option("--reason", type=ReasonText(), help="Why, for the record; write no names.")
@click.pass_obj
def show(folder: DataFolder, about: str, id: UUID, number: int, reason: str | None) -> None:
    """Show a hidden text again."""
    with operators_container(folder) as here:
        show_text(here, ShowText(OPERATOR, Thing(about, id, number), reason))
    say("shown")


@click.command()
@click.pass_obj
def reports(folder: DataFolder) -> None:
    """List the things with open reports, the longest waiting first, at most 100."""
    with accounts_database(folder) as connection:
        groups, _ = open_groups(connection, None, MOST_THINGS)
        names = names_of(connection, {str(report.reporter) for group in groups for report in group.reports})
    for group in groups:
        thing = group.thing
        say(f"{thing.about} {thing.id} {thing.number}: {group.waiting} open")
        for report in group.reports:
            by = names.get(str(report.reporter), str(report.reporter))
            say(f"  {report.id}  {iso_time(report.created)}  {by}  {report.kind}: {on_one_line(report.words)}")


@click.command()
@click.argument("reports", type=click.UUID, nargs=-1, required=True)
@click.option("--outcome", type=click.Choice(OUTCOMES), required=True, help="What came of them.")
@click.option("--note", type=ReasonText(), help="For administrators; reporters read only that their report is settled.")
@click.pass_obj
def settle(folder: DataFolder, reports: tuple[UUID, ...], outcome: str, note: str | None) -> None:
    """Settle REPORTS, by their ids."""
    with operators_container(folder) as here:
        done = settle_reports(here, SettleReports(OPERATOR, reports, outcome, note))
    say(f"{done} settled")

"""`cabildo admin`: what administrators do, and the record of it."""

import json
import re
import time
from collections.abc import Mapping
from uuid import UUID

import click
from psycopg import Connection

from deploy.console import ReasonText, on_one_line, say
from deploy.lazy_group import LazyGroup
from deploy.local.accounts import accounts_database, find_player, operators_container
from deploy.local.data_folder import DataFolder
from service.container import Container
from service.core import clock
from service.core.clock import iso_time
from service.core.command_handler import Request
from service.games.commands.upkeep import EndGame, end_game
from service.moderation.blocks import blocks_in_force
from service.moderation.commands import (
    BlockPlayer,
    EndStaleGames,
    RenamePlayer,
    UnblockPlayer,
    block_player,
    end_stale_games,
    rename_by_administrator,
    unblock_player,
)
from service.moderation.documents import act_document, players_in, players_in_blocks
from service.moderation.queries import NEWEST, RecordedAct, RecordQuery, first_broken_act, recorded_acts
from service.moderation.record import ACTS, OPERATOR
from service.moderation.stale import DAY, Staleness, stale_games
from service.players.queries import names_of

MOST_BLOCKS = 1_000
FURTHER = "deploy.commands.moderation.commands"  # a module of further commands, and their names
FURTHER_NAMES = ("appoint", "dismiss", "administrators", "reports", "settle", "hide", "show")
HASH = re.compile(r"[0-9a-f]{64}")


class KeptHash(click.ParamType[tuple[int, str]]):
    """An act of the record: its number and its hash."""

    name = "NUMBER:HASH"

    def convert(self, value: str, param: click.Parameter | None, context: click.Context | None) -> tuple[int, str]:
        """Returns number and hash; fails for another text."""
        number, _, hash = value.partition(":")
        if not number.isdigit() or not HASH.fullmatch(hash):
            self.fail("is a number, a colon and 64 hexadecimal digits", param, context)
        return int(number), hash


@click.group(cls=LazyGroup, table={name: f"{FURTHER}:{name}" for name in FURTHER_NAMES})
def admin() -> None:
    """Moderate players and games, and read the record of administrative acts; needs no token."""


@admin.command()
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="How many acts.")
@click.option("--before", type=click.IntRange(1), default=NEWEST, help="Only acts with smaller numbers.")
@click.option("--act", type=click.Choice([*ACTS]), help="Only acts of this kind.")
@click.option("--subject", metavar="ID", help="Only acts done to this game or player.")
@click.option("--kept", type=KeptHash(), help="NUMBER:HASH of an act, kept elsewhere; it must be in the record.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.pass_obj
def record(
    folder: DataFolder,
    limit: int,
    before: int,
    act: str | None,
    subject: str | None,
    *,
    kept: tuple[int, str] | None,
    as_json: bool,
) -> None:
    """Print administrative acts, newest first.

    Checks the chain of hashes of the whole record first. Exits with 1 when an act was changed or removed. A superuser
    of the database can chain a forged record anew: keep the newest number and hash (--json) elsewhere, and give them
    as --kept.
    """
    with accounts_database(folder) as connection:
        doubt = _doubt(connection, kept)
        acts = recorded_acts(connection, RecordQuery(before, limit, act, subject))
        names = names_of(connection, players_in(acts))
    for one in acts:
        say(json.dumps(act_document(one, names, "en")) if as_json else _line(one, names))
    if doubt is not None:
        raise click.ClickException(doubt)


def _doubt(connection: Connection, kept: tuple[int, str] | None) -> str | None:
    """Returns why the record cannot be trusted; None when its chain holds and it has the act that was kept."""
    broken = first_broken_act(connection)
    if broken is not None:
        return f"act {broken} does not follow from the acts before it: the record was changed"
    if kept is None:
        return None
    number, hash = kept
    found = recorded_acts(connection, RecordQuery(number + 1, 1))
    if [(act.number, act.hash.hex()) for act in found] == [kept]:
        return None
    return f"act {number} is not the one that was kept with the hash {hash}: the record was written anew"


@admin.command()
@click.argument("name")
@click.option("--days", type=click.IntRange(1, 3650), required=True, help="How long.")
@click.option("--reason", type=ReasonText(), required=True, help="Why; the player reads it.")
@click.pass_obj
def block(folder: DataFolder, name: str, days: int, reason: str) -> None:
    """Block the player NAME and the player's bots: they may read and finish what they are in, but begin nothing.

    Takes effect at once, ends by itself, and replaces an earlier block. The player leaves open tables.
    """
    with operators_container(folder) as here:
        command = BlockPlayer(OPERATOR, _player(here, name), here.now() + days * DAY, reason)
        done = block_player(here, command)
    say(f"blocked until {iso_time(done.until)}")


@admin.command()
@click.argument("name")
@click.option("--reason", type=ReasonText(), required=True, help="Why, for the record.")
@click.pass_obj
def unblock(folder: DataFolder, name: str, reason: str) -> None:
    """End the block of the player NAME before its time."""
    with operators_container(folder) as here:
        unblock_player(here, UnblockPlayer(OPERATOR, _player(here, name), reason))
    say("unblocked")


@admin.command()
@click.pass_obj
def blocks(folder: DataFolder) -> None:
    """List the blocks in force, those that end first before others."""
    with accounts_database(folder) as connection:
        found = blocks_in_force(connection, clock.now(), MOST_BLOCKS)
        names = names_of(connection, players_in_blocks(found))
    for one in found:
        say(f"{_named(str(one.player), names)} until {iso_time(one.until)}: {on_one_line(one.reason)}")


@admin.command()
@click.argument("name")
@click.option("--to", metavar="NEW", help="The new name.  [a generated one]")
@click.option("--reason", type=ReasonText(), required=True, help="Why, for the record; write no names.")
@click.pass_obj
def rename(folder: DataFolder, name: str, to: str | None, reason: str) -> None:
    """Give the player NAME another name. Nobody can take the old one for 90 days; events stay as they are."""
    with operators_container(folder) as here:
        renamed = rename_by_administrator(here, RenamePlayer(OPERATOR, _player(here, name), reason, to))
    say(f"{renamed.id} is now {renamed.name}")


@admin.command()
@click.argument("game", type=click.UUID)
@click.option("--reason", type=ReasonText(), required=True, help="Why; all readers of the game read it.")
@click.pass_obj
def end(folder: DataFolder, game: UUID, reason: str) -> None:
    """End the open or running GAME without a result."""
    with operators_container(folder) as here:
        end_game(here, EndGame(game, reason), Request(OPERATOR))
    say(f"{game} is over")


@admin.command()
@click.option("--open-days", type=click.IntRange(1), default=14, show_default=True, help="Age of open tables.")
@click.option("--idle-days", type=click.IntRange(1), default=90, show_default=True, help="Days without an event.")
@click.option("--end", "ends", is_flag=True, help="End the listed games.")
@click.option("--reason", type=ReasonText(), help="Why they end; all readers of the games read it.")
@click.pass_obj
def stale(folder: DataFolder, open_days: int, idle_days: int, ends: bool, reason: str | None) -> None:
    """List open tables and running games that are stale; with --end and --reason, end them without a result.

    Games of tournaments are left to their directors. Lists and ends 100 games at a time.
    """
    if ends and not reason:
        raise click.UsageError("--end takes a --reason, which all readers of the games read")
    staleness = Staleness(open_days, idle_days)
    with operators_container(folder) as here:
        with here.stores.pool.connection() as connection:
            found = stale_games(connection, here.now(), staleness)
        for game in found:
            times = f"created {iso_time(game.created)}  changed {iso_time(game.changed)}"
            say(f"{game.id}  {game.game}  {game.status}  {times}")
        if not ends:
            say(f"{len(found)} stale games")
            return
        done = end_stale_games(here, EndStaleGames(OPERATOR, [game.id for game in found], staleness, reason or ""))
    say(f"{len(done.ended)} ended, {len(done.left)} stay")


def _player(here: Container, name: str) -> UUID:
    with here.stores.pool.connection() as connection:
        return find_player(connection, name)


def _line(act: RecordedAct, names: Mapping[str, str]) -> str:
    """Returns an act as a line for readers."""
    at = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(act.at // clock.SECOND))
    by, subject = _named(act.by, names), "" if act.subject is None else f" {_named(act.subject, names)}"
    reason = "" if act.reason is None else f": {on_one_line(act.reason)}"
    details = "".join(f" {name}={value}" for name, value in act.details.items())
    return f"{act.number:>5}  {at}  {by}  {act.act}{subject}{reason} {details}".rstrip()


def _named(id: str, names: Mapping[str, str]) -> str:
    return f"{names[id]} ({id})" if id in names else id

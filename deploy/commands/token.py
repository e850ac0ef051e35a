"""`cabildo token`: issues tokens without the API, such as the first administrator's."""

import time
from collections.abc import Sequence
from uuid import UUID

import click
from psycopg import Connection

from deploy.console import ERRORS, on_one_line, say
from deploy.local.accounts import accounts_database, find_player, record_operators_act
from deploy.local.data_folder import DataFolder
from service.core import clock
from service.players.commands.accounts import store_player
from service.players.commands.tokens import delete_token, store_token
from service.players.identity import SCOPES
from service.players.queries import tokens_of

DAY = 86_400 * clock.SECOND
LOCK = "SELECT id FROM players WHERE id = %s OR owner = %s ORDER BY owner NULLS FIRST, id FOR NO KEY UPDATE"


@click.group()
def token() -> None:
    """Issue, list and revoke the tokens of players; needs no token."""


@token.command()
@click.argument("name")
@click.option("--new", is_flag=True, help="Register a new player NAME first.")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(SCOPES),
    multiple=True,
    default=("admin",),
    show_default=True,
    help="A permission of the token; admin allows everything. Repeatable.",
)
@click.option("--label", default="from the operator", show_default=True, help="Its label in the list of tokens.")
@click.option("--days", type=click.IntRange(1, 3650), help="Days until it expires.  [until it is revoked]")
@click.pass_obj
def issue(folder: DataFolder, name: str, new: bool, scopes: tuple[str, ...], label: str, days: int | None) -> None:
    """Issue a token to the player NAME and print it once, alone on standard output."""
    now = clock.now()
    with accounts_database(folder) as connection, connection.transaction():
        player = store_player(connection, now, name).id if new else find_player(connection, name)
        expires = None if days is None else now + days * DAY
        made, secret = store_token(connection, now, player, label, scopes, expires)
        _record(connection, "token_issued", player, made.id, made.scopes)
    ERRORS.print(f"token {made.id} of player {player} ({', '.join(made.scopes)}); keep it, it is not shown again")
    say(secret)


@token.command("list")
@click.argument("name")
@click.pass_obj
def list_tokens(folder: DataFolder, name: str) -> None:
    """List the tokens of the player NAME, without their secrets."""
    with accounts_database(folder) as connection:
        for one in tokens_of(connection, find_player(connection, name)):
            times_of = ("created", one.created), ("expires", one.expires), ("last used", one.used)
            said = ", ".join(f"{what} {_minute(at)}" for what, at in times_of if at is not None)
            say(f"{one.id}  {on_one_line(one.label)}: {' '.join(one.scopes)}; {said}")


@token.command()
@click.argument("name")
@click.argument("id", type=click.UUID, required=False)
@click.option("--all", "every", is_flag=True, help="Every token of the player and of the player's bots.")
@click.pass_obj
def revoke(folder: DataFolder, name: str, id: UUID | None, *, every: bool) -> None:
    """Revoke the token ID of the player NAME; takes effect everywhere within two seconds.

    Who had a leaked token may have made others with it: --all revokes these, too.
    """
    if (id is None) is not every:
        raise click.UsageError("name the ID of a token, or --all")
    with accounts_database(folder) as connection, connection.transaction():
        player = find_player(connection, name)
        accounts = connection.execute(LOCK, (player, player)).fetchall()  # nobody makes a token meanwhile
        chosen = [(player, id)] if id is not None else _tokens(connection, [account for (account,) in accounts])
        revoked = [(owner, one, delete_token(connection, owner, one)[1]) for owner, one in chosen]
        for owner, one, scopes in revoked:
            _record(connection, "token_revoked", owner, one, scopes)
    say("revoked")


def _tokens(connection: Connection, owners: Sequence[UUID]) -> list[tuple[UUID, UUID]]:
    """Returns the ids of the tokens of players, each after its owner."""
    return [(owner, one.id) for owner in owners for one in tokens_of(connection, owner)]


def _record(connection: Connection, act: str, player: UUID, id: UUID, scopes: Sequence[str]) -> None:
    record_operators_act(connection, act, str(player), token=str(id), scopes=list(scopes))


def _minute(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at // clock.SECOND))

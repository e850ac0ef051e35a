"""`cabildo player`: helps players who cannot help themselves, without the API."""

import click

from deploy.console import ERRORS, say
from deploy.local.accounts import accounts_database, find_player, record_operators_act
from deploy.local.data_folder import DataFolder
from service.core import clock
from service.players.commands.recovery import RESET_DAYS, reset_password, unknown_password
from service.players.passwords import Passwords


@click.group()
def player() -> None:
    """Help players with their accounts; needs no token."""


@player.command()
@click.argument("name")
@click.pass_obj
def reset(folder: DataFolder, name: str) -> None:
    """Reset the password of the player NAME and print a code once, alone on standard output.

    The old password, all sessions and all recovery codes of the player end; the player sets a new password with the
    code at /recovery. Tokens stay valid.
    """
    unknown = unknown_password(Passwords())
    with accounts_database(folder) as connection, connection.transaction():
        done, code = reset_password(connection, clock.now(), find_player(connection, name), unknown)
        record_operators_act(connection, "password_reset", str(done.player))
    ERRORS.print(
        f"player {done.player}: the password and the recovery codes are void; sessions ended: {done.sessions}; "
        f"tokens that stay valid: {done.tokens} (cabildo token list). Give the player this code, which sets a new "
        f"password at /recovery once, within {RESET_DAYS} days; it is not shown again"
    )
    say(code)

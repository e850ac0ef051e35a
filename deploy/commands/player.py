"""`cabildo player`: helps players who cannot help themselves, without the API."""

import click

from deploy.console import ERRORS, say
from deploy.local.accounts import accounts_database, find_player, record_operators_act
from deploy.local.data_folder import DataFolder
from service.core import clock
from service.players.commands.recovery import RESET_DAYS, reset_password, unknown_password
from service.players.passwords import Passwords
from service.players.second_factor.storage import SecondFactor, remove_second_factor, second_factor_of


@click.group()
def player() -> None:
    """Help players with their accounts; needs no token."""


@player.command()
@click.argument("name")
@click.option("--second-factor", "second_factor", is_flag=True, help="Switch the second factor of logins off, too.")
@click.pass_obj
def reset(folder: DataFolder, name: str, *, second_factor: bool) -> None:
    """Reset the password of the player NAME and print a code once, alone on standard output.

    The old password, all sessions, all recovery codes and the e-mail address of the player end; the player sets a new
    password with the code at /recovery. Tokens stay valid, and so does the second factor, unless it is switched off.
    """
    unknown = unknown_password(Passwords())
    with accounts_database(folder) as connection, connection.transaction():
        id = find_player(connection, name)
        done, code = reset_password(connection, clock.now(), id, unknown)
        factor = second_factor_of(connection, id)
        if second_factor and remove_second_factor(connection, id):
            record_operators_act(connection, "second_factor_removed", str(id))
        record_operators_act(connection, "password_reset", str(id))
    ERRORS.print(
        f"player {done.player}: the password and the recovery codes are void, the e-mail address is removed; "
        f"{_factor_left(factor, switched_off=second_factor)}"
        f"sessions ended: {done.sessions}; "
        f"tokens that stay valid: {done.tokens} (cabildo token list). Give the player this code, which sets a new "
        f"password at /recovery once, within {RESET_DAYS} days; it is not shown again"
    )
    say(code)


def _factor_left(factor: SecondFactor | None, *, switched_off: bool) -> str:
    """Says what a reset did to the second factor; nothing for an account without one."""
    if factor is None or factor.confirmed is None:
        return ""
    return "the second factor is off; " if switched_off else "the second factor stays (--second-factor takes it off); "

"""Asks for the password before a program is allowed."""

from typing import Final

from service.pages.players.account.page import confirm_by_form
from service.players.commands.confirmation import check_confirmed
from service.players.identity import Identity
from service.web.routing import container

DAY: Final = 86_400


def check_password(identity: Identity) -> None:
    """Confirms the session by the password in the form, if it holds one.

    Raises ConfirmationRequired for a session that was not confirmed a moment ago.
    """
    confirm_by_form(identity)
    with container().stores.pool.connection() as connection:
        check_confirmed(connection, container().now(), identity)

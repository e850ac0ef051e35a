"""Asks for the password again before changes of rights, and says who may make these changes.

A token cannot take an account over: its password, its deletion and lasting tokens take a session whose password was
given within the last minutes. An account without a password has no sessions; there, a token with every scope of an
account that does not expire is as good as its owner.
"""

from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from service.container import Container
from service.core.clock import SECOND
from service.core.errors import NotAllowed, NotThere, ServiceBusy, Unauthenticated
from service.players.errors import ConfirmationRequired
from service.players.identity import FIRST_SCOPES, Identity, lock_account, lock_credential

CONFIRMED_MINUTES: Final = 10
CONFIRMED_FOR: Final = CONFIRMED_MINUTES * 60 * SECOND
LOGIN_OF: Final = "SELECT folded, password FROM players WHERE id = %s AND forgotten IS NULL"
CONFIRM: Final = "UPDATE sessions SET confirmed = %s WHERE id = %s"
CONFIRMED: Final = """
SELECT p.password IS NOT NULL, s.confirmed FROM players AS p
LEFT JOIN sessions AS s ON s.id = %s AND s.player = p.id WHERE p.id = %s
"""


class ConfirmPassword(NamedTuple):
    """Gives the present password again in a session."""

    client: Identity
    password: str
    address: str | None = None


def confirm_password(here: Container, command: ConfirmPassword) -> None:
    """Allows changes of rights by this session for some minutes.

    Raises NotAllowed for a token, Unauthenticated for a wrong password, TooManyAttempts or ServiceBusy.
    """
    player, session = command.client.player, session_of(command.client)
    with here.stores.pool.connection() as connection:
        account, stored = _login_of(connection, player)
    attempt = here.delays.begin_login(account, command.address)
    try:
        matches = here.passwords.matches(stored, command.password)
    except ServiceBusy:
        here.delays.withdraw_login(attempt)
        raise
    if not matches:
        raise Unauthenticated("the password is wrong")
    here.delays.end_login(attempt)
    with here.stores.pool.connection() as connection:
        connection.execute(CONFIRM, (here.now(), session))


def session_of(client: Identity) -> UUID:
    """Returns the session of a client; raises NotAllowed for a token."""
    if client.session is None:
        raise NotAllowed("session_only", "only a browser that is logged in may do this, not a token")
    return client.session


def check_confirmed(connection: Connection, at: int, client: Identity) -> None:
    """Raises ConfirmationRequired when the client may not change rights now."""
    if not is_confirmed(connection, at, client):
        raise ConfirmationRequired(CONFIRMED_MINUTES)


def lock_confirmed(connection: Connection, at: int, client: Identity) -> None:
    """Locks the account for this transaction, so that no reset comes between.

    Raises ConfirmationRequired, or Unauthenticated for a client whose token or session has ended.
    """
    lock_account(connection, client.player)
    if client.token is not None:
        lock_credential(connection, client)
    check_confirmed(connection, at, client)


def is_confirmed(connection: Connection, at: int, client: Identity) -> bool:
    """Returns whether the client may change rights now."""
    has_password, confirmed = connection.execute(CONFIRMED, (client.session, client.player)).fetchone() or (True, None)
    if confirmed is not None:
        return bool(at < confirmed + CONFIRMED_FOR)
    return not has_password and client.expires is None and client.scopes.issuperset(FIRST_SCOPES)


def _login_of(connection: Connection, player: UUID) -> tuple[str, str | None]:
    row = connection.execute(LOGIN_OF, (player,)).fetchone()
    if row is None:
        raise NotThere("player", player)
    return row[0], row[1]

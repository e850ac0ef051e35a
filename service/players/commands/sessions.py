"""Opens and closes sessions of browsers; the secret of a session travels in a cookie."""

import secrets
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.messages import Message
from service.container import Container
from service.core.clock import SECOND
from service.core.errors import ServiceBusy, Unauthenticated
from service.live.access import RIGHTS_ENDED
from service.players.commands.accounts import hash_for_registration, store_player
from service.players.identity import FIRST_SCOPES, SESSION_SECONDS, Identity, secret_hash
from service.players.names import normalize_name
from service.players.passwords import needs_new_hash

BY_NAME: Final = "SELECT id, password FROM players WHERE folded = %s"
RENEW_LOGIN: Final = "UPDATE players SET password = %s WHERE id = %s AND password = %s"
WRONG: Final = Message("name or password is wrong")
INSERT: Final = "INSERT INTO sessions (hash, player, csrf, created, expires) VALUES (%s, %s, %s, %s, %s)"
IS_BOT: Final = "SELECT bot FROM players WHERE id = %s"
DELETE: Final = "DELETE FROM sessions WHERE hash = %s"
DELETE_EXPIRED: Final = "DELETE FROM sessions WHERE expires < %s"


class LogIn(NamedTuple):
    """Logs a browser in with name and password."""

    name: str
    password: str
    address: str | None = None  # of the client


class SignUp(NamedTuple):
    """Creates a player and logs the browser in."""

    name: str
    password: str
    address: str | None = None


class LogOut(NamedTuple):
    """Logs a browser out."""

    secret: str  # of the session


def log_player_in(here: Container, command: LogIn) -> tuple[str, Identity]:
    """Opens a session; returns its secret and identity.

    Raises BadName or Unauthenticated; TooManyAttempts after too many failures; ServiceBusy while many log in. Hashes
    without a connection.
    """
    account = normalize_name(command.name)[1]
    here.delays.begin_login(account, command.address)
    with here.stores.pool.connection() as connection:
        id, stored = connection.execute(BY_NAME, (account,)).fetchone() or (None, None)
    try:
        matches = here.passwords.matches(stored, command.password)
    except ServiceBusy:
        here.delays.withdraw_login(account, command.address)
        raise
    if not matches:
        raise Unauthenticated(WRONG)
    here.delays.end_login(account, command.address)
    renewed = here.passwords.hash(command.password) if needs_new_hash(stored) else stored
    with here.stores.pool.connection() as connection, connection.transaction():
        if connection.execute(RENEW_LOGIN, (renewed, id, stored)).rowcount == 0:  # changed or erased meanwhile
            raise Unauthenticated(WRONG)
        return _open_session(connection, here.now(), UUID(str(id)))


def sign_player_up(here: Container, command: SignUp) -> tuple[str, Identity]:
    """Creates a player and opens a session; returns its secret and identity.

    Raises BadName or NameTaken, TooManyAttempts or ServiceBusy.
    """
    at, hashed = here.now(), hash_for_registration(here, command.name, command.password, command.address)
    with here.stores.pool.connection() as connection, connection.transaction():
        player = store_player(connection, at, command.name, hashed)
        return _open_session(connection, at, player.id)


def log_player_out(here: Container, command: LogOut) -> None:
    """Deletes a session."""
    session_hash = secret_hash(command.secret)
    with here.stores.pool.connection() as connection:
        connection.execute(DELETE, (session_hash,))
    here.authenticator.forget(session_hash)
    here.announcer.announce(RIGHTS_ENDED)


def _open_session(connection: Connection, at: int, player: UUID) -> tuple[str, Identity]:
    secret, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(24)
    expires = at + SESSION_SECONDS * SECOND
    connection.execute(DELETE_EXPIRED, (at,))
    connection.execute(INSERT, (secret_hash(secret), player, csrf, at, expires))
    row = connection.execute(IS_BOT, (player,)).fetchone()
    bot = row is not None and bool(row[0])
    return secret, Identity(player, frozenset(FIRST_SCOPES), bot, csrf=csrf, expires=expires)

"""Opens and closes sessions of browsers; the secret of a session travels in a cookie."""

import secrets
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from service.container import Container
from service.core.clock import SECOND
from service.core.errors import Unauthenticated
from service.players.commands.accounts import store_player
from service.players.identity import FIRST_SCOPES, SESSION_SECONDS, Identity, secret_hash
from service.players.names import normalize_name
from service.players.passwords import hash_password, matches, needs_new_hash

BY_NAME: Final = "SELECT id, password FROM players WHERE folded = %s"
SET_LOGIN: Final = "UPDATE players SET password = %s WHERE id = %s AND forgotten IS NULL"
INSERT: Final = "INSERT INTO sessions (hash, player, csrf, created, expires) VALUES (%s, %s, %s, %s, %s)"
IS_BOT: Final = "SELECT bot FROM players WHERE id = %s"
DELETE: Final = "DELETE FROM sessions WHERE hash = %s"
DELETE_EXPIRED: Final = "DELETE FROM sessions WHERE expires < %s"


class LogIn(NamedTuple):
    """Logs a browser in with name and password."""

    name: str
    password: str


class SignUp(NamedTuple):
    """Creates a player and logs the browser in."""

    name: str
    password: str


class LogOut(NamedTuple):
    """Logs a browser out."""

    secret: str  # of the session


def log_player_in(here: Container, command: LogIn) -> tuple[str, Identity]:
    """Opens a session; returns its secret and identity. Raises BadName or Unauthenticated."""
    with here.stores.pool.connection() as connection, connection.transaction():
        player = _player_with(connection, command.name, command.password)
        return _open_session(connection, here.now(), player)


def sign_player_up(here: Container, command: SignUp) -> tuple[str, Identity]:
    """Creates a player and opens a session; returns its secret and identity. Raises BadName or NameTaken."""
    at = here.now()
    with here.stores.pool.connection() as connection, connection.transaction():
        player = store_player(connection, at, command.name, command.password)
        return _open_session(connection, at, player.id)


def log_player_out(here: Container, command: LogOut) -> None:
    """Deletes a session."""
    session_hash = secret_hash(command.secret)
    with here.stores.pool.connection() as connection:
        connection.execute(DELETE, (session_hash,))
    here.authenticator.forget(session_hash)


def _player_with(connection: Connection, name: str, password: str) -> UUID:
    """Returns the player with this name and password; raises Unauthenticated without saying which is wrong."""
    id, stored = connection.execute(BY_NAME, (normalize_name(name)[1],)).fetchone() or (None, None)
    if not matches(stored, password):
        raise Unauthenticated("name or password is wrong")
    if needs_new_hash(stored):
        connection.execute(SET_LOGIN, (hash_password(password), id))
    return UUID(str(id))


def _open_session(connection: Connection, at: int, player: UUID) -> tuple[str, Identity]:
    secret, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(24)
    expires = at + SESSION_SECONDS * SECOND
    connection.execute(DELETE_EXPIRED, (at,))
    connection.execute(INSERT, (secret_hash(secret), player, csrf, at, expires))
    row = connection.execute(IS_BOT, (player,)).fetchone()
    bot = row is not None and bool(row[0])
    return secret, Identity(player, frozenset(FIRST_SCOPES), bot, csrf=csrf, expires=expires)

"""Opens and closes sessions of browsers; the secret of a session travels in a cookie."""

import secrets
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.event import new_stream
from events.messages import Message
from service.container import Container
from service.core.clock import SECOND
from service.core.errors import NotThere, ServiceBusy, Unauthenticated
from service.core.networks import network_of
from service.live.access import RIGHTS_ENDED
from service.players.agents import agent_of
from service.players.commands.accounts import hash_for_registration, store_player
from service.players.commands.confirmation import session_of
from service.players.errors import LoginOver, SecondFactorNeeded, SecondFactorRefused
from service.players.identity import SESSION_SECONDS, Identity, browser_identity, lock_account, secret_hash
from service.players.names import normalize_name
from service.players.passwords import needs_new_hash
from service.players.second_factor.begun_logins import TICKET_SECONDS, begin_ticket, begun_login, use_ticket
from service.players.second_factor.storage import second_factor_of, use_code

BY_NAME: Final = "SELECT id, password FROM players WHERE folded = %s"
RENEW_LOGIN: Final = "UPDATE players SET password = %s WHERE id = %s AND password = %s"
WRONG: Final = Message("name or password is wrong")
MOST_SESSIONS: Final = 50  # of a player; the oldest end when more are opened
INSERT: Final = """
INSERT INTO sessions (hash, player, csrf, created, expires, id, confirmed, agent, address)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
DELETE_OLDEST: Final = """
DELETE FROM sessions WHERE player = %s AND id NOT IN (
    SELECT id FROM sessions WHERE player = %s ORDER BY created DESC, id DESC LIMIT %s
)
"""
END: Final = "DELETE FROM sessions WHERE id = %s AND player = %s RETURNING hash"
END_OTHERS: Final = "DELETE FROM sessions WHERE player = %s AND id IS DISTINCT FROM %s"
KIND: Final = "SELECT bot, guest FROM players WHERE id = %s"
DELETE: Final = "DELETE FROM sessions WHERE hash = %s"
DELETE_EXPIRED: Final = "DELETE FROM sessions WHERE expires < %s"


class LogIn(NamedTuple):
    """Logs a browser in with name and password."""

    name: str
    password: str
    address: str | None = None  # of the client
    agent: str = ""  # its User-Agent


class FinishLogin(NamedTuple):
    """Ends a login that needs a code of the second factor."""

    ticket: str
    code: str
    address: str | None = None
    agent: str = ""


class SignUp(NamedTuple):
    """Creates a player and logs the browser in."""

    name: str
    password: str
    address: str | None = None
    agent: str = ""


class OpenGuest(NamedTuple):
    """Creates a guest and logs the browser in."""

    address: str | None = None
    agent: str = ""


class EndSession(NamedTuple):
    """Ends a session of the client."""

    client: Identity
    session: UUID


class EndSessions(NamedTuple):
    """Ends all sessions of the client, or all others."""

    client: Identity
    others: bool


class LogOut(NamedTuple):
    """Logs a browser out."""

    secret: str  # of the session


def log_player_in(here: Container, command: LogIn) -> tuple[str, Identity]:
    """Opens a session; returns its secret and identity.

    Raises BadName or Unauthenticated; SecondFactorNeeded when the password is right and a code is needed;
    TooManyAttempts after too many failures; ServiceBusy while many log in. Hashes without a connection.
    """
    account = normalize_name(command.name)[1]
    attempt = here.delays.begin_login(account, command.address)
    with here.stores.pool.connection() as connection:
        id, stored = connection.execute(BY_NAME, (account,)).fetchone() or (None, None)
    try:
        matches = here.passwords.matches(stored, command.password)
    except ServiceBusy:
        here.delays.withdraw_login(attempt)
        raise
    if not matches:
        raise Unauthenticated(WRONG)
    renewed = str(here.passwords.hash(command.password) if needs_new_hash(stored) else stored)
    with here.stores.pool.connection() as connection, connection.transaction():
        if connection.execute(RENEW_LOGIN, (renewed, id, stored)).rowcount == 0:  # changed or erased meanwhile
            raise Unauthenticated(WRONG)
        factor = second_factor_of(connection, id)
        needs_code = factor is not None and factor.confirmed is not None
        opened = None if needs_code else open_session(connection, here.now(), id, command)
        ticket = begin_ticket(connection, here.now(), id, renewed) if needs_code else ""
    if opened is None:
        here.delays.withdraw_login(attempt)
        raise SecondFactorNeeded(ticket, TICKET_SECONDS // 60)
    here.delays.end_login(attempt)
    return opened


def finish_login(here: Container, command: FinishLogin) -> tuple[str, Identity]:
    """Opens a session for a ticket and a code, which are used up; returns its secret and identity.

    A recovery code stands in for the code of a lost device. Raises LoginOver, SecondFactorRefused or TooManyAttempts.
    """
    at = here.now()
    with here.stores.pool.connection() as connection:
        begun = begun_login(connection, at, command.ticket)
    if begun is None:
        raise LoginOver
    attempt = here.delays.begin_second_factor(begun.account, command.address)
    with here.stores.pool.connection() as connection, connection.transaction():
        lock_account(connection, begun.player)
        factor = second_factor_of(connection, begun.player)
        if begun_login(connection, at, command.ticket) is None:  # used meanwhile, or the password is another one
            raise LoginOver
        if factor is not None and factor.confirmed and not use_code(connection, here.vault, at, factor, command.code):
            raise SecondFactorRefused
        use_ticket(connection, command.ticket)
        opened = open_session(connection, at, begun.player, command)
    here.delays.end_login(attempt)
    return opened


def sign_player_up(here: Container, command: SignUp) -> tuple[str, Identity]:
    """Creates a player and opens a session; returns its secret and identity.

    Raises BadName or NameTaken, TooManyAttempts or ServiceBusy.
    """
    at, hashed = here.now(), hash_for_registration(here, command.name, command.password, command.address)
    with here.stores.pool.connection() as connection, connection.transaction():
        player = store_player(connection, at, command.name, hashed)
        return open_session(connection, at, player.id, command)


def log_player_out(here: Container, command: LogOut) -> None:
    """Deletes a session."""
    session_hash = secret_hash(command.secret)
    with here.stores.pool.connection() as connection:
        connection.execute(DELETE, (session_hash,))
    here.authenticator.forget(session_hash)
    here.announcer.announce(RIGHTS_ENDED)


def end_session(here: Container, command: EndSession) -> None:
    """Deletes a session of the client. Raises NotThere, or NotAllowed for a token."""
    session_of(command.client)
    with here.stores.pool.connection() as connection:
        row = connection.execute(END, (command.session, command.client.player)).fetchone()
    if row is None:
        raise NotThere("session", command.session)
    here.authenticator.forget(bytes(row[0]))
    here.announcer.announce(RIGHTS_ENDED)


def end_sessions(here: Container, command: EndSessions) -> None:
    """Deletes the sessions of the client. Raises NotAllowed for a token."""
    own = session_of(command.client)
    with here.stores.pool.connection() as connection:
        connection.execute(END_OTHERS, (command.client.player, own if command.others else None))
    here.authenticator.forget()
    here.announcer.announce(RIGHTS_ENDED)


def open_session(
    connection: Connection, at: int, player: UUID, login: LogIn | FinishLogin | SignUp | OpenGuest
) -> tuple[str, Identity]:
    """Stores a session of a player; returns its secret and identity."""
    secret, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(24)
    expires = at + SESSION_SECONDS * SECOND
    connection.execute(DELETE_EXPIRED, (at,))
    id, agent, network = new_stream(at), agent_of(login.agent), network_of(login.address)
    connection.execute(INSERT, (secret_hash(secret), player, csrf, at, expires, id, at, agent, network))
    connection.execute(DELETE_OLDEST, (player, player, MOST_SESSIONS))
    bot, guest = connection.execute(KIND, (player,)).fetchone() or (False, False)
    return secret, browser_identity(player, id, csrf, expires, bot=bot, guest=guest)

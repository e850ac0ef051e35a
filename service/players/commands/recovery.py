"""Recovers accounts: a code, from the operator or from the account's own set, sets a new password once.

The row of the player is locked before its codes, so that a reset, a recovery and an erasure wait for one another.
"""

import secrets
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.messages import Message
from service.container import Container
from service.core.clock import SECOND
from service.core.errors import NotThere, ServiceBusy, Unauthenticated
from service.live.access import RIGHTS_ENDED
from service.moderation.record import AdministrativeAct, record_acts
from service.players.commands.confirmation import lock_confirmed, session_of
from service.players.commands.tokens import rights_to_end
from service.players.email.storage import drop_confirmed, drop_waiting
from service.players.identity import Identity
from service.players.names import normalize_name
from service.players.passwords import Passwords
from service.players.queries import count_recovery_codes
from service.players.recovery_codes import Recovered, code_hash, random_code, void_codes

CODES: Final = 8  # of a set
RESET_DAYS: Final = 3
RESET_VALID: Final = RESET_DAYS * 86_400 * SECOND
WRONG: Final = Message("name or code is wrong, or the code was used or has expired")
FITS: Final = """
SELECT p.id FROM players AS p JOIN recovery_codes AS c ON c.player = p.id
WHERE p.folded = %s AND c.hash = %s AND (c.expires IS NULL OR c.expires > %s)
"""
SET_LOGIN: Final = "UPDATE players SET password = %s WHERE id = %s AND forgotten IS NULL"
INSERT: Final = "INSERT INTO recovery_codes (hash, player, created, expires) VALUES (%s, %s, %s, %s)"
USE: Final = "DELETE FROM recovery_codes WHERE hash = %s AND player = %s"
END_SESSIONS: Final = "DELETE FROM sessions WHERE player = %s"
REVOKE_TOKENS: Final = "DELETE FROM tokens WHERE player = %s"
VALID_TOKENS: Final = "SELECT count(*) FROM tokens WHERE player = %s AND (expires IS NULL OR expires > %s)"


class MakeRecoveryCodes(NamedTuple):
    """Makes new recovery codes of the client, which void the old ones."""

    client: Identity


class RecoverAccount(NamedTuple):
    """Sets a new password with a recovery code."""

    name: str
    code: str
    password: str
    revoke_tokens: bool = False
    address: str | None = None  # of the client


def make_recovery_codes(here: Container, command: MakeRecoveryCodes) -> list[str]:
    """Returns new codes of the client, and stores their hashes instead of those of the old ones.

    Raises NotAllowed for a token, ConfirmationRequired for a session without its password.
    """
    session_of(command.client)
    at, player, codes = here.now(), command.client.player, [random_code() for _ in range(CODES)]
    with here.stores.pool.connection() as connection, connection.transaction():
        lock_confirmed(connection, at, command.client)
        void_codes(connection, player, own=True)
        connection.cursor().executemany(INSERT, [(code_hash(code), player, at, None) for code in codes])
    return codes


def recover_account(here: Container, command: RecoverAccount) -> Recovered:
    """Sets the password, uses the code up and ends all sessions; tokens stay valid unless the client revokes them.

    Codes of the operator and of mails become void, those of the own set together with the tokens. Raises BadName,
    Unauthenticated, TooManyAttempts or ServiceBusy. Wrong codes count as failed logins, and are refused alike whether
    the account exists or not. Hashes without a connection.
    """
    account, code = normalize_name(command.name)[1], code_hash(command.code)
    attempt = here.delays.begin_login(account, command.address)
    with here.stores.pool.connection() as connection:
        row = connection.execute(FITS, (account, code, here.now())).fetchone()
    if row is None:
        raise Unauthenticated(WRONG)
    try:
        hashed = here.passwords.hash(command.password)
    except ServiceBusy:
        here.delays.withdraw_login(attempt)
        raise
    with here.stores.pool.connection() as connection, connection.transaction():
        connection.execute(SET_LOGIN, (hashed, row[0]))
        if connection.execute(USE, (code, row[0])).rowcount == 0:  # used or void meanwhile
            raise Unauthenticated(WRONG)
        void_codes(connection, row[0], own=command.revoke_tokens)
        drop_waiting(connection, row[0])
        ended: list[AdministrativeAct] = []
        if command.revoke_tokens:
            ended = rights_to_end(connection, str(row[0]), [row[0]])
            connection.execute(REVOKE_TOKENS, (row[0],))
        recovered = _end_sessions(connection, here.now(), row[0])
        record_acts(connection, here.now(), ended)
    here.delays.end_login(attempt)
    here.authenticator.forget()
    here.announcer.announce(RIGHTS_ENDED)
    return recovered


def unknown_password(passwords: Passwords) -> str | None:
    """Returns the hash of a random password that is not kept, for an account whose password nobody knows."""
    return passwords.hash(secrets.token_urlsafe(32))


def reset_password(connection: Connection, at: int, player: UUID, unknown: str | None) -> tuple[Recovered, str]:
    """Replaces the password by an unknown one, voids recovery codes, ends sessions. Returns what it did and a new code.

    Removes the e-mail address, too: it may be that of a thief, who would recover the account by mail. Raises NotThere.
    With no password at all, a token of the account could set one.
    """
    if connection.execute(SET_LOGIN, (unknown, player)).rowcount == 0:
        raise NotThere("player", player)
    code = random_code()
    void_codes(connection, player, own=True)
    drop_waiting(connection, player)
    drop_confirmed(connection, player)
    connection.execute(INSERT, (code_hash(code), player, at, at + RESET_VALID))
    return _end_sessions(connection, at, player), code


def _end_sessions(connection: Connection, at: int, player: UUID) -> Recovered:
    ended = connection.execute(END_SESSIONS, (player,)).rowcount
    row = connection.execute(VALID_TOKENS, (player, at)).fetchone()
    return Recovered(player, ended, int(row[0]) if row else 0, count_recovery_codes(connection, player))

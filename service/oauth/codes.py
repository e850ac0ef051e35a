"""Codes between a player's consent and a program's token: used once, void after a minute."""

import secrets
from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.core.clock import SECOND
from service.oauth import program_tokens
from service.oauth.programs import store_own
from service.players.identity import Identity, secret_hash

CODE_SECONDS: Final = 60
KEPT_SECONDS: Final = 3_600  # after which a second use of a code is not recognised: it is unknown
MOST_CODES: Final = 10  # of a player that wait; the oldest become void
PUT: Final = """
INSERT INTO program_codes (hash, program, player, session, redirect, scopes, challenge, created, expires)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
DELETE_OLD: Final = "DELETE FROM program_codes WHERE expires < %s"
DELETE_OLDEST: Final = """
DELETE FROM program_codes WHERE player = %s AND used IS NULL AND hash NOT IN (
    SELECT hash FROM program_codes WHERE player = %s AND used IS NULL ORDER BY created DESC, hash LIMIT %s
)
"""
USE: Final = """
UPDATE program_codes SET used = %s WHERE hash = %s AND used IS NULL AND expires > %s
RETURNING hash, program, player, redirect, scopes, challenge
"""
DELETE_REPLAYED: Final = "DELETE FROM program_codes WHERE hash = %s AND used IS NOT NULL RETURNING token"
NOTE_ISSUED: Final = "UPDATE program_codes SET token = %s WHERE hash = %s"


class UsedCode(NamedTuple):
    """A code at its first use."""

    hash: bytes
    program: str
    player: UUID
    redirect: str
    scopes: Sequence[str]
    challenge: str


class Consent(NamedTuple):
    """What a player allows a program."""

    program: str
    redirect: str
    scopes: Sequence[str]
    challenge: str  # S256


def put_code(connection: Connection, at: int, code: str, client: Identity, consent: Consent) -> None:
    """Stores a code; old ones go."""
    connection.execute(DELETE_OLD, (at - KEPT_SECONDS * SECOND,))
    store_own(connection, consent.program)
    about = (consent.program, client.player, client.session, consent.redirect, list(consent.scopes), consent.challenge)
    connection.execute(PUT, (secret_hash(code), *about, at, at + CODE_SECONDS * SECOND))
    connection.execute(DELETE_OLDEST, (client.player, client.player, MOST_CODES))


def use_code(connection: Connection, at: int, code: str) -> UsedCode | None:
    """Uses a code up. Returns it; None for an unknown, expired or used one."""
    with connection.cursor(row_factory=class_row(UsedCode)) as cursor:
        return cursor.execute(USE, (at, secret_hash(code), at)).fetchone()


def revoke_replayed(connection: Connection, code: str) -> bool:
    """Revokes the token that was issued for a used code: it was copied. Returns whether there was one."""
    row = connection.execute(DELETE_REPLAYED, (secret_hash(code),)).fetchone()
    if row is None or row[0] is None:
        return False
    program_tokens.delete(connection, row[0])
    return True


def note_token(connection: Connection, code: UsedCode, token: UUID) -> bool:
    """Stores which token was issued for a code. Returns False when the code was presented again meanwhile."""
    return connection.execute(NOTE_ISSUED, (token, code.hash)).rowcount == 1


def new_code() -> str:
    """Returns a new code."""
    return secrets.token_urlsafe(32)

"""Bearer tokens with scopes, and browser sessions; the database holds only their hashes."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from events.event import new_stream
from service.core.clock import SECOND
from service.core.errors import NotThere, ScopeMissing, Unauthenticated

SCOPES = ("read", "play", "annotate", "host", "admin")
FIRST_SCOPES = ("read", "play", "annotate", "host")  # of the first token of an account
PREFIX = "cab_"
SESSION_SECONDS = 30 * 86_400
USE_NOTED_EVERY = 60 * SECOND

ISSUE = "INSERT INTO tokens (id, player, hash, label, scopes, created, expires) VALUES (%s, %s, %s, %s, %s, %s, %s)"
TOKENS_OF = "SELECT id, label, scopes, created, expires, used FROM tokens WHERE player = %s ORDER BY created, id"
SCOPES_OF = "SELECT scopes FROM tokens WHERE id = %s AND player = %s"
REVOKE = "DELETE FROM tokens WHERE id = %s AND player = %s RETURNING hash"
BEARER = """
SELECT t.id, t.player, t.scopes, t.expires, t.used, p.bot
FROM tokens t JOIN players p ON p.id = t.player WHERE t.hash = %s
"""
NOTE_USE = "UPDATE tokens SET used = %s WHERE id = %s"
OPEN_SESSION = "INSERT INTO sessions (hash, player, csrf, created, expires) VALUES (%s, %s, %s, %s, %s)"
SESSION = """
SELECT s.player, p.bot, s.csrf, s.expires FROM sessions s JOIN players p ON p.id = s.player WHERE s.hash = %s
"""
IS_BOT = "SELECT bot FROM players WHERE id = %s"
CLOSE_SESSION = "DELETE FROM sessions WHERE hash = %s"
SWEEP_SESSIONS = "DELETE FROM sessions WHERE expires < %s"


class Identity(NamedTuple):
    """An authenticated player with scopes."""

    player: UUID
    scopes: frozenset[str]
    bot: bool = False
    token: UUID | None = None
    csrf: str | None = None  # the CSRF value of a session
    expires: int | None = None

    @property
    def id(self) -> str:
        """The player's id as events store it."""
        return str(self.player)

    def need(self, scope: str) -> None:
        """Raises ScopeMissing for a scope that the token lacks; `admin` includes all scopes."""
        if scope not in self.scopes and "admin" not in self.scopes:
            raise ScopeMissing(scope, sorted(self.scopes))


class Token(NamedTuple):
    """A token without its secret, as its owner lists it."""

    id: UUID
    label: str
    scopes: Sequence[str]
    created: int
    expires: int | None
    used: int | None = None


def issue_token(
    connection: Connection,
    at: int,
    player: UUID,
    label: str,
    scopes: Sequence[str] = FIRST_SCOPES,
    expires: int | None = None,
) -> tuple[Token, str]:
    """Creates a token; returns it with its secret, which is not stored."""
    secret = PREFIX + secrets.token_urlsafe(32)
    token = Token(new_stream(at), label, [scope for scope in SCOPES if scope in scopes], at, expires)
    connection.execute(ISSUE, (token.id, player, secret_hash(secret), label, token.scopes, at, expires))
    return token, secret


def tokens_of(connection: Connection, player: UUID) -> list[Token]:
    """Returns the tokens of a player, oldest first."""
    with connection.cursor(row_factory=class_row(Token)) as cursor:
        return cursor.execute(TOKENS_OF, (player,)).fetchall()


def check_token_reach(connection: Connection, identity: Identity, id: UUID) -> None:
    """Raises ScopeMissing when a token revokes another with more scopes."""
    row = connection.execute(SCOPES_OF, (id, identity.player)).fetchone()
    if row is None:
        raise NotThere("token", id)
    if identity.token not in (None, id):  # a session may revoke any token of its player
        for scope in row[0]:
            identity.need(scope)


def revoke_token(connection: Connection, player: UUID, id: UUID) -> bytes:
    """Deletes a token; returns its hash, or raises NotThere."""
    row = connection.execute(REVOKE, (id, player)).fetchone()
    if row is None:
        raise NotThere("token", id)
    return bytes(row[0])


def token_identity(connection: Connection, at: int, token_hash: bytes) -> Identity:
    """Authenticates a token, or raises Unauthenticated; stores its last use once a minute."""
    row = connection.execute(BEARER, (token_hash,)).fetchone()
    if row is None:
        raise Unauthenticated("the token is not valid")
    id, player, scopes, expires, used, bot = row
    identity = Identity(player, frozenset(scopes), bot, id, expires=expires)
    check_expiry(identity, at)
    if used is None or used < at - USE_NOTED_EVERY:
        connection.execute(NOTE_USE, (at, id))
    return identity


def check_expiry(identity: Identity, at: int) -> None:
    """Raises Unauthenticated for an expired token or session."""
    if identity.expires is not None and identity.expires <= at:
        raise Unauthenticated("the token has expired")


def open_session(connection: Connection, at: int, player: UUID) -> tuple[str, Identity]:
    """Opens a session; returns the secret for its cookie, and the identity."""
    secret, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(24)
    expires = at + SESSION_SECONDS * SECOND
    connection.execute(SWEEP_SESSIONS, (at,))
    connection.execute(OPEN_SESSION, (secret_hash(secret), player, csrf, at, expires))
    row = connection.execute(IS_BOT, (player,)).fetchone()
    bot = row is not None and bool(row[0])
    return secret, Identity(player, frozenset(FIRST_SCOPES), bot, csrf=csrf, expires=expires)


def session_identity(connection: Connection, at: int, session_hash: bytes) -> Identity:
    """Authenticates a session cookie, or raises Unauthenticated."""
    row = connection.execute(SESSION, (session_hash,)).fetchone()
    if row is None:
        raise Unauthenticated("the session is over; log in again")
    player, bot, csrf, expires = row
    identity = Identity(player, frozenset(FIRST_SCOPES), bot, csrf=csrf, expires=expires)
    check_expiry(identity, at)
    return identity


def close_session(connection: Connection, session_hash: bytes) -> None:
    """Deletes a session."""
    connection.execute(CLOSE_SESSION, (session_hash,))


def secret_hash(secret: str) -> bytes:
    """Returns the hash of a secret; plain SHA-256 is enough for 256 random bits."""
    return hashlib.sha256(secret.encode()).digest()

"""Identities: authenticates bearer tokens with scopes and browser sessions; the database holds only their hashes."""

import hashlib
from contextlib import suppress
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.errors import ReadOnlySqlTransaction

from service.core.clock import SECOND
from service.core.errors import NotAllowed, ScopeMissing, Unauthenticated

TOKEN_PREFIX: Final = "cab_"  # noqa: S105 - begins every token
ADMIN: Final = "admin"  # includes all other scopes
SCOPES: Final = ("read", "play", "annotate", "host", ADMIN)
FIRST_SCOPES: Final = ("read", "play", "annotate", "host")  # of the first token of an account
GUEST_SCOPES: Final = ("read", "play")  # of the session of a guest
SESSION_SECONDS: Final = 30 * 86_400
USE_NOTED_EVERY: Final = 60 * SECOND
OF_BLOCKED_MAKER: Final[LiteralString] = """
EXISTS (
    SELECT FROM programs AS made JOIN players AS maker ON maker.id = made.maker
    JOIN blocks ON blocks.player = coalesce(maker.owner, maker.id)
    WHERE made.id = t.program AND blocks.until > %(now)s AND maker.id <> t.player
)
"""
BEARER: Final[LiteralString] = (
    """
SELECT t.id, t.player, t.scopes, t.expires, t.used, p.bot, t.program
FROM tokens t JOIN players p ON p.id = t.player WHERE t.hash = %(hash)s AND NOT """
    + OF_BLOCKED_MAKER
)
DELETE_EXPIRED: Final = "DELETE FROM tokens WHERE player = %s AND greatest(expires, refresh_until) < %s"
NOTE_USE: Final = "UPDATE tokens SET used = %s WHERE id = %s"
NOTE_SESSION_USE: Final = "UPDATE sessions SET used = %s WHERE id = %s"
BEARER_STANDS: Final = "SELECT FROM tokens WHERE id = %s"
SESSION_STANDS: Final = "SELECT FROM sessions WHERE id = %s"
LOCK_ACCOUNT: Final = "SELECT FROM players WHERE id = %s FOR NO KEY UPDATE"
ACCOUNT_LOCKED: Final = "SELECT FROM players WHERE id = %s FOR SHARE"
BEARER_LOCKED: Final = "SELECT FROM tokens WHERE id = %s FOR KEY SHARE"
SESSION_LOCKED: Final = "SELECT FROM sessions WHERE id = %s FOR KEY SHARE"
SESSION: Final = """
SELECT s.id, s.player, p.bot, s.csrf, s.expires, s.used, p.guest
FROM sessions s JOIN players p ON p.id = s.player WHERE s.hash = %s
"""


class TokenOrigin(NamedTuple):
    """The program whose token issues another one: both end together."""

    program: str | None = None
    parent: UUID | None = None


OWN: Final = TokenOrigin()


class Identity(NamedTuple):
    """An authenticated player with scopes."""

    player: UUID
    scopes: frozenset[str]
    bot: bool = False
    token: UUID | None = None
    csrf: str | None = None  # the CSRF value of a session
    expires: int | None = None
    session: UUID | None = None
    guest: bool = False  # an account that was made with one click
    program: str | None = None  # that holds the token

    @property
    def credential(self) -> UUID | None:
        """The id of the token or session."""
        return self.token or self.session

    @property
    def id(self) -> str:
        """The player's id as events store it."""
        return str(self.player)

    def need(self, scope: str) -> None:
        """Raises ScopeMissing for a scope that the token lacks; `admin` includes all scopes."""
        if scope not in self.scopes and ADMIN not in self.scopes:
            raise ScopeMissing(scope, sorted(self.scopes))


def player_id(identity: Identity | None) -> str | None:
    """Returns the id of an authenticated player; None for an anonymous client."""
    return None if identity is None else identity.id


def secret_hash(secret: str) -> bytes:
    """Returns the hash of a secret; plain SHA-256 is enough for 256 random bits."""
    return hashlib.sha256(secret.encode()).digest()


def _note_use(connection: Connection, statement: LiteralString, at: int, id: UUID) -> None:
    """Stores the last use; not while the database is read-only, and without waiting for a standby."""
    with suppress(ReadOnlySqlTransaction), connection.transaction():
        connection.execute("SET LOCAL synchronous_commit = off")
        connection.execute(statement, (at, id))


def token_identity(connection: Connection, at: int, token_hash: bytes) -> Identity:
    """Authenticates a token, or raises Unauthenticated; stores its last use once a minute."""
    row = connection.execute(BEARER, {"hash": token_hash, "now": at}).fetchone()
    if row is None:
        raise Unauthenticated("the token is not valid")
    id, player, scopes, expires, used, bot, program = row
    identity = Identity(player, frozenset(scopes), bot, id, expires=expires, program=program)
    check_expiry(identity, at)
    if used is None or used < at - USE_NOTED_EVERY:
        _note_use(connection, NOTE_USE, at, id)
    return identity


def session_identity(connection: Connection, at: int, session_hash: bytes) -> Identity:
    """Authenticates a session cookie, or raises Unauthenticated."""
    row = connection.execute(SESSION, (session_hash,)).fetchone()
    if row is None:
        raise Unauthenticated("the session is over; log in again")
    id, player, bot, csrf, expires, used, guest = row
    identity = browser_identity(player, id, csrf, expires, bot=bot, guest=guest)
    check_expiry(identity, at)
    if used is None or used < at - USE_NOTED_EVERY:
        _note_use(connection, NOTE_SESSION_USE, at, id)
    return identity


def browser_identity(player: UUID, session: UUID, csrf: str, expires: int, *, bot: bool, guest: bool) -> Identity:
    """Returns the identity of a session; a guest may read and play."""
    scopes = frozenset(GUEST_SCOPES if guest else FIRST_SCOPES)
    return Identity(player, scopes, bot, csrf=csrf, expires=expires, session=session, guest=guest)


def refuse_guest(client: Identity) -> None:
    """Raises NotAllowed for a guest, who may play but leaves nothing else behind."""
    if client.guest:
        raise NotAllowed("guest", "guests may play unrated games; keep the account with a name and a password for more")


def refuse_program(client: Identity) -> None:
    """Raises NotAllowed for a program: its rights end with its token, and so must what it may change of the account."""
    if client.program is not None:
        raise NotAllowed(
            "program", "a program that acts for a player may not change this; a token of the player's own may"
        )


def lock_account(connection: Connection, player: UUID) -> None:
    """Locks an account for this transaction: requests that come at once count and store one after the other."""
    connection.execute(LOCK_ACCOUNT, (player,))


def lock_credential(connection: Connection, client: Identity) -> None:
    """Locks the token or session of a client for this transaction; raises Unauthenticated when it has ended.

    A process may hold an ended one in its cache for a moment: too long for what outlives it, such as another token. The
    account is locked first, as by every command that ends tokens: those that make some wait there, and hold nothing.
    """
    connection.execute(ACCOUNT_LOCKED, (client.player,))
    _find_credential(connection, client, BEARER_LOCKED if client.token is not None else SESSION_LOCKED)


def check_credential(connection: Connection, client: Identity) -> None:
    """Raises Unauthenticated when the token or session of a client has ended."""
    _find_credential(connection, client, BEARER_STANDS if client.token is not None else SESSION_STANDS)


def _find_credential(connection: Connection, client: Identity, query: LiteralString) -> None:
    if connection.execute(query, (client.credential,)).rowcount == 0:
        raise Unauthenticated("the session is over; log in again" if client.token is None else "the token is not valid")


def check_expiry(identity: Identity, at: int) -> None:
    """Raises Unauthenticated for an expired token or session."""
    if identity.expires is not None and identity.expires <= at:
        raise Unauthenticated("the token has expired")

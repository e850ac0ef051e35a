"""Tokens of programs: the tokens of the service, with refresh tokens of which the newest alone is valid."""

import hmac
import secrets
from collections.abc import Sequence
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from events.event import new_stream
from service.core.clock import SECOND
from service.oauth.programs import SCOPES, Program
from service.players.identity import DELETE_EXPIRED, TOKEN_PREFIX, secret_hash

ACCESS_SECONDS: Final = 3_600  # of a token that can be refreshed
REFRESH_SECONDS: Final = 30 * 86_400  # after the last refresh
DEVICE_SECONDS: Final = 90 * 86_400  # of a token that cannot: programs that run side by side would race for a refresh
REFRESH_PREFIX: Final = "cabr_"
LONGEST_SECRET: Final = 200
MOST_TOKENS: Final = 10  # of a program for a player: one for each place where it runs; the oldest ends
INSERT: Final = """
INSERT INTO tokens (id, player, hash, label, scopes, created, expires, program, family, refresh, refresh_until)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
DELETE_OLDEST: Final = """
DELETE FROM tokens WHERE player = %s AND program = %s AND parent IS NULL AND id NOT IN (
    SELECT id FROM tokens WHERE player = %s AND program = %s AND parent IS NULL ORDER BY created DESC, id DESC LIMIT %s
)
"""
RENEW: Final = """
UPDATE tokens SET hash = %s, refresh = %s, scopes = %s, expires = %s, refresh_until = %s
WHERE id = %s AND refresh = %s
"""
SELECT: Final[LiteralString] = "SELECT id, player, program, hash, scopes, expires, refresh, refresh_until FROM tokens "
BY_FAMILY: Final[LiteralString] = "WHERE family = %s"
BY_HASH: Final[LiteralString] = "WHERE hash = %s AND program IS NOT NULL"
DELETE: Final = "DELETE FROM tokens WHERE id = %s"
DELETE_REUSED: Final = "DELETE FROM tokens WHERE family = %s AND refresh IS DISTINCT FROM %s"


class ProgramToken(NamedTuple):
    """A stored token of a program."""

    id: UUID
    player: UUID
    program: str
    hash: bytes
    scopes: Sequence[str]
    expires: int
    refresh: bytes | None
    refresh_until: int | None


class IssuedSecrets(NamedTuple):
    """A new token as its program gets it, once."""

    id: UUID
    access: str
    refresh: str | None
    seconds: int
    scopes: Sequence[str]


def issue(
    connection: Connection, at: int, program: Program, player: UUID, scopes: Sequence[str], *, renewable: bool
) -> IssuedSecrets:
    """Stores a token of a program for a player; the oldest of too many ends, and expired ones of the player go."""
    connection.execute(DELETE_EXPIRED, (player, at))
    issued = _made(new_stream(at), scopes, secrets.token_urlsafe(24) if renewable else None)
    family = None if issued.refresh is None else secret_hash(_family(issued.refresh))
    renewal = (family, None if issued.refresh is None else secret_hash(issued.refresh), _until(at, issued))
    row = (issued.id, player, secret_hash(issued.access), program.name, list(issued.scopes), at)
    connection.execute(INSERT, (*row, at + issued.seconds * SECOND, program.id, *renewal))
    connection.execute(DELETE_OLDEST, (player, program.id, player, program.id, MOST_TOKENS))
    return issued


def renew(
    connection: Connection, at: int, token: ProgramToken, presented: str, scopes: Sequence[str]
) -> IssuedSecrets | None:
    """Replaces a token and its refresh token. Returns the new ones; None when another request was faster."""
    issued = _made(token.id, scopes, _family(presented))
    changed = (secret_hash(issued.access), secret_hash(issued.refresh or ""), list(issued.scopes))
    times = (at + issued.seconds * SECOND, _until(at, issued))
    row = (*changed, *times, token.id, secret_hash(presented))
    return issued if connection.execute(RENEW, row).rowcount == 1 else None


def find_refreshed(connection: Connection, at: int, presented: str) -> ProgramToken | None:
    """Returns the token of a refresh token; None for an unknown, expired or used one."""
    if not _is_refresh(presented):
        return None
    token = _found(connection, SELECT + BY_FAMILY, secret_hash(_family(presented)))
    if token is None or token.refresh is None:
        return None
    if not hmac.compare_digest(bytes(token.refresh), secret_hash(presented)):
        return None
    return token if token.refresh_until is not None and token.refresh_until > at else None


def revoke_reused(connection: Connection, presented: str) -> bool:
    """Revokes the token of a used refresh token: it was copied. Returns whether there was one."""
    if not _is_refresh(presented):
        return False
    key = (secret_hash(_family(presented)), secret_hash(presented))
    return connection.execute(DELETE_REUSED, key).rowcount > 0


def find_for_revocation(connection: Connection, presented: str) -> ProgramToken | None:
    """Returns the token of an access token or of a refresh token, valid or not."""
    if len(presented) > LONGEST_SECRET:
        return None
    if presented.startswith(REFRESH_PREFIX):
        return _found(connection, SELECT + BY_FAMILY, secret_hash(_family(presented)))
    return _found(connection, SELECT + BY_HASH, secret_hash(presented))


def delete(connection: Connection, id: UUID) -> None:
    """Deletes a token, with those that the program issued with it."""
    connection.execute(DELETE, (id,))


def _made(id: UUID, scopes: Sequence[str], family: str | None) -> IssuedSecrets:
    refresh = None if family is None else f"{REFRESH_PREFIX}{family}.{secrets.token_urlsafe(32)}"
    seconds = DEVICE_SECONDS if family is None else ACCESS_SECONDS
    kept = [scope for scope in SCOPES if scope in scopes]
    return IssuedSecrets(id, TOKEN_PREFIX + secrets.token_urlsafe(32), refresh, seconds, kept)


def _until(at: int, issued: IssuedSecrets) -> int | None:
    return None if issued.refresh is None else at + REFRESH_SECONDS * SECOND


def _is_refresh(presented: str) -> bool:
    return presented.startswith(REFRESH_PREFIX) and len(presented) <= LONGEST_SECRET


def _family(refresh: str) -> str:
    """Returns the part of a refresh token that its successors keep."""
    return refresh.removeprefix(REFRESH_PREFIX).partition(".")[0]


def _found(connection: Connection, query: LiteralString, key: bytes) -> ProgramToken | None:
    with connection.cursor(row_factory=class_row(ProgramToken)) as cursor:
        return cursor.execute(query, (key,)).fetchone()

"""Logins of programs without a browser: a long code for the program, a short one that the player enters on a page."""

import re
import secrets
from collections.abc import Sequence
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.core.clock import SECOND
from service.oauth.errors import TooManyLogins
from service.oauth.programs import store_own
from service.players.identity import Identity, secret_hash

LOGIN_SECONDS: Final = 600
INTERVAL: Final = 5  # seconds between two questions for the token
LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so no words
CODE_LENGTH: Final = 8
MOST_OF_NETWORK: Final = 20
MOST: Final = 10_000  # that wait at the service
LONGEST_USER_CODE: Final = 40  # as typed
DELETE_EXPIRED: Final = "DELETE FROM device_logins WHERE expires <= %s"
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('cabildo device logins', 0))"
COUNT: Final = "SELECT count(*) FILTER (WHERE network = %s), count(*) FROM device_logins"
PUT: Final = """
INSERT INTO device_logins (hash, user_code, program, scopes, network, created, expires)
VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
SELECT: Final[LiteralString] = (
    "SELECT hash, user_code, program, scopes, created, expires, asked, player, allowed FROM device_logins "
)
BY_DEVICE: Final[LiteralString] = "WHERE hash = %s FOR UPDATE"
BY_USER: Final[LiteralString] = "WHERE user_code = %s AND expires > %s AND player IS NULL"
NOTE_ASKED: Final = "UPDATE device_logins SET asked = %s WHERE hash = %s"
ANSWER: Final = """
UPDATE device_logins SET player = %s, session = %s, allowed = %s WHERE hash = %s AND player IS NULL AND expires > %s
"""
DELETE: Final = "DELETE FROM device_logins WHERE hash = %s"
NO_LETTER: Final = re.compile(f"[^{LETTERS}]")


class DeviceLogin(NamedTuple):
    """A login that waits for the player, or for the program to fetch its token."""

    hash: bytes
    user_code: str
    program: str
    scopes: Sequence[str]
    created: int
    expires: int
    asked: int | None
    player: UUID | None
    allowed: bool | None

    @property
    def shown_code(self) -> str:
        """The short code as it is shown."""
        return _shown(self.user_code)


class NewDeviceLogin(NamedTuple):
    """The two codes of a begun login."""

    device_code: str
    user_code: str


def new_user_code() -> str:
    """Returns a new short code, as it is shown."""
    return _shown("".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH)))


def begin(
    connection: Connection, at: int, codes: NewDeviceLogin, program: str, scopes: Sequence[str], network: str
) -> None:
    """Stores a login that waits for its player; raises TooManyLogins."""
    connection.execute(LOCK)
    connection.execute(DELETE_EXPIRED, (at,))
    of_network, of_all = connection.execute(COUNT, (network,)).fetchone() or (0, 0)
    if of_network >= MOST_OF_NETWORK or of_all >= MOST:
        raise TooManyLogins
    store_own(connection, program)
    times = (at, at + LOGIN_SECONDS * SECOND)
    user_code = NO_LETTER.sub("", codes.user_code)
    connection.execute(PUT, (secret_hash(codes.device_code), user_code, program, list(scopes), network, *times))


def find_by_device(connection: Connection, device_code: str) -> DeviceLogin | None:
    """Returns the login of a program, locked for this transaction; None for an unknown code."""
    return _found(connection, SELECT + BY_DEVICE, secret_hash(device_code))


def find_by_user_code(connection: Connection, at: int, typed: str) -> DeviceLogin | None:
    """Returns the login that waits for a player; None for an unknown, expired or answered one."""
    code = NO_LETTER.sub("", typed[:LONGEST_USER_CODE].upper())
    return _found(connection, SELECT + BY_USER, code, at) if len(code) == CODE_LENGTH else None


def note_question(connection: Connection, at: int, login: DeviceLogin) -> bool:
    """Stores when the program asked. Returns whether it asked too soon."""
    connection.execute(NOTE_ASKED, (at, login.hash))
    return login.asked is not None and at < login.asked + INTERVAL * SECOND


def answer(connection: Connection, at: int, login: DeviceLogin, client: Identity, *, allowed: bool) -> bool:
    """Stores the player's answer. Returns False when there is one, or the time is over."""
    row = (client.player, client.session, allowed, login.hash, at)
    return connection.execute(ANSWER, row).rowcount == 1


def delete(connection: Connection, login: DeviceLogin) -> bool:
    """Deletes a login. Returns whether it was still there."""
    return connection.execute(DELETE, (login.hash,)).rowcount == 1


def _shown(code: str) -> str:
    return f"{code[:4]}-{code[4:]}"


def _found(connection: Connection, query: LiteralString, *keys: object) -> DeviceLogin | None:
    with connection.cursor(row_factory=class_row(DeviceLogin)) as cursor:
        return cursor.execute(query, keys).fetchone()

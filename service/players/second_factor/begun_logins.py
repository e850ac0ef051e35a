"""Logins between password and code: a ticket stands for the right password for some minutes."""

import secrets
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from service.core.clock import SECOND
from service.players.identity import secret_hash

TICKET_SECONDS: Final = 300
MOST_TICKETS: Final = 10  # of a player; the oldest become void
PUT: Final = "INSERT INTO begun_logins (hash, player, password, created, expires) VALUES (%s, %s, %s, %s, %s)"
DELETE_EXPIRED: Final = "DELETE FROM begun_logins WHERE expires <= %s"
DELETE_OLDEST: Final = """
DELETE FROM begun_logins WHERE player = %s AND hash NOT IN (
    SELECT hash FROM begun_logins WHERE player = %s ORDER BY created DESC LIMIT %s
)
"""
BY_TICKET: Final = """
SELECT p.id, p.folded FROM begun_logins AS b JOIN players AS p ON p.id = b.player AND p.password = b.password
WHERE b.hash = %s AND b.expires > %s
"""
USE: Final = "DELETE FROM begun_logins WHERE hash = %s"


class BegunLogin(NamedTuple):
    """A login whose password was right, and still is."""

    player: UUID
    account: str  # the name as it is compared


def begin_ticket(connection: Connection, at: int, player: UUID, stored: str) -> str:
    """Stores a login whose password was right. Returns its ticket."""
    ticket = secrets.token_urlsafe(32)
    connection.execute(DELETE_EXPIRED, (at,))
    connection.execute(PUT, (secret_hash(ticket), player, stored, at, at + TICKET_SECONDS * SECOND))
    connection.execute(DELETE_OLDEST, (player, player, MOST_TICKETS))
    return ticket


def begun_login(connection: Connection, at: int, ticket: str) -> BegunLogin | None:
    """Returns the login of a ticket; None for a ticket that is wrong, used or expired, or of an earlier password."""
    row = connection.execute(BY_TICKET, (secret_hash(ticket), at)).fetchone()
    return None if row is None else BegunLogin(*row)


def use_ticket(connection: Connection, ticket: str) -> bool:
    """Voids a ticket. Returns whether this caller did."""
    return connection.execute(USE, (secret_hash(ticket),)).rowcount == 1

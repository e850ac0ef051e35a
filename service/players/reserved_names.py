"""Names of erased players, which nobody may take for a time: messages for the old player reach no other."""

import hashlib
from collections.abc import Iterable
from typing import Final

from psycopg import Connection

from service.core.clock import SECOND

DAY: Final = 86_400 * SECOND
RESERVED_FOR: Final = 90 * DAY
LABEL: Final = b"cabildo/reserved-name/v1\n"
RESERVE: Final = """
INSERT INTO reserved_names (hash, until) VALUES (%s, %s) ON CONFLICT (hash) DO UPDATE SET until = excluded.until
"""
FREE: Final = "DELETE FROM reserved_names WHERE until <= %s"
RESERVED: Final = "SELECT EXISTS (SELECT FROM reserved_names WHERE hash = %s AND until > %s)"


def reserve_names(connection: Connection, at: int, names: Iterable[str]) -> None:
    """Reserves names in their unique form, and frees those whose time is over."""
    connection.execute(FREE, (at,))
    for name in names:
        connection.execute(RESERVE, (_hash(name), at + RESERVED_FOR))


def is_reserved(connection: Connection, at: int, name: str) -> bool:
    """Returns whether a name in its unique form is reserved."""
    row = connection.execute(RESERVED, (_hash(name), at)).fetchone()
    return row is not None and bool(row[0])


def _hash(name: str) -> bytes:
    return hashlib.sha256(LABEL + name.encode()).digest()

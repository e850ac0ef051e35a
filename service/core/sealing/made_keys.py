"""Keys that the service makes for itself: kept sealed, one under each name."""

from typing import Final

from psycopg import Connection

from events.event import new_stream
from events.sealing.vault import Vault
from service.core.sealing.sealed_columns import MADE_KEYS

KEY: Final = "SELECT id, sealed FROM made_keys WHERE name = %s"
PUT: Final = "INSERT INTO made_keys (id, name, sealed) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"


def find_key(connection: Connection, vault: Vault, name: str) -> bytes | None:
    """Returns the key of a name; None while none was made."""
    row = connection.execute(KEY, (name,)).fetchone()
    return None if row is None else vault.open(MADE_KEYS, row[0], bytes(row[1]))


def find_or_keep_key(connection: Connection, vault: Vault, at: int, name: str, new: bytes) -> bytes:
    """Returns the key of a name; the new one when there is none, unless another process was faster."""
    kept = find_key(connection, vault, name)
    if kept is None:
        id = new_stream(at)
        connection.execute(PUT, (id, name, vault.seal(MADE_KEYS, id, new)))
        kept = find_key(connection, vault, name)
    if kept is None:
        raise LookupError(name)
    return kept

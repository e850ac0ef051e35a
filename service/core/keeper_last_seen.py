"""When a keeper was last at work: clocks of players stand still while none is."""

from typing import Any

from psycopg import Connection

LAST_SEEN = "SELECT at FROM heartbeat"
SEEN = "INSERT INTO heartbeat (at) VALUES (%s) ON CONFLICT (one) DO UPDATE SET at = excluded.at"


def last_seen(connection: Connection[Any]) -> int | None:
    """When a keeper was last at work; None when none ever was."""
    row = connection.execute(LAST_SEEN).fetchone()
    return int(row[0]) if row else None


def note_seen(connection: Connection[Any], now: int) -> None:
    """Say that a keeper is at work."""
    connection.execute(SEEN, (now,))

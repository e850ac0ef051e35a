"""Time of the last keeper's work: players' clocks stand still without a keeper."""

from psycopg import Connection

LAST_SEEN = "SELECT at FROM heartbeat"
SEEN = "INSERT INTO heartbeat (at) VALUES (%s) ON CONFLICT (one) DO UPDATE SET at = excluded.at"


def last_seen(connection: Connection) -> int | None:
    """Returns the time when a keeper last worked; None before the first."""
    row = connection.execute(LAST_SEEN).fetchone()
    return int(row[0]) if row else None


def note_seen(connection: Connection, now: int) -> None:
    """Store the time of a keeper's work."""
    connection.execute(SEEN, (now,))

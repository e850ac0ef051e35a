"""The directory of streams: kind, version and time of the newest event."""

from typing import LiteralString

from psycopg import Connection

from events.kinds import KINDS
from events.log.follow import LoggedEvent

RECORD: LiteralString = """
INSERT INTO streams (stream, kind, version, head, last_kind, started, last_at)
VALUES (%(stream)s, %(stream_kind)s, %(seq)s, %(hash)s, %(kind)s, %(at)s, %(at)s)
ON CONFLICT (stream) DO UPDATE
SET version = excluded.version, head = excluded.head, last_kind = excluded.last_kind, last_at = excluded.last_at
"""


class Streams:
    """One row per stream."""

    name = "streams"
    version = 1

    def apply(self, connection: Connection, entry: LoggedEvent) -> None:
        """Updates the row of an event's stream."""
        event = entry.event
        row = event._asdict() | {"stream_kind": KINDS.named(event.kind).stream}
        del row["data"]
        connection.execute(RECORD, row)

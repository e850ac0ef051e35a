"""The directory of streams: kind, version and time of the newest event."""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from psycopg import Connection

from events.event import Event
from events.kinds import KINDS
from events.log.follow import LoggedEvent

RECORD: LiteralString = """
INSERT INTO streams (stream, kind, version, head, last_kind, started, last_at)
SELECT * FROM unnest(%s::uuid[], %s::text[], %s::bigint[], %s::bytea[], %s::text[], %s::bigint[], %s::bigint[])
ON CONFLICT (stream) DO UPDATE
SET version = excluded.version, head = excluded.head, last_kind = excluded.last_kind, last_at = excluded.last_at
"""


class Streams:
    """One row per stream."""

    name = "streams"
    version = 1

    def apply(self, connection: Connection, entries: Sequence[LoggedEvent]) -> None:
        """Updates the row of each stream by its newest event."""
        newest: dict[UUID, Event] = {}
        started: dict[UUID, int] = {}
        for _, event in entries:
            newest[event.stream] = event
            started.setdefault(event.stream, event.at)
        rows = [
            (stream, KINDS.named(one.kind).stream, one.seq, one.hash, one.kind, started[stream], one.at)
            for stream, one in newest.items()
        ]
        if rows:
            connection.execute(RECORD, [*map(list, zip(*rows, strict=True))])

"""Reads the heads of many streams by one query."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from psycopg import Connection

from events.event import Head

HEADS: Final = """
SELECT given.stream, newest.seq, newest.hash FROM unnest(%s::uuid[]) AS given (stream)
CROSS JOIN LATERAL (SELECT seq, hash FROM events WHERE stream = given.stream ORDER BY seq DESC LIMIT 1) AS newest
"""


def read_heads(connection: Connection, streams: Sequence[UUID]) -> Mapping[UUID, Head]:
    """Returns the number and hash of the newest event of each stream that has one."""
    rows = connection.execute(HEADS, (list(streams),), binary=True)
    return {stream: Head(seq, hash) for stream, seq, hash in rows}

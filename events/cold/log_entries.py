"""Reads entries of the log with the bytes of their events, of archived streams from their files."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.body_packing import unpack_body
from events.cold.reader import cold_entries

# OFFSET 0 makes the planner look up each event by its key, regardless of its estimate of the log's size.
PAGE: Final = """
SELECT log.idx, log.stream, log.seq, event.body, event.hash
FROM log LEFT JOIN LATERAL (
    SELECT body, hash FROM events WHERE stream = log.stream AND seq = log.seq OFFSET 0
) AS event ON true
WHERE log.idx >= %s AND log.idx < %s
ORDER BY log.idx
"""


class StoredEntry(NamedTuple):
    """An entry of the log, with the bytes and the hash of its event, if that is stored."""

    idx: int
    stream: UUID
    seq: int
    body: bytes | None
    hash: bytes | None


def stored_entries(connection: Connection, begin: int, end: int) -> Sequence[StoredEntry]:
    """Returns the entries of a stretch of the log. Raises FilesAway and ColdFileDamaged."""
    rows = connection.execute(PAGE, (begin, end), binary=True).fetchall()
    entries = [
        StoredEntry(idx, stream, seq, None if body is None else unpack_body(body), hash)
        for idx, stream, seq, body, hash in rows
    ]
    missing = [(entry.stream, entry.seq) for entry in entries if entry.body is None]
    if not missing:
        return entries
    cold = cold_entries(connection, missing)
    return [
        entry._replace(hash=found.hash, body=found.body) if (found := cold.get((entry.stream, entry.seq))) else entry
        for entry in entries
    ]

"""Reads entries of the log with the bytes of their events, of archived streams from their files."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.body_packing import unpack_body
from events.cold.reader import cold_entries
from events.store.lookups import EventRow, find_events

PAGE: Final = "SELECT idx, stream, seq FROM log WHERE idx >= %s AND idx < %s ORDER BY idx"


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
    stored = find_events(connection, [(stream, seq) for _, stream, seq in rows])
    entries = [_entry(idx, stream, seq, stored.get((stream, seq))) for idx, stream, seq in rows]
    missing = [(entry.stream, entry.seq) for entry in entries if entry.body is None]
    if not missing:
        return entries
    cold = cold_entries(connection, missing)
    return [
        entry._replace(hash=found.hash, body=found.body) if (found := cold.get((entry.stream, entry.seq))) else entry
        for entry in entries
    ]


def _entry(idx: int, stream: UUID, seq: int, event: EventRow | None) -> StoredEntry:
    return StoredEntry(idx, stream, seq, event and unpack_body(event.body), event and event.hash)

"""Looks up many events by their keys at once, with a statement that also suits events on several servers."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

FIND: Final = """
SELECT stream, seq, kind, at, hash, body
FROM unnest(%s::uuid[], %s::bigint[]) AS wanted (stream, seq) JOIN events USING (stream, seq)
"""
Place = tuple[UUID, int]  # a stream and the number of an event in it


class EventRow(NamedTuple):
    """The columns of an event besides its key, as they are stored."""

    kind: str
    at: int
    hash: bytes
    body: bytes


def find_events(connection: Connection, places: Sequence[Place]) -> dict[Place, EventRow]:
    """Returns those of the events that are stored, by their keys."""
    keys = [stream for stream, _ in places], [seq for _, seq in places]
    rows = connection.execute(FIND, keys, binary=True) if places else ()
    return {(stream, seq): EventRow(*columns) for stream, seq, *columns in rows}

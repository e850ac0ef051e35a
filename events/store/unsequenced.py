"""Finds events that are neither in the log nor waiting for it, by their keys."""

from collections.abc import Iterator, Sequence
from typing import Final, LiteralString
from uuid import UUID

from psycopg import Connection

from events.store.lookups import Place

KEYS: Final = "SELECT stream, seq FROM events WHERE (stream, seq) > (%s, %s) ORDER BY stream, seq LIMIT %s"
UNNUMBERED: Final = """
SELECT stream, seq FROM unnest(%s::uuid[], %s::bigint[]) AS stored (stream, seq)
WHERE NOT EXISTS (SELECT FROM log WHERE log.stream = stored.stream AND log.seq = stored.seq)
ORDER BY stream, seq
"""
IN_OUTBOX: Final = """
SELECT stream, seq FROM unnest(%s::uuid[], %s::bigint[]) AS stored (stream, seq) JOIN outbox USING (stream, seq)
"""
KEYS_AT_ONCE: Final = 10_000
MOST_LOST: Final = 100


def unsequenced(connection: Connection) -> Iterator[Place]:
    """Yields the first events that are neither in the log nor waiting for it; reads the keys of all events."""
    last: Place = (UUID(int=0), 0)
    found = 0
    while found < MOST_LOST:
        keys = connection.execute(KEYS, (*last, KEYS_AT_ONCE), binary=True).fetchall()
        if not keys:
            return
        last = keys[-1]
        unnumbered = _among(connection, UNNUMBERED, keys)
        waiting = {*_among(connection, IN_OUTBOX, unnumbered)} if unnumbered else set()
        lost = [place for place in unnumbered if place not in waiting]
        for place in _among(connection, UNNUMBERED, lost) if lost else ():  # some got their numbers meanwhile
            found += 1
            yield place


def _among(connection: Connection, query: LiteralString, places: Sequence[Place]) -> list[Place]:
    return connection.execute(query, ([stream for stream, _ in places], [seq for _, seq in places])).fetchall()

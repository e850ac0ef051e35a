"""Which players wrote events of which streams: where everything that one player did is found again."""

from collections.abc import Iterator, Sequence
from typing import LiteralString
from uuid import UUID

from psycopg import Connection

from events.log.follow import LoggedEvent

NOTE: LiteralString = """
INSERT INTO actors (player, stream) SELECT * FROM unnest(%s::uuid[], %s::uuid[]) ON CONFLICT DO NOTHING
"""


class StreamActors:
    """One row for each player in each stream that the player acted in."""

    name = "actors"
    version = 1

    def apply(self, connection: Connection, entries: Sequence[LoggedEvent]) -> None:
        """Notes the actors of events; the service and its bots are no players."""
        if found := sorted(set(_actors(entries))):
            players, streams = zip(*found, strict=True)
            connection.execute(NOTE, (list(players), list(streams)))


def _actors(entries: Sequence[LoggedEvent]) -> Iterator[tuple[UUID, UUID]]:
    for _, event in entries:
        try:
            yield UUID(event.actor), event.stream
        except ValueError:
            continue

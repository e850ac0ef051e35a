"""Which players wrote events of which streams: where everything that one player did is found again."""

from typing import LiteralString
from uuid import UUID

from psycopg import Connection

from events.log.follow import LoggedEvent

NOTE: LiteralString = "INSERT INTO actors (player, stream) VALUES (%s, %s) ON CONFLICT DO NOTHING"


class StreamActors:
    """One row for each player in each stream that the player acted in."""

    name = "actors"
    version = 1

    def apply(self, connection: Connection, entry: LoggedEvent) -> None:
        """Notes the actor of an event; the service and its bots are no players."""
        event = entry.event
        try:
            player = UUID(event.actor)
        except ValueError:
            return
        connection.execute(NOTE, (player, event.stream))

"""Reads the webhooks of a player."""

from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.core.errors import NotThere

SELECT: Final = """
SELECT id, url, tournament, created, delivered, failed, error,
    (SELECT count(*) FROM deliveries WHERE hook = id) AS waiting
FROM webhooks WHERE player = %s AND (%s::uuid IS NULL OR id = %s) ORDER BY created, id
"""


class Hook(NamedTuple):
    """A webhook without its secret, with the times of its newest deliveries."""

    id: UUID
    url: str
    tournament: UUID | None
    created: int
    delivered: int | None = None
    failed: int | None = None
    error: str | None = None
    waiting: int = 0


def hooks_of(connection: Connection, player: UUID, id: UUID | None = None) -> list[Hook]:
    """Returns the webhooks of a player, oldest first; with an id, that one or none."""
    with connection.cursor(row_factory=class_row(Hook)) as cursor:
        return cursor.execute(SELECT, (player, id, id)).fetchall()


def hook_of(connection: Connection, player: UUID, id: UUID) -> Hook:
    """Returns a webhook of a player; raises NotThere."""
    found = hooks_of(connection, player, id)
    if not found:
        raise NotThere("webhook", id)
    return found[0]

"""Stale games: open tables that are older than some days, and running games without an event for some days.

An administrator lists them first, and ends those that the list named; a game in which something happened since stays.
Games of tournaments are left to their directors.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from projections.games.record import OPEN, RUNNING, GameRecord
from service.core.clock import SECOND

DAY: Final = 86_400 * SECOND
MOST: Final = 100  # games in one command
FIND: Final = """
SELECT id, game, status, host, created, changed FROM games
WHERE tournament IS NULL AND (
    (status = 'open' AND created < %(opened)s) OR (status = 'running' AND changed < %(changed)s)
)
ORDER BY changed, id LIMIT %(limit)s
"""


class Staleness(NamedTuple):
    """From which age on a game is stale, in days."""

    open_days: int
    idle_days: int


class StaleGame(NamedTuple):
    """A stale game, as the list shows it."""

    id: UUID
    game: str
    status: str
    host: str | None
    created: int
    changed: int


class StaleGamesEnded(NamedTuple):
    """The games that were ended, and those that stay."""

    ended: Sequence[UUID]
    left: Sequence[UUID]


def stale_games(connection: Connection, at: int, staleness: Staleness, limit: int = MOST) -> list[StaleGame]:
    """Returns stale games, those that are idle longest first."""
    ages = {"opened": at - staleness.open_days * DAY, "changed": at - staleness.idle_days * DAY}
    with connection.cursor(row_factory=class_row(StaleGame)) as cursor:
        return cursor.execute(FIND, {**ages, "limit": limit}).fetchall()


def is_stale(record: GameRecord, at: int, staleness: Staleness) -> bool:
    """Returns whether a game is stale at a time."""
    if record.tournament is not None:
        return False
    if record.status == OPEN:
        return record.created < at - staleness.open_days * DAY
    return record.status == RUNNING and record.changed < at - staleness.idle_days * DAY

"""Stale games: open tables that are older than some days, and running games without an event for some days.

An administrator lists them first, and ends those that the list named; a game in which something happened since stays.
Games of tournaments are left to their directors.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from events.errors import CabildoError
from projections.games.record import OPEN, RUNNING, GameRecord
from service.container import Container
from service.core.clock import SECOND
from service.core.command_handler import Request
from service.games.commands.upkeep import EndGame, end_game_if

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


class EndStaleGames(NamedTuple):
    """Aborts games that are still stale, for a reason that their readers see."""

    by: str  # the id of an administrator, or `operator`
    games: Sequence[UUID]
    staleness: Staleness
    reason: str


class StaleGamesEnded(NamedTuple):
    """The games that were ended, and those that stay."""

    ended: Sequence[UUID]
    left: Sequence[UUID]


def stale_games(connection: Connection, at: int, staleness: Staleness, limit: int = MOST) -> list[StaleGame]:
    """Returns stale games, those that are idle longest first."""
    ages = {"opened": at - staleness.open_days * DAY, "changed": at - staleness.idle_days * DAY}
    with connection.cursor(row_factory=class_row(StaleGame)) as cursor:
        return cursor.execute(FIND, {**ages, "limit": limit}).fetchall()


def end_stale_games(here: Container, command: EndStaleGames) -> StaleGamesEnded:
    """Aborts each game for itself, if it is still stale; every abort is recorded with its reason."""
    ended = [game for game in command.games if _ends(here, command, game)]
    return StaleGamesEnded(ended, [game for game in command.games if game not in ended])


def _ends(here: Container, command: EndStaleGames, game: UUID) -> bool:
    at = here.now()
    try:
        outcome = end_game_if(
            here,
            EndGame(game, command.reason),
            Request(command.by),
            lambda record: _is_stale(record, at, command.staleness),
        )
    except CabildoError:  # it is over, or does not exist
        return False
    return outcome.written


def _is_stale(record: GameRecord, at: int, staleness: Staleness) -> bool:
    if record.tournament is not None:
        return False
    if record.status == OPEN:
        return record.created < at - staleness.open_days * DAY
    return record.status == RUNNING and record.changed < at - staleness.idle_days * DAY

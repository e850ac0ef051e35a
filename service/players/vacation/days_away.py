"""Who is away now: read for slow games alone, before each of their commands."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.store.statements import Statement
from projections.games.away_budget import Span

NOW: Final = "SELECT player::text, since, until FROM vacations WHERE player = ANY(%s) AND since <= %s AND until > %s"
DUE_AGAIN: Final = "UPDATE vacations SET due = since WHERE player = ANY(%s) AND since <= %s AND until > %s"


class DaysAway:
    """The days away of players, as they are stored."""

    def __init__(self, pool: ConnectionPool[Connection]) -> None:
        self._pool = pool

    def now(self, players: Sequence[UUID], at: int) -> Mapping[str, Span]:
        """Returns the days away that are on, by player."""
        with self._pool.connection() as connection:
            rows = connection.execute(NOW, (players, at, at)).fetchall()
        return {player: Span(since, until) for player, since, until in rows}


def due_again(players: Sequence[UUID], at: int) -> Statement:
    """Returns the statement by which the keeper brings days away into a game that players have come into."""
    return Statement(DUE_AGAIN, (players, at, at))

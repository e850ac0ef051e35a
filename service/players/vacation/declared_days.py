"""Stores the days away of players."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from projections.games.away_budget import Span

LOCK: Final = "SELECT FROM players WHERE id = %s AND forgotten IS NULL FOR UPDATE"
OF_PLAYER: Final = "SELECT since, until FROM vacations WHERE player = %s ORDER BY since"
FORGET: Final = "DELETE FROM vacations WHERE player = %s AND until < %s AND due IS NULL"
DECLARE: Final = """
INSERT INTO vacations (player, since, until, due) VALUES (%(player)s, %(since)s, %(until)s, %(since)s)
ON CONFLICT (player, since) DO UPDATE SET until = excluded.until, due = excluded.due
"""
CANCEL: Final = "DELETE FROM vacations WHERE player = %s AND since > %s"
END: Final = """
UPDATE vacations SET until = %(now)s, due = %(now)s WHERE player = %(player)s AND since <= %(now)s AND until > %(now)s
"""
DUE: Final = "SELECT player, since, until, due FROM vacations WHERE due <= %s ORDER BY due, player LIMIT 1"
RUNNING_GAMES: Final = """
SELECT places.id FROM places JOIN games ON games.id = places.id
WHERE places.player = %s AND NOT places.over AND games.status = 'running' AND places.id > %s
ORDER BY places.id LIMIT %s
"""
KEPT: Final = """
UPDATE vacations SET due = CASE WHEN until > %(now)s THEN until END
WHERE player = %(player)s AND since = %(since)s AND due = %(due)s AND until = %(until)s
"""


class DueVacation(NamedTuple):
    """Days away whose beginning or end the games of the player do not state yet."""

    player: UUID
    since: int
    until: int
    due: int


def is_there(connection: Connection, player: UUID) -> bool:
    """Returns whether an account exists, and keeps others from changing its days away in this transaction."""
    return connection.execute(LOCK, (player,)).fetchone() is not None


def vacations_of(connection: Connection, player: UUID) -> Sequence[Span]:
    """Returns the days away of a player, oldest first."""
    with connection.cursor(row_factory=class_row(Span)) as cursor:
        return cursor.execute(OF_PLAYER, (player,)).fetchall()


def store(connection: Connection, player: UUID, span: Span, forgotten: int) -> None:
    """Store days away, and delete those that were over before a time."""
    connection.execute(FORGET, (player, forgotten))
    connection.execute(DECLARE, {"player": player, **span._asdict()})


def end(connection: Connection, player: UUID, now: int) -> bool:
    """End the days away that are on, or delete those that have not begun. Returns whether there were any."""
    ended = connection.execute(END, {"player": player, "now": now}).rowcount
    return bool(ended + connection.execute(CANCEL, (player, now)).rowcount)


def next_due(connection: Connection, now: int) -> DueVacation | None:
    """Returns the days away that began or ended first, of those that games do not state yet."""
    with connection.cursor(row_factory=class_row(DueVacation)) as cursor:
        return cursor.execute(DUE, (now,)).fetchone()


def running_games(connection: Connection, player: UUID, after: UUID, most: int) -> Sequence[UUID]:
    """Returns running games of a player, in the order of their ids."""
    return [game for (game,) in connection.execute(RUNNING_GAMES, (str(player), after, most))]


def note_kept(connection: Connection, vacation: DueVacation, now: int) -> None:
    """Store that the games state the beginning, or the end; a change meanwhile stays due."""
    connection.execute(KEPT, {**vacation._asdict(), "now": now})

"""Which games of a month may leave the database: those that nothing is added to any more."""

from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

RANGE: Final = "stream >= first_stream(%(month)s) AND stream < first_stream((%(month)s + interval '1 month')::date)"
ARCHIVABLE: Final = f"""
SELECT stream FROM events JOIN games AS g ON g.id = stream
WHERE seq = 1 AND {RANGE} AND kind = 'game_created'
    AND g.status IN ('finished', 'aborted') AND g.changed < %(before)s
    AND (g.tournament IS NULL OR EXISTS (
        SELECT FROM tournaments AS t WHERE t.id = g.tournament AND t.status IN ('finished', 'cancelled')
    ))
    AND NOT EXISTS (
        SELECT FROM games_declared AS own JOIN games_declared AS other ON other.deal = own.deal
        LEFT JOIN games AS played ON played.id = other.game
        WHERE own.game = g.id AND (other.awaited OR played.status IN ('open', 'running'))
    )
    AND NOT EXISTS (SELECT FROM outbox WHERE outbox.stream = g.id)
ORDER BY stream
"""  # noqa: S608 - parts of this file
STREAMS: Final = f"SELECT count(*) FROM events WHERE seq = 1 AND {RANGE}"  # noqa: S608 - parts of this file


class FinishedMonth(NamedTuple):
    """The games of a month that may be archived, and how many streams stay."""

    games: list[UUID]
    staying: int


def finished_games(connection: Connection, month: date, before: int) -> FinishedMonth:
    """Returns the games that began in a month and changed last before a time.

    All streams stay that may take further events: games that are not over or whose deal or tournament goes on,
    tournaments, studies.
    """
    asked = {"month": month, "before": before}
    games = [stream for (stream,) in connection.execute(ARCHIVABLE.encode(), asked).fetchall()]
    (streams,) = connection.execute(STREAMS.encode(), asked).fetchone() or (0,)
    return FinishedMonth(games, streams - len(games))

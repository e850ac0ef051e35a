"""Collects what players are to be told of: from their news, the clocks of games and the log of tournaments.

The host of a screen is told what the people at it would be told, once for the screen.
"""

from collections.abc import Mapping, Set
from typing import Final
from uuid import UUID

from psycopg import Connection

from projections.games.record import OPEN, RUNNING
from service.core.clock import SECOND
from service.notices.quiet import HOUR

BATCH: Final = 200
PAGE: Final = 1_000  # notices that are compared with their games at once
NIL: Final = UUID(int=0)
GRACE: Final = 60 * SECOND  # a turn that is answered by then is not told of
LEFT: Final = HOUR  # that is left at most when the player is told that time runs out
PART: Final = 4  # of a shorter turn, the last part
AGAIN: Final = 600 * SECOND  # the least time between two notices of turns in one game
KEPT: Final = 7 * 24 * HOUR  # how long notices that were told are remembered
ROUNDS: Final = "rounds"
BEGIN: Final = """
UPDATE player_settings AS s
SET noticed = coalesce((
    SELECT max(number) FROM news WHERE news.player = s.player::text OR news.player IN (
        SELECT id::text FROM players WHERE owner = s.player AND NOT bot AND forgotten IS NULL
    )
), 0)
WHERE noticed IS NULL AND settings ? 'notify'
"""
COLLECT: Final = """
WITH fresh AS (
    SELECT s.player, n.number, n.stream, n.what, s.settings -> 'notify' AS ways FROM player_settings AS s
    CROSS JOIN LATERAL (
        SELECT DISTINCT number, stream, what FROM (
            SELECT s.player::text AS player
            UNION ALL SELECT id::text FROM players WHERE owner = s.player AND NOT bot AND forgotten IS NULL
        ) AS own CROSS JOIN LATERAL (
            SELECT number, stream, what FROM news
            WHERE news.player = own.player AND number > s.noticed
                AND (own.player = s.player::text OR what <> 'seat_kept')
            ORDER BY number LIMIT %(batch)s
        ) AS told ORDER BY number LIMIT %(batch)s
    ) AS n
    WHERE s.noticed IS NOT NULL LIMIT %(batch)s
), seen AS (
    UPDATE player_settings AS s SET noticed = newest FROM (
        SELECT player, max(number) AS newest FROM fresh GROUP BY player
    ) AS f WHERE s.player = f.player
), wanted AS (
    SELECT DISTINCT player, stream, kind.name FROM fresh
    JOIN (VALUES ('your_turn', 'turn'), ('seat_kept', 'turn'), ('table_expires', 'expires'), ('game_over', 'over'))
        AS kind (what, name) ON kind.what = fresh.what
    WHERE jsonb_array_length(coalesce(ways -> kind.name, '[]')) > 0
), put AS (
    INSERT INTO notices (player, stream, what, due) SELECT player, stream, name, %(due)s FROM wanted
    ON CONFLICT (player, stream, what) DO UPDATE SET due = excluded.due, told = NULL
    WHERE notices.told < %(again)s
)
SELECT count(*) FROM fresh
"""
TIME: Final = """
SELECT deadline, id, player FROM games
WHERE deadline > %(now)s AND deadline <= %(soon)s AND changed <= %(since)s AND status = 'running'
    AND (deadline - %(now)s) * %(part)s <= deadline - changed
    AND player IS NOT NULL AND (deadline, id) > (%(deadline)s, %(id)s)
ORDER BY deadline, id LIMIT %(batch)s
"""
WARN: Final = """
INSERT INTO notices (player, stream, what, due)
SELECT s.player, g.id, 'time', %(now)s FROM unnest(%(games)s::uuid[], %(players)s::text[]) AS g (id, player)
JOIN players AS p ON p.id = g.player::uuid
JOIN player_settings AS s ON s.player = CASE WHEN p.bot THEN p.id ELSE coalesce(p.owner, p.id) END
WHERE jsonb_array_length(coalesce(s.settings -> 'notify' -> 'time', '[]')) > 0
ON CONFLICT DO NOTHING
"""
ROUND: Final = """
WITH known AS (
    INSERT INTO notices_read (what, idx) SELECT %(rounds)s, coalesce(max(idx), -1) FROM log
    ON CONFLICT DO NOTHING
), page AS (
    SELECT idx, stream, seq FROM log
    WHERE idx > (SELECT idx FROM notices_read WHERE what = %(rounds)s) ORDER BY idx LIMIT %(batch)s
), put AS (
    INSERT INTO notices (player, stream, what, due)
    SELECT DISTINCT s.player, page.stream, 'round', %(now)s FROM page
    JOIN tournaments ON tournaments.id = page.stream
    JOIN entries ON entries.id = page.stream AND NOT gone
    JOIN player_settings AS s ON s.player::text = entries.player
    WHERE kind_of_event(page.stream, page.seq) = 'round_published'
        AND jsonb_array_length(coalesce(s.settings -> 'notify' -> 'round', '[]')) > 0
    ON CONFLICT (player, stream, what) DO UPDATE SET due = excluded.due, told = NULL
)
UPDATE notices_read SET idx = (SELECT max(idx) FROM page) WHERE what = %(rounds)s AND EXISTS (SELECT FROM page)
RETURNING (SELECT count(*) FROM page)
"""
WAITING: Final = """
SELECT player, stream, what FROM notices
WHERE what IN ('turn', 'time', 'expires') AND (told IS NOT NULL OR due <= %(now)s)
    AND (player, stream, what) > (%(player)s, %(stream)s, %(what)s)
ORDER BY player, stream, what LIMIT %(batch)s
"""
GAMES: Final = "SELECT id, player, status FROM games WHERE id = ANY(%s) AND status IN ('running', 'open')"
HOSTS: Final = """
SELECT id::text, owner::text FROM players WHERE id = ANY(%s::uuid[]) AND owner IS NOT NULL AND NOT bot
"""  # of the people at a screen
KEPT_FOR: Final = "SELECT id, player FROM kept_seats WHERE id = ANY(%s)"
DROP: Final = """
DELETE FROM notices USING unnest(%s::uuid[], %s::uuid[], %s::text[]) AS gone (player, stream, what)
WHERE notices.player = gone.player AND notices.stream = gone.stream AND notices.what = gone.what
"""
FORGET: Final = "DELETE FROM notices WHERE told <= %s"


def collect(connection: Connection, now: int) -> bool:
    """Collects new notices, and drops those that were answered. Returns whether more are to be collected."""
    with connection.transaction():
        connection.execute(BEGIN)
        row = connection.execute(COLLECT, {"batch": BATCH, "due": now + GRACE, "again": now - AGAIN}).fetchone()
        _warn_of_clocks(connection, now)
        rounds = connection.execute(ROUND, {"batch": BATCH, "now": now, "rounds": ROUNDS}).fetchone()
        _drop_answered(connection, now)
        connection.execute(FORGET, (now - KEPT,))
    return (row is not None and row[0] >= BATCH) or (rounds is not None and rounds[0] >= BATCH)


def _warn_of_clocks(connection: Connection, now: int) -> None:
    """Collects that time runs out: for each turn when an hour is left, or the last part of a shorter one."""
    within = {"now": now, "soon": now + LEFT, "since": now - GRACE, "part": PART}
    asked = {**within, "deadline": now, "id": NIL, "batch": PAGE}
    while rows := connection.execute(TIME, asked).fetchall():
        asked |= {"deadline": rows[-1][0], "id": rows[-1][1]}
        _, games, players = zip(*rows, strict=True)
        connection.execute(WARN, {"now": now, "games": [*games], "players": [*players]})


def _drop_answered(connection: Connection, now: int) -> None:
    """Drops the notices of turns that were answered, of clocks that stand, and of tables that filled or ended."""
    asked = {"now": now, "player": NIL, "stream": NIL, "what": "", "batch": PAGE}
    while rows := connection.execute(WAITING, asked).fetchall():
        asked |= dict(zip(("player", "stream", "what"), rows[-1], strict=True))
        streams = [stream for _, stream, _ in rows]
        found = connection.execute(GAMES, (streams,)).fetchall()
        awaited = [player for _, player, _ in found if player is not None]
        hosts: dict[str, str] = dict(connection.execute(HOSTS, (awaited,)).fetchall())
        games = {id: (hosts.get(player) or player, status) for id, player, status in found}
        kept = {(id, player) for id, player in connection.execute(KEPT_FOR, (streams,))}
        gone = [row for row in rows if not _still_waits(row, games, kept)]
        if gone:
            connection.execute(DROP, [list(column) for column in zip(*gone, strict=True)])


def _still_waits(
    row: tuple[UUID, UUID, str], games: Mapping[UUID, tuple[str, str]], kept: Set[tuple[UUID, str]]
) -> bool:
    """Returns whether a game still waits for the player of a notice."""
    player, stream, what = row
    awaited, status = games.get(stream, (None, None))
    if status == RUNNING:
        return awaited == str(player) and what != "expires"
    return status == OPEN and (what == "expires" or (stream, str(player)) in kept)

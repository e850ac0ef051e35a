"""Queues messages from the log for webhooks, at most so many for each."""

from typing import Final, LiteralString
from uuid import UUID

from psycopg import Connection

BATCH: Final = 200  # messages queued for a webhook in one step
MOST_WAITING: Final = 10_000  # messages of a webhook; beyond it, the oldest are dropped
QUEUE: Final[LiteralString] = """
WITH fresh (id, number, what, stream, seq) AS (
    SELECT h.id, n.number, n.what, n.stream, n.seq FROM webhooks AS h
    CROSS JOIN LATERAL (
        SELECT number, what, stream, seq FROM news
        WHERE player = h.player::text AND number > h.told ORDER BY number LIMIT %(batch)s
    ) AS n
    WHERE h.tournament IS NULL AND h.game IS NULL AND h.off IS NULL
    UNION ALL
    SELECT h.id, l.seq, kind_of_event(l.stream, l.seq), l.stream, l.seq FROM webhooks AS h
    CROSS JOIN LATERAL (
        SELECT stream, seq FROM log WHERE stream = coalesce(h.tournament, h.game) AND seq > h.told
        ORDER BY seq LIMIT %(batch)s
    ) AS l
    WHERE h.off IS NULL
), queued AS (
    INSERT INTO deliveries (hook, number, what, stream, seq) SELECT * FROM fresh ON CONFLICT DO NOTHING RETURNING hook
), counted AS (
    SELECT hook, count(*) AS messages FROM queued GROUP BY hook
)
UPDATE webhooks SET told = newest, waiting = waiting + coalesce(messages, 0), due = coalesce(due, %(now)s)
FROM (SELECT id AS hook, max(number) AS newest, count(*) AS read FROM fresh GROUP BY id) AS seen
LEFT JOIN counted USING (hook)
WHERE id = seen.hook RETURNING id, waiting, read
"""
DROP_OLDEST: Final = """
WITH gone AS (
    DELETE FROM deliveries WHERE hook = %(hook)s AND number IN (
        SELECT number FROM deliveries WHERE hook = %(hook)s ORDER BY number LIMIT %(excess)s
    ) RETURNING number
)
UPDATE webhooks SET waiting = waiting - gone.messages, dropped = dropped + gone.messages
FROM (SELECT count(*) AS messages FROM gone) AS gone WHERE id = %(hook)s
"""
BACKLOG: Final = "SELECT coalesce(sum(waiting), 0), count(*) FILTER (WHERE off IS NOT NULL) FROM webhooks"


def queue_messages(connection: Connection, now: int, most: int = MOST_WAITING) -> bool:
    """Queues messages for new events and notifications. Returns whether more are to be queued."""
    with connection.transaction():
        rows = connection.execute(QUEUE, {"batch": BATCH, "now": now}).fetchall()
        for hook, waiting, _ in rows:
            if waiting > most:
                _drop_oldest(connection, hook, waiting - most)
    return any(read == BATCH for _, _, read in rows)


def backlog(connection: Connection) -> dict[str, int]:
    """Returns the number of waiting messages, and of webhooks that are switched off."""
    row = connection.execute(BACKLOG).fetchone()
    waiting, off = row or (0, 0)
    return {"waiting": int(waiting), "off": int(off)}


def _drop_oldest(connection: Connection, hook: UUID, excess: int) -> None:
    connection.execute(DROP_OLDEST, {"hook": hook, "excess": excess})

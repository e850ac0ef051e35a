"""Deliveries: laid out along the log, taken by one worker at a time, put off ever longer while they do not arrive."""

import json
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog
from psycopg import Connection
from psycopg.rows import class_row
from psycopg_pool import ConnectionPool

from projections.seed_box import SeedBox
from service.errors import WebhookRefused
from service.times import SECOND
from service.times import told as told_time
from service.webhooks import sending
from service.webhooks.addresses import target

PAUSES: Final = (5, 30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600)  # seconds before each further attempt
BATCH: Final = 500
LAY_OUT_NEWS: Final = """
WITH fresh AS (
    SELECT h.id, n.number, n.what, n.stream, n.seq FROM webhooks AS h
    JOIN news AS n ON n.player = h.player::text AND n.number > h.told
    WHERE h.tournament IS NULL ORDER BY n.number LIMIT %(batch)s
), laid AS (
    INSERT INTO deliveries (hook, number, what, stream, seq, due)
    SELECT id, number, what, stream, seq, %(now)s FROM fresh ON CONFLICT DO NOTHING
)
UPDATE webhooks SET told = newest FROM (SELECT id AS hook, max(number) AS newest FROM fresh GROUP BY id) AS seen
WHERE id = hook
"""
LAY_OUT_EVENTS: Final = """
WITH fresh AS (
    SELECT h.id, l.seq, e.kind, l.stream FROM webhooks AS h
    JOIN log AS l ON l.stream = h.tournament AND l.seq > h.told
    JOIN events AS e ON e.stream = l.stream AND e.seq = l.seq
    ORDER BY l.seq LIMIT %(batch)s
), laid AS (
    INSERT INTO deliveries (hook, number, what, stream, seq, due)
    SELECT id, seq, kind, stream, seq, %(now)s FROM fresh ON CONFLICT DO NOTHING
)
UPDATE webhooks SET told = newest FROM (SELECT id AS hook, max(seq) AS newest FROM fresh GROUP BY id) AS seen
WHERE id = hook
"""
DUE: Final = "SELECT hook, number, attempts FROM deliveries WHERE due <= %s ORDER BY due LIMIT %s"
TAKE: Final = """
UPDATE deliveries AS d SET attempts = attempts + 1, due = %(next)s FROM webhooks AS h
WHERE h.id = d.hook AND d.hook = %(hook)s AND d.number = %(number)s AND d.attempts = %(attempts)s AND d.due <= %(now)s
RETURNING h.id AS hook, d.number, d.what, d.stream, d.seq, d.attempts, h.url, h.secret, h.tournament
"""
ARRIVED: Final = "UPDATE webhooks SET delivered = %s WHERE id = %s"
FAILED: Final = "UPDATE webhooks SET failed = %s, error = %s WHERE id = %s"
DONE: Final = "DELETE FROM deliveries WHERE hook = %s AND number = %s"
log = structlog.get_logger("service.webhooks")


class Delivery(NamedTuple):
    """Something to be delivered now, for the so many-th time."""

    hook: UUID
    number: int
    what: str
    stream: UUID | None
    seq: int | None
    attempts: int
    url: str
    secret: bytes
    tournament: UUID | None

    @property
    def id(self) -> str:
        """The same at every attempt, so that a receiver can tell what it has seen."""
        return f"{self.hook}.{self.number}"

    def body(self, at: int) -> bytes:
        """The message: what happened where; the rest is asked for with a token."""
        document: dict[str, Any] = {"type": self.what, "timestamp": told_time(at), "number": self.number}
        if self.stream is not None:
            where = "game" if self.tournament is None else "tournament"
            document |= {where: str(self.stream), "version": self.seq}
        return json.dumps(document, separators=(",", ":")).encode()


def lay_out(connection: Connection[Any], now: int) -> None:
    """Lay out deliveries of what is new in the log."""
    for query in (LAY_OUT_NEWS, LAY_OUT_EVENTS):
        connection.execute(query, {"batch": BATCH, "now": now})


def due(connection: Connection[Any], now: int) -> list[tuple[UUID, int, int]]:
    """What is to be delivered now: hook, number, and how often it was tried."""
    return connection.execute(DUE, (now, BATCH)).fetchall()


class Courier:
    """Delivers; may be called twice or late for the same, and then does nothing."""

    def __init__(self, pool: ConnectionPool[Connection[Any]], box: SeedBox, *, anywhere: bool) -> None:
        self._pool = pool
        self._box = box
        self._anywhere = anywhere

    def deliver(self, now: int, hook: UUID, number: int, attempts: int) -> None:
        """Try once; whoever dies meanwhile has put the next attempt off already."""
        with self._pool.connection() as connection:
            delivery = _take(connection, now, hook, number, attempts)
        if delivery is not None:
            fault = self._send(delivery, now)
            log.info("delivered" if fault is None else "not delivered", hook=str(hook), number=number, fault=fault)
            with self._pool.connection() as connection, connection.transaction():
                _note(connection, now, delivery, fault)

    def _send(self, delivery: Delivery, now: int) -> str | None:
        secret, body = self._box.open(delivery.hook, bytes(delivery.secret)), delivery.body(now)
        try:
            where = target(delivery.url, anywhere=self._anywhere)
        except WebhookRefused as refused:
            return str(refused)
        return sending.post(where, body, sending.headers(secret, delivery.id, now // SECOND, body))


def _take(connection: Connection[Any], now: int, hook: UUID, number: int, attempts: int) -> Delivery | None:
    """A delivery for one worker alone; None when another has it."""
    pause = PAUSES[min(attempts, len(PAUSES) - 1)] * SECOND
    asked = {"hook": hook, "number": number, "attempts": attempts, "now": now, "next": now + pause}
    with connection.cursor(row_factory=class_row(Delivery)) as cursor:
        return cursor.execute(TAKE, asked).fetchone()


def _note(connection: Connection[Any], now: int, delivery: Delivery, fault: str | None) -> None:
    given_up = delivery.attempts > len(PAUSES)
    if fault is None:
        connection.execute(ARRIVED, (now, delivery.hook))
    else:
        error = f"{delivery.what}, attempt {delivery.attempts}{' and last' if given_up else ''}: {fault}"
        connection.execute(FAILED, (now, error, delivery.hook))
    if fault is None or given_up:
        connection.execute(DONE, (delivery.hook, delivery.number))

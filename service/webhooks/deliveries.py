"""Queues deliveries from the log and sends them in order, with growing pauses while an address fails.

One worker at a time sends to a webhook, and retries only its first delivery: a slow receiver delays no other one.
"""

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog
from psycopg import Connection
from psycopg.rows import class_row
from psycopg_pool import ConnectionPool

from projections.games.seed_vault import SeedVault
from service.core.clock import SECOND
from service.core.clock import iso_time as told_time
from service.core.errors import WebhookRefused
from service.webhooks import send
from service.webhooks.addresses import target

PAUSES: Final = (5, 30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600)  # seconds before each further attempt
BATCH: Final = 500
MOST_AT_ONCE: Final = 200
LONGEST: Final = 30 * SECOND  # the queue takes a job for dead after a minute
QUEUE: Final = """
WITH fresh (id, number, what, stream, seq) AS (
    (
        SELECT h.id, n.number, n.what, n.stream, n.seq FROM webhooks AS h
        JOIN news AS n ON n.player = h.player::text AND n.number > h.told
        WHERE h.tournament IS NULL ORDER BY n.number LIMIT %(batch)s
    ) UNION ALL (
        SELECT h.id, l.seq, e.kind, l.stream, l.seq FROM webhooks AS h
        JOIN log AS l ON l.stream = h.tournament AND l.seq > h.told
        JOIN events AS e ON e.stream = l.stream AND e.seq = l.seq
        ORDER BY l.seq LIMIT %(batch)s
    )
), laid AS (
    INSERT INTO deliveries (hook, number, what, stream, seq, due)
    SELECT id, number, what, stream, seq, greatest(%(now)s, (SELECT min(due) FROM deliveries WHERE hook = id))
    FROM fresh ON CONFLICT DO NOTHING
)
UPDATE webhooks SET told = newest FROM (SELECT id AS hook, max(number) AS newest FROM fresh GROUP BY id) AS seen
WHERE id = hook
"""
DUE: Final = """
SELECT DISTINCT ON (hook) hook, number, attempts FROM deliveries WHERE due <= %s ORDER BY hook, number LIMIT %s
"""
HEAD: Final = """
SELECT d.hook, d.number, d.what, d.stream, d.seq, d.attempts + 1 AS attempts, h.url, h.secret, h.tournament
FROM deliveries AS d JOIN webhooks AS h ON h.id = d.hook
WHERE d.hook = %s AND d.due <= %s ORDER BY d.number LIMIT 1 FOR UPDATE OF h SKIP LOCKED
"""
POSTPONE: Final = "UPDATE deliveries SET due = greatest(due, %s) WHERE hook = %s"
TRIED: Final = "UPDATE deliveries SET attempts = %s WHERE hook = %s AND number = %s"
RESUME: Final = "UPDATE deliveries SET due = least(due, %s) WHERE hook = %s"
ARRIVED: Final = "UPDATE webhooks SET delivered = %s WHERE id = %s"
FAILED: Final = "UPDATE webhooks SET failed = %s, error = %s WHERE id = %s"
DONE: Final = "DELETE FROM deliveries WHERE hook = %s AND number = %s"
log = structlog.get_logger("service.webhooks")


class Delivery(NamedTuple):
    """A delivery that is due, with the number of this attempt."""

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
        """The message id, the same at every attempt, so that a receiver recognises repetitions."""
        return f"{self.hook}.{self.number}"

    def body(self, at: int) -> bytes:
        """Returns the message: kind and stream only; the receiver requests the rest with a token."""
        document: dict[str, Any] = {"type": self.what, "timestamp": told_time(at), "number": self.number}
        if self.stream is not None:
            where = "game" if self.tournament is None else "tournament"
            document |= {where: str(self.stream), "version": self.seq}
        return json.dumps(document, separators=(",", ":")).encode()


def queue_deliveries(connection: Connection, now: int) -> None:
    """Queues deliveries for new events and notifications."""
    connection.execute(QUEUE, {"batch": BATCH, "now": now})


def due_deliveries(connection: Connection, now: int) -> list[tuple[UUID, int, int]]:
    """Returns the webhooks with a due delivery, the number of the first one, and its attempts so far."""
    return connection.execute(DUE, (now, BATCH)).fetchall()


class WebhookSender:
    """Sends due deliveries; idempotent, so that a repeated or late job does nothing."""

    def __init__(self, pool: ConnectionPool[Connection], seed_vault: SeedVault, *, anywhere: bool) -> None:
        self._pool = pool
        self._seed_vault = seed_vault
        self._anywhere = anywhere

    def deliver(self, clock: Callable[[], int], hook: UUID) -> int:
        """Sends due deliveries until one fails or the time of a job is over. Returns the number that arrived."""
        begun = clock()
        for arrived in range(MOST_AT_ONCE):
            now = clock()
            if now > begun + LONGEST or not self._deliver(now, hook):
                return arrived
        return MOST_AT_ONCE

    def _deliver(self, now: int, hook: UUID) -> bool:
        """Sends the first due delivery; a worker that dies here has already scheduled the next attempt."""
        with self._pool.connection() as connection, connection.transaction():
            delivery = _lock_first(connection, now, hook)
        if delivery is None:
            return False
        fault = self._send(delivery, now)
        log.info("delivered" if fault is None else "not delivered", hook=str(hook), number=delivery.number, fault=fault)
        with self._pool.connection() as connection, connection.transaction():
            _record(connection, now, delivery, fault)
        return fault is None

    def _send(self, delivery: Delivery, now: int) -> str | None:
        secret, body = self._seed_vault.open(delivery.hook, bytes(delivery.secret)), delivery.body(now)
        try:
            where = target(delivery.url, anywhere=self._anywhere)
        except WebhookRefused as refused:
            return str(refused)
        return send.post(where, body, send.headers(secret, delivery.id, now // SECOND, body))


def _lock_first(connection: Connection, now: int, hook: UUID) -> Delivery | None:
    """Locks the first due delivery for this worker and postpones the webhook's others until its outcome."""
    with connection.cursor(row_factory=class_row(Delivery)) as cursor:
        delivery = cursor.execute(HEAD, (hook, now)).fetchone()
    if delivery is not None:
        pause = PAUSES[min(delivery.attempts, len(PAUSES)) - 1] * SECOND
        connection.execute(POSTPONE, (now + pause, hook))
        connection.execute(TRIED, (delivery.attempts, hook, delivery.number))
    return delivery


def _record(connection: Connection, now: int, delivery: Delivery, fault: str | None) -> None:
    given_up = delivery.attempts > len(PAUSES)
    if fault is None:
        connection.execute(ARRIVED, (now, delivery.hook))
    else:
        error = f"{delivery.what}, attempt {delivery.attempts}{' and last' if given_up else ''}: {fault}"
        connection.execute(FAILED, (now, error, delivery.hook))
    if fault is None or given_up:
        connection.execute(DONE, (delivery.hook, delivery.number))
        connection.execute(RESUME, (now, delivery.hook))

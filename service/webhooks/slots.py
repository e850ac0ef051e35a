"""Slots of owners and the state of webhooks: who sends for which webhook now, and when it is tried again.

A process claims the slot of an owner before it calls, for a limited time. Messages of an owner never go out twice at
once, a killed process loses nothing, and its slot is free again when the time is over.
"""

from collections.abc import Sequence
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.core.clock import SECOND

LEASE: Final = 40 * SECOND  # longer than a turn of an owner: BATCH_SECONDS, one call, the database
PAUSES: Final = (5, 30, 120, 600, 3_600, 6 * 3_600)  # seconds before the next attempt; the last one repeats
FAILING_FOR: Final = 3 * 86_400 * SECOND  # then a webhook is switched off
LEAST_ATTEMPTS: Final = len(PAUSES) + 2  # before that
FAILING, NO_ACCESS, EXPIRED = "failing", "no_access", "expired"  # why a webhook was switched off

CLAIM: Final[LiteralString] = """
WITH due AS (
    SELECT DISTINCT ON (w.player) w.id, w.player, w.due, coalesce(s.slow, false) AS slow
    FROM webhooks AS w LEFT JOIN webhook_slots AS s ON s.player = w.player
    WHERE w.due <= %(now)s AND (s.until IS NULL OR s.until <= %(now)s)
    ORDER BY w.player, w.due, w.id
), picked AS (
    (SELECT * FROM due WHERE NOT slow ORDER BY due LIMIT %(free)s)
    UNION ALL
    (SELECT * FROM due WHERE slow ORDER BY due LIMIT %(free_for_slow)s)
    LIMIT %(free)s
)
INSERT INTO webhook_slots (player, hook, holder, until, slow)
SELECT player, id, gen_random_uuid(), %(until)s, slow FROM picked ORDER BY player
ON CONFLICT (player) DO UPDATE SET hook = excluded.hook, holder = excluded.holder, until = excluded.until
WHERE webhook_slots.until <= %(now)s
RETURNING player, hook, holder, slow
"""
HAS_WORK: Final = """
SELECT EXISTS (SELECT FROM webhooks WHERE due <= %(now)s) OR EXISTS (SELECT FROM webhook_slots WHERE until > %(now)s)
"""
RELEASE_QUICK: Final = "DELETE FROM webhook_slots WHERE player = %s AND holder = %s"
RELEASE_SLOW: Final = "UPDATE webhook_slots SET until = 0, slow = true WHERE player = %s AND holder = %s"
HOLDS: Final = "SELECT FROM webhook_slots WHERE player = %s AND holder = %s AND until > %s FOR UPDATE"
CALLED: Final = "SELECT id, url, secret, tournament, game, attempts, expires FROM webhooks WHERE id = %s"
NEXT: Final = "SELECT number, what, stream, seq FROM deliveries WHERE hook = %s ORDER BY number LIMIT %s"
STANDING: Final = "SELECT attempts, failing, waiting, off FROM webhooks WHERE id = %s FOR UPDATE"
DONE: Final = "DELETE FROM deliveries WHERE hook = %s AND number = ANY(%s)"
CLEAR: Final = "DELETE FROM deliveries WHERE hook = %s"
ARRIVED: Final = (
    "UPDATE webhooks SET attempts = 0, failing = NULL, waiting = %s, due = %s, delivered = %s WHERE id = %s"
)
LEFT: Final = "SELECT count(*) FROM deliveries WHERE hook = %s"
EMPTIED: Final = "UPDATE webhooks SET waiting = 0, due = NULL WHERE id = %s"
FAILED: Final = """
UPDATE webhooks SET attempts = %s, failing = coalesce(failing, %s), failed = %s, error = %s, due = %s WHERE id = %s
"""
SWITCH_OFF: Final = """
UPDATE webhooks SET off = %s, off_because = %s, due = NULL, waiting = 0, dropped = dropped + waiting
WHERE id = %s AND off IS NULL
"""


class Followed(NamedTuple):
    """What a webhook follows: a tournament, a game, or neither, which is the player's own news."""

    tournament: UUID | None = None
    game: UUID | None = None

    @property
    def stream(self) -> UUID | None:
        """The followed stream; None for the player's own news."""
        return self.tournament or self.game


class OwnerSlot(NamedTuple):
    """The slot of an owner, held for one of the owner's webhooks."""

    player: UUID
    hook: UUID
    holder: UUID
    slow: bool


class CalledHook(NamedTuple):
    """A webhook as its sender needs it."""

    id: UUID
    url: str
    secret: bytes  # sealed
    tournament: UUID | None
    game: UUID | None
    attempts: int
    expires: int | None  # of the token that created it

    @property
    def followed(self) -> Followed:
        """What the webhook follows."""
        return Followed(self.tournament, self.game)


class WaitingMessage(NamedTuple):
    """A message that waits; a test is of no stream."""

    number: int
    what: str
    stream: UUID | None
    seq: int | None


class DeliveryFailure(NamedTuple):
    """A failed attempt to deliver a message."""

    what: str
    fault: str


class HookStanding(NamedTuple):
    """How a webhook stands, locked."""

    attempts: int
    failing: int | None
    waiting: int
    off: int | None


class Recorded(NamedTuple):
    """How a webhook stands after some messages."""

    left: int = 0  # messages that wait
    held: bool = False  # whether the slot is still held
    switched_off: bool = False  # by this failure


def claim(connection: Connection, now: int, free: int, free_for_slow: int) -> Sequence[OwnerSlot]:
    """Claims slots of owners with a due webhook, one each; slow ones get at most their share."""
    asked = {"now": now, "until": now + LEASE, "free": free, "free_for_slow": free_for_slow}
    with connection.cursor(row_factory=class_row(OwnerSlot)) as cursor:
        return cursor.execute(CLAIM, asked).fetchall()


def has_work(connection: Connection, now: int) -> bool:
    """Returns whether a webhook is due, or an owner's slot is held."""
    row = connection.execute(HAS_WORK, {"now": now}).fetchone()
    return row is not None and bool(row[0])


def release(connection: Connection, slot: OwnerSlot, *, slow: bool) -> None:
    """Gives a slot back; remembers a slow receiver."""
    connection.execute(RELEASE_SLOW if slow else RELEASE_QUICK, (slot.player, slot.holder))


def called_hook(connection: Connection, slot: OwnerSlot) -> CalledHook | None:
    """Returns the webhook of a slot; None when it was removed."""
    with connection.cursor(row_factory=class_row(CalledHook)) as cursor:
        return cursor.execute(CALLED, (slot.hook,)).fetchone()


def next_messages(connection: Connection, hook: UUID, most: int) -> Sequence[WaitingMessage]:
    """Returns the first waiting messages of a webhook, in order."""
    with connection.cursor(row_factory=class_row(WaitingMessage)) as cursor:
        return cursor.execute(NEXT, (hook, most)).fetchall()


def record(
    connection: Connection, now: int, slot: OwnerSlot, arrived: Sequence[int], failure: DeliveryFailure | None = None
) -> Recorded:
    """Records what arrived, and a failure after it, unless another process has claimed the slot meanwhile."""
    with connection.transaction():
        with connection.cursor(row_factory=class_row(HookStanding)) as cursor:
            stood = cursor.execute(STANDING, (slot.hook,)).fetchone()
        if stood is None or stood.off is not None:
            return Recorded()
        if arrived:
            left = stood.waiting - connection.execute(DONE, (slot.hook, list(arrived))).rowcount
            connection.execute(ARRIVED, (left, now if left else None, now, slot.hook))
            stood = stood._replace(attempts=0, failing=None, waiting=left)
        is_held = connection.execute(HOLDS, (slot.player, slot.holder, now)).fetchone() is not None
        off = is_held and failure is not None and _record_failure(connection, now, slot.hook, stood, failure)
        return Recorded(stood.waiting, is_held, off)


def nothing_left(connection: Connection, slot: OwnerSlot) -> None:
    """Records that no message waits, unless one was queued meanwhile."""
    with connection.transaction():
        connection.execute(STANDING, (slot.hook,))
        row = connection.execute(LEFT, (slot.hook,)).fetchone()
        if row is not None and not row[0]:
            connection.execute(EMPTIED, (slot.hook,))


def switch_off(connection: Connection, now: int, hook: UUID, because: str) -> None:
    """Switches a webhook off and drops what waits; its owner may switch it on again."""
    with connection.transaction():
        connection.execute(SWITCH_OFF, (now, because, hook))
        connection.execute(CLEAR, (hook,))


def _record_failure(
    connection: Connection, now: int, hook: UUID, stood: HookStanding, failure: DeliveryFailure
) -> bool:
    """Schedules the next attempt, or switches the webhook off. Returns whether it did."""
    attempts, since = stood.attempts + 1, stood.failing or now
    due = now + PAUSES[min(attempts, len(PAUSES)) - 1] * SECOND
    error = f"{failure.what}, attempt {attempts}: {failure.fault}"
    connection.execute(FAILED, (attempts, now, now, error, due, hook))
    if now - since < FAILING_FOR or attempts < LEAST_ATTEMPTS:
        return False
    switch_off(connection, now, hook, FAILING)
    return True

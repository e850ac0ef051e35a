"""Browsers that take notices, at most so many of a player, and the queue of messages to them."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Jsonb

from events.event import new_stream
from events.sealing.vault import SealedSecretLost, Vault
from service.core.clock import SECOND
from service.core.sealing.sealed_columns import PUSH_SUBSCRIPTIONS
from service.players.commands.confirmation import session_of
from service.players.identity import Identity, lock_account

MOST_OF_PLAYER: Final = 8  # browsers; the oldest gives way
MOST_WAITING: Final = 10_000  # messages; more are left out
MOST_OF_BROWSER: Final = 20  # messages that wait for a browser; the oldest gives way
FAILURES: Final = 20  # in a row that end a browser, over at least
PATIENCE: Final = 86_400 * SECOND
AT_ONCE: Final = 32  # messages; one of each player, so that a slow address delays few others
PAUSES: Final = (30, 120, 600, 1_800)  # seconds after each attempt; then the last one
PUT: Final = """
INSERT INTO push_subscriptions (id, player, session, sealed, hash, language, created)
SELECT %s, p.id, s.id, %s, %s, %s, %s FROM sessions AS s JOIN players AS p ON p.id = s.player
WHERE s.id = %s AND p.id = %s AND forgotten IS NULL FOR KEY SHARE OF s
ON CONFLICT (player, hash) DO NOTHING
"""
DROP_SAME: Final = "DELETE FROM push_subscriptions WHERE hash = %s"
DROP_OLDEST: Final = """
DELETE FROM push_subscriptions WHERE id IN (
    SELECT id FROM push_subscriptions WHERE player = %s ORDER BY created DESC, id DESC OFFSET %s
)
"""
DROP_ALL: Final = "DELETE FROM push_subscriptions WHERE player = %s"
DROP: Final = "DELETE FROM push_subscriptions WHERE id = %s"
SESSIONS: Final = "SELECT session FROM push_subscriptions WHERE player = %s"
OF_PLAYER: Final = "SELECT id, language FROM push_subscriptions WHERE player = %s ORDER BY created"
QUEUE: Final = """
INSERT INTO push_messages (id, subscription, body, due, expires)
SELECT %s, %s, %s, %s, %s WHERE (SELECT count(*) FROM push_messages) < %s
"""
DROP_OLD_MESSAGES: Final = """
DELETE FROM push_messages WHERE id IN (
    SELECT id FROM push_messages WHERE subscription = %s ORDER BY id DESC OFFSET %s
)
"""
WORKED: Final = "UPDATE push_subscriptions SET failures = 0, failing_since = NULL WHERE id = %s AND failures > 0"
FAILED: Final = """
UPDATE push_subscriptions SET failures = failures + 1, failing_since = coalesce(failing_since, %s) WHERE id = %s
RETURNING failures >= %s AND failing_since <= %s
"""
CLAIM: Final = """
UPDATE push_messages SET attempts = attempts + 1, due = %(at)s + (%(pauses)s::bigint[])[least(attempts + 1, %(last)s)]
WHERE id IN (
    SELECT id FROM push_messages WHERE due <= %(at)s AND id IN (
        SELECT DISTINCT ON (player) m.id FROM push_messages AS m JOIN push_subscriptions AS s ON s.id = m.subscription
        WHERE m.due <= %(at)s ORDER BY player, attempts, m.due, m.id
    ) ORDER BY attempts, due, id LIMIT %(most)s FOR UPDATE SKIP LOCKED
) RETURNING id, subscription, body
"""
SEALED: Final = "SELECT sealed FROM push_subscriptions WHERE id = %s"
DONE: Final = "DELETE FROM push_messages WHERE id = %s"
DROP_LATE: Final = "DELETE FROM push_messages WHERE expires <= %s"


class Subscription(NamedTuple):
    """Where a browser takes messages, and the keys that they are encrypted for."""

    endpoint: str
    p256dh: str
    auth: str


class ClaimedMessage(NamedTuple):
    """A message that is to be sent now."""

    id: UUID
    subscription: UUID
    body: Mapping[str, str]


def put_subscription(
    connection: Connection, vault: Vault, at: int, client: Identity, language: str, new: Subscription
) -> None:
    """Stores a browser for as long as its session stands; it belongs to the player who stored it last.

    Raises NotAllowed for a token.
    """
    session, player = session_of(client), client.player
    id, hashed = new_stream(at), hashlib.sha256(new.endpoint.encode()).digest()
    sealed = vault.seal(PUSH_SUBSCRIPTIONS, id, json.dumps(new).encode())
    with connection.transaction():
        lock_account(connection, player)  # else requests at once store more together
        connection.execute(DROP_SAME, (hashed,))
        connection.execute(PUT, (id, sealed, hashed, language, at, session, player))
        connection.execute(DROP_OLDEST, (player, MOST_OF_PLAYER))


def drop_subscriptions(connection: Connection, player: UUID) -> None:
    """Removes all browsers of a player, with what waits for them."""
    connection.execute(DROP_ALL, (player,))


def drop_subscription(connection: Connection, id: UUID) -> None:
    """Removes a browser, with what waits for it."""
    connection.execute(DROP, (id,))


def subscribed_sessions(connection: Connection, player: UUID) -> list[UUID | None]:
    """Returns the session of each browser of a player; None for one from before sessions were noted."""
    return [session for (session,) in connection.execute(SESSIONS, (player,)).fetchall()]


def queue_push(
    connection: Connection, now: int, expires: int, player: UUID, body: Callable[[str], Mapping[str, str]]
) -> None:
    """Queues a message for each browser of a player, in its language; of too many for one, the oldest gives way."""
    for subscription, language in connection.execute(OF_PLAYER, (player,)).fetchall():
        row = (new_stream(now), subscription, Jsonb(body(language)), now, expires, MOST_WAITING)
        connection.execute(QUEUE, row)
        connection.execute(DROP_OLD_MESSAGES, (subscription, MOST_OF_BROWSER))


def claim_pushes(connection: Connection, at: int) -> list[ClaimedMessage]:
    """Returns due messages, one of each player, first attempts first; their next attempts are put off.

    Drops those that are too old.
    """
    connection.execute(DROP_LATE, (at,))
    pauses = [pause * SECOND for pause in PAUSES]
    values = {"at": at, "pauses": pauses, "last": len(pauses), "most": AT_ONCE}
    return [ClaimedMessage(*row) for row in connection.execute(CLAIM, values).fetchall()]


def subscription_of(connection: Connection, vault: Vault, id: UUID) -> Subscription | None:
    """Returns where a browser takes messages; None for one that is gone or does not open."""
    row = connection.execute(SEALED, (id,)).fetchone()
    if row is None:
        return None
    try:
        return Subscription(*json.loads(vault.open(PUSH_SUBSCRIPTIONS, id, bytes(row[0]))))
    except SealedSecretLost:
        return None


def finish_push(connection: Connection, id: UUID) -> None:
    """Removes a message that was sent or refused for good."""
    connection.execute(DONE, (id,))


def note_sent(connection: Connection, id: UUID) -> None:
    """Notes that a browser took a message: its earlier failures count no more."""
    connection.execute(WORKED, (id,))


def note_failed(connection: Connection, at: int, id: UUID) -> bool:
    """Notes that a browser took no message. Returns whether it was dropped: it failed too often, for too long."""
    row = connection.execute(FAILED, (at, id, FAILURES, at - PATIENCE)).fetchone()
    if row is None or not row[0]:
        return False
    drop_subscription(connection, id)
    return True

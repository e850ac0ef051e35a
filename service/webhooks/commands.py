"""Creates, tests and removes webhooks of a player."""

from typing import Final, LiteralString
from uuid import UUID

from psycopg import Connection

from events.event import new_stream
from projections.games.seed_vault import SeedVault
from service.core.errors import NotThere, WebhookRefused
from service.webhooks import send
from service.webhooks.queries import Hook, hook_of

MOST: Final = 20  # webhooks of a player
MOST_TESTS: Final = 5  # pending tests of a webhook
TEST: Final = "test"
COUNT: Final[LiteralString] = "SELECT count(*) FROM webhooks WHERE player = %s"
NEWEST_NEWS: Final[LiteralString] = "SELECT coalesce(max(number), 0) FROM news WHERE player = %s::text"
NEWEST_EVENT: Final[LiteralString] = "SELECT coalesce(max(seq), 0) FROM log WHERE stream = %s"
INSERT: Final = """
INSERT INTO webhooks (id, player, tournament, url, secret, told, created) VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
WAITING_TESTS: Final[LiteralString] = "SELECT count(*) FROM deliveries WHERE hook = %s AND number < 0"
REMOVE: Final = "DELETE FROM webhooks WHERE player = %s AND id = %s RETURNING id"
QUEUE_TEST: Final = """
INSERT INTO deliveries (hook, number, what, due)
SELECT id, least((SELECT min(number) FROM deliveries WHERE hook = id), 0) - 1, %s, %s FROM webhooks
WHERE player = %s AND id = %s RETURNING number
"""


def create(
    connection: Connection, at: int, player: UUID, url: str, tournament: UUID | None, seed_vault: SeedVault
) -> tuple[Hook, str]:
    """Creates a webhook. Returns it and its secret, shown this once; raises WebhookRefused at the limit."""
    with connection.transaction():
        if _number(connection, COUNT, player) >= MOST:
            raise WebhookRefused("too_many", "nobody has more than {most} webhooks", most=MOST)
        newest = (
            _number(connection, NEWEST_NEWS, player)
            if tournament is None
            else _number(connection, NEWEST_EVENT, tournament)
        )
        hook, secret = Hook(new_stream(at), url, tournament, at), send.new_secret()
        sealed = seed_vault.seal(hook.id, secret)
        connection.execute(INSERT, (hook.id, player, tournament, url, sealed, newest, at))
    return hook, send.secret_text(secret)


def remove(connection: Connection, player: UUID, id: UUID) -> None:
    """Removes a webhook and its pending deliveries; raises NotThere."""
    if connection.execute(REMOVE, (player, id)).fetchone() is None:
        raise NotThere("webhook", id)


def send_test(connection: Connection, at: int, player: UUID, id: UUID) -> int:
    """Queues an empty delivery and returns its number; raises NotThere, or WebhookRefused at the limit."""
    hook_of(connection, player, id)
    if _number(connection, WAITING_TESTS, id) >= MOST_TESTS:
        raise WebhookRefused("too_many", "{most} tests wait to be delivered already", most=MOST_TESTS)
    row = connection.execute(QUEUE_TEST, (TEST, at, player, id)).fetchone()
    if row is None:
        raise NotThere("webhook", id)
    return int(row[0])


def _number(connection: Connection, query: LiteralString, of: UUID) -> int:
    row = connection.execute(query, (of,)).fetchone()
    return int(row[0]) if row else 0

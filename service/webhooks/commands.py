"""The webhooks of a player: made, listed, tried out, taken away."""

from typing import Any, Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from events.event import new_stream
from projections.games.seed_vault import SeedVault
from service.core.errors import NotThere, WebhookRefused
from service.webhooks import send

MOST: Final = 20  # of a player
MOST_TESTS: Final = 5  # that wait at a time
TEST: Final = "test"
COUNT: Final[LiteralString] = "SELECT count(*) FROM webhooks WHERE player = %s"
NEWEST_NEWS: Final[LiteralString] = "SELECT coalesce(max(number), 0) FROM news WHERE player = %s::text"
NEWEST_EVENT: Final[LiteralString] = "SELECT coalesce(max(seq), 0) FROM log WHERE stream = %s"
PUT: Final = """
INSERT INTO webhooks (id, player, tournament, url, secret, told, created) VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
SELECT: Final = """
SELECT id, url, tournament, created, delivered, failed, error,
    (SELECT count(*) FROM deliveries WHERE hook = id) AS waiting
FROM webhooks WHERE player = %s AND (%s::uuid IS NULL OR id = %s) ORDER BY created, id
"""
WAITING_TESTS: Final[LiteralString] = "SELECT count(*) FROM deliveries WHERE hook = %s AND number < 0"
REMOVE: Final = "DELETE FROM webhooks WHERE player = %s AND id = %s RETURNING id"
TRY: Final = """
INSERT INTO deliveries (hook, number, what, due)
SELECT id, least((SELECT min(number) FROM deliveries WHERE hook = id), 0) - 1, %s, %s FROM webhooks
WHERE player = %s AND id = %s RETURNING number
"""


class Hook(NamedTuple):
    """A webhook as its owner sees it: without its secret, with what became of the newest deliveries."""

    id: UUID
    url: str
    tournament: UUID | None
    created: int
    delivered: int | None = None
    failed: int | None = None
    error: str | None = None
    waiting: int = 0


def create(
    connection: Connection[Any], at: int, player: UUID, url: str, tournament: UUID | None, box: SeedVault
) -> tuple[Hook, str]:
    """A new webhook and its secret, which is never shown again; refuses with WebhookRefused one too many."""
    with connection.transaction():
        if _number(connection, COUNT, player) >= MOST:
            raise WebhookRefused("too_many", "nobody has more than {most} webhooks", most=MOST)
        told = (
            _number(connection, NEWEST_NEWS, player)
            if tournament is None
            else _number(connection, NEWEST_EVENT, tournament)
        )
        hook, secret = Hook(new_stream(at), url, tournament, at), send.new_secret()
        connection.execute(PUT, (hook.id, player, tournament, url, box.seal(hook.id, secret), told, at))
    return hook, send.secret_text(secret)


def hooks_of(connection: Connection[Any], player: UUID, id: UUID | None = None) -> list[Hook]:
    """The webhooks of a player, oldest first; of these, if asked for, one."""
    with connection.cursor(row_factory=class_row(Hook)) as cursor:
        return cursor.execute(SELECT, (player, id, id)).fetchall()


def hook_of(connection: Connection[Any], player: UUID, id: UUID) -> Hook:
    """One webhook of a player; refuses with NotThere."""
    found = hooks_of(connection, player, id)
    if not found:
        raise NotThere("webhook", id)
    return found[0]


def remove(connection: Connection[Any], player: UUID, id: UUID) -> None:
    """Take a webhook away with all that waits for it; refuses with NotThere."""
    if connection.execute(REMOVE, (player, id)).fetchone() is None:
        raise NotThere("webhook", id)


def send_test(connection: Connection[Any], at: int, player: UUID, id: UUID) -> int:
    """Lay out a delivery that tells nothing; its number. Refuses with NotThere, or WebhookRefused one too many."""
    hook_of(connection, player, id)
    if _number(connection, WAITING_TESTS, id) >= MOST_TESTS:
        raise WebhookRefused("too_many", "{most} tests wait to be delivered already", most=MOST_TESTS)
    row = connection.execute(TRY, (TEST, at, player, id)).fetchone()
    if row is None:
        raise NotThere("webhook", id)
    return int(row[0])


def _number(connection: Connection[Any], query: LiteralString, of: UUID) -> int:
    row = connection.execute(query, (of,)).fetchone()
    return int(row[0]) if row else 0

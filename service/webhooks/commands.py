"""Commands of webhooks: create, remove and test one; `COMMANDS` lists them."""

from collections.abc import Callable, Mapping
from typing import Any, Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.event import new_stream
from service.container import Container
from service.core.errors import NotThere, WebhookRefused
from service.core.quotas import WEBHOOKS
from service.tournaments.queries import visible_tournament
from service.webhooks import send
from service.webhooks.addresses import target
from service.webhooks.queries import Hook, hook_of

MOST_TESTS: Final = 5  # pending tests of a webhook
TEST: Final = "test"
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


class CreateWebhook(NamedTuple):
    """Send a player's turns, or the events of a tournament, to an address."""

    url: str
    tournament: UUID | None


class RemoveWebhook(NamedTuple):
    """Remove a webhook with its pending deliveries."""

    hook: UUID


class SendTest(NamedTuple):
    """Send an empty message to the address of a webhook."""

    hook: UUID


def create_webhook(here: Container, command: CreateWebhook, player: UUID) -> tuple[Hook, str]:
    """Creates a webhook. Returns it and its secret, shown this once.

    Raises NotThere for a hidden tournament, WebhookRefused for an address, QuotaReached.
    """
    if command.tournament is not None:
        visible_tournament(here, command.tournament, str(player))
    target(command.url, anywhere=here.settings.calls_anywhere)
    at = here.now()
    hook, secret = Hook(new_stream(at), command.url, command.tournament, at), send.new_secret()
    sealed = here.seed_vault.seal(hook.id, secret)
    with here.stores.pool.connection() as connection, here.quotas.refusals(), connection.transaction():
        newest = _newest(connection, command.tournament, player)
        connection.execute(INSERT, (hook.id, player, hook.tournament, hook.url, sealed, newest, at))
        connection.execute(*here.quotas.check(player, WEBHOOKS))
    return hook, send.secret_text(secret)


def remove_webhook(here: Container, command: RemoveWebhook, player: UUID) -> None:
    """Removes a webhook of the player. Raises NotThere."""
    with here.stores.pool.connection() as connection:
        if connection.execute(REMOVE, (player, command.hook)).fetchone() is None:
            raise NotThere("webhook", command.hook)


def send_test(here: Container, command: SendTest, player: UUID) -> int:
    """Queues an empty delivery and returns its number. Raises NotThere, or WebhookRefused at the limit."""
    with here.stores.pool.connection() as connection:
        hook_of(connection, player, command.hook)
        if _number(connection, WAITING_TESTS, command.hook) >= MOST_TESTS:
            raise WebhookRefused("too_many", "{most} tests wait to be delivered already", most=MOST_TESTS)
        row = connection.execute(QUEUE_TEST, (TEST, here.now(), player, command.hook)).fetchone()
    if row is None:
        raise NotThere("webhook", command.hook)
    number = int(row[0])
    here.announcer.call_courier(command.hook, number, 0)
    return number


def _newest(connection: Connection, tournament: UUID | None, player: UUID) -> int:
    """Returns the number of the newest item, which the webhook does not send any more."""
    if tournament is None:
        return _number(connection, NEWEST_NEWS, player)
    return _number(connection, NEWEST_EVENT, tournament)


def _number(connection: Connection, query: LiteralString, of: UUID) -> int:
    row = connection.execute(query, (of,)).fetchone()
    return int(row[0]) if row else 0


COMMANDS: Final[Mapping[type, Callable[[Container, Any, UUID], object]]] = {
    CreateWebhook: create_webhook,
    RemoveWebhook: remove_webhook,
    SendTest: send_test,
}

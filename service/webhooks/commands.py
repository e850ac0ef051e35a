"""Commands of webhooks: create, test, switch on and remove one; `COMMANDS` lists them."""

from collections.abc import Callable, Mapping
from typing import Any, Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.event import new_stream
from service.container import Container
from service.core.errors import NotThere, WebhookRefused
from service.core.quotas import WEBHOOKS
from service.core.sealing.sealed_columns import WEBHOOK_SECRETS
from service.webhooks.addresses import target
from service.webhooks.messages import new_secret, secret_text
from service.webhooks.queries import Hook, check_access, get_hook
from service.webhooks.slots import Followed

MOST_TESTS: Final = 5  # pending tests of a webhook
TEST: Final = "test"
NEWEST_NEWS: Final[LiteralString] = "SELECT coalesce(max(number), -1) FROM news WHERE player = %s::text"
NEWEST_EVENT: Final[LiteralString] = "SELECT coalesce(max(seq), 0) FROM log WHERE stream = %s"
INSERT: Final = """
INSERT INTO webhooks (id, player, tournament, game, url, secret, told, created, expires, token)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
WAITING_TESTS: Final[LiteralString] = "SELECT count(*) FROM deliveries WHERE hook = %s AND number < 0"
REMOVE: Final = "DELETE FROM webhooks WHERE player = %s AND id = %s RETURNING id"
LOCK: Final = "SELECT FROM webhooks WHERE id = %s FOR UPDATE"
QUEUE_TEST: Final = """
INSERT INTO deliveries (hook, number, what)
SELECT id, least((SELECT min(number) FROM deliveries WHERE hook = id), 0) - 1, %s FROM webhooks WHERE id = %s
RETURNING number
"""
CALL_NOW: Final = "UPDATE webhooks SET waiting = waiting + 1, due = %s WHERE id = %s"
SWITCH_ON: Final = """
UPDATE webhooks SET off = NULL, off_because = NULL, attempts = 0, failing = NULL, told = %s, expires = %s
WHERE id = %s
"""


class CreateWebhook(NamedTuple):
    """Creates a webhook for the player's notifications, or for the events of a tournament or a game."""

    url: str
    followed: Followed
    expires: int | None = None  # of the client's token: the webhook ends with it
    token: UUID | None = None  # of a program: the webhook is deleted with it


class SendTest(NamedTuple):
    """Queues a message without content, which is sent at once."""

    hook: UUID


class SwitchWebhookOn(NamedTuple):
    """Switches a webhook on that the service switched off; what happened meanwhile is not sent."""

    hook: UUID
    expires: int | None = None  # of the client's token


class RemoveWebhook(NamedTuple):
    """Removes a webhook and its waiting messages."""

    hook: UUID


def create_webhook(here: Container, command: CreateWebhook, player: UUID) -> tuple[Hook, str]:
    """Creates a webhook; returns it and its secret, shown once. Raises NotThere, WebhookRefused or QuotaReached."""
    url, followed, expires, token, at = *command, here.now()
    check_access(here, player, followed)
    target(url, anywhere=here.settings.calls_anywhere)
    hook, secret = Hook(new_stream(at), url, *followed, at, expires=expires), new_secret()
    sealed = here.vault.seal(WEBHOOK_SECRETS, hook.id, secret)
    with here.stores.pool.connection() as connection, here.quotas.refusals(), connection.transaction():
        newest = _newest(connection, player, followed)
        connection.execute(INSERT, (hook.id, player, *followed, url, sealed, newest, at, expires, token))
        connection.execute(*here.quotas.check(player, WEBHOOKS))
    return hook, secret_text(secret)


def send_test(here: Container, command: SendTest, player: UUID) -> int:
    """Queues a test and returns its number. Raises NotThere, or WebhookRefused at the limit or while it is off."""
    hook = command.hook
    with here.stores.pool.connection() as connection, connection.transaction():
        connection.execute(LOCK, (hook,))
        if get_hook(connection, player, hook).off is not None:
            raise WebhookRefused("switched_off", "the webhook is switched off; switch it on first")
        if _number(connection, WAITING_TESTS, hook) >= MOST_TESTS:
            raise WebhookRefused("too_many", "{most} tests wait to be delivered already", most=MOST_TESTS)
        row = connection.execute(QUEUE_TEST, (TEST, hook)).fetchone()
        connection.execute(CALL_NOW, (here.now(), hook))
        return int(row[0]) if row else 0


def switch_webhook_on(here: Container, command: SwitchWebhookOn, player: UUID) -> Hook:
    """Switches a webhook on and returns it. Raises NotThere, also for what the player may not follow."""
    hook = command.hook
    with here.stores.pool.connection() as connection:
        stood = get_hook(connection, player, hook)
    check_access(here, player, stood.followed)
    with here.stores.pool.connection() as connection, connection.transaction():
        connection.execute(LOCK, (hook,))
        if get_hook(connection, player, hook).off is not None:
            connection.execute(SWITCH_ON, (_newest(connection, player, stood.followed), command.expires, hook))
        return get_hook(connection, player, hook)


def remove_webhook(here: Container, command: RemoveWebhook, player: UUID) -> None:
    """Removes a webhook and its waiting messages. Raises NotThere."""
    with here.stores.pool.connection() as connection:
        if connection.execute(REMOVE, (player, command.hook)).fetchone() is None:
            raise NotThere("webhook", command.hook)


def _newest(connection: Connection, player: UUID, followed: Followed) -> int:
    """Returns the number of the newest notification or event; messages begin after it."""
    stream = followed.stream
    return _number(connection, NEWEST_NEWS, player) if stream is None else _number(connection, NEWEST_EVENT, stream)


def _number(connection: Connection, query: LiteralString, of: UUID) -> int:
    row = connection.execute(query, (of,)).fetchone()
    return int(row[0]) if row else 0


COMMANDS: Final[Mapping[type, Callable[[Container, Any, UUID], object]]] = {
    CreateWebhook: create_webhook,
    SendTest: send_test,
    SwitchWebhookOn: switch_webhook_on,
    RemoveWebhook: remove_webhook,
}

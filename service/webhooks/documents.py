"""Webhooks as clients read them."""

from typing import TypedDict
from uuid import UUID

from service.core.clock import iso_time
from service.webhooks.queries import Hook


class HookDocument(TypedDict):
    """A webhook with its times in ISO 8601."""

    id: UUID
    url: str
    tournament: UUID | None
    game: UUID | None
    created: str | None
    delivered: str | None
    failed: str | None
    failing_since: str | None
    error: str | None
    waiting: int
    dropped: int
    off: str | None
    off_because: str | None
    expires: str | None


class CreatedHook(HookDocument):
    """A new webhook with its secret."""

    secret: str


def hook_document(hook: Hook) -> HookDocument:
    """Returns the document of a webhook."""
    return {
        "id": hook.id,
        "url": hook.url,
        "tournament": hook.tournament,
        "game": hook.game,
        "created": iso_time(hook.created),
        "delivered": iso_time(hook.delivered),
        "failed": iso_time(hook.failed),
        "failing_since": iso_time(hook.failing),
        "error": hook.error,
        "waiting": hook.waiting,
        "dropped": hook.dropped,
        "off": iso_time(hook.off),
        "off_because": hook.off_because,
        "expires": iso_time(hook.expires),
    }

"""Schemas of webhooks."""

from typing import Any, TypedDict
from uuid import UUID

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.web.schema_fields import description, moment, text
from service.webhooks.slots import EXPIRED, FAILING, NO_ACCESS


class HookRequest(TypedDict):
    """A loaded `NewWebhook`."""

    url: str
    tournament: UUID | None
    game: UUID | None


class NewWebhook(Schema):
    """Where somebody wants to be told, and of what."""

    url = text(2_000, required=True, metadata=description("Public address https://HOST/PATH."))
    tournament = fields.UUID(
        load_default=None,
        allow_none=True,
        metadata=description("Tournament whose events are sent; left out: turns, starts and ends of all your games."),
    )
    game = fields.UUID(
        load_default=None,
        allow_none=True,
        metadata=description("Game whose events are sent, each with its kind and version; not with `tournament`."),
    )

    @validates_schema
    def one_thing(self, data: HookRequest, **_more: Any) -> None:
        """Raises ValidationError for a tournament and a game."""
        if data["tournament"] is not None and data["game"] is not None:
            raise ValidationError("follow a tournament or a game, with a webhook each", "game")


class WebhookDocument(Schema):
    """A webhook, and what became of its deliveries."""

    id = fields.UUID(required=True)
    url = fields.String(required=True)
    tournament = fields.UUID(required=True, allow_none=True)
    game = fields.UUID(required=True, allow_none=True)
    created = moment(required=True)
    delivered = moment(required=True, allow_none=True, metadata=description("Time of the last successful delivery."))
    failed = moment(required=True, allow_none=True, metadata=description("Time of the last failed delivery."))
    failing_since = moment(
        required=True, allow_none=True, metadata=description("Time since which every delivery failed.")
    )
    error = fields.String(required=True, allow_none=True, metadata=description("The last error."))
    waiting = fields.Integer(
        required=True, metadata=description("Number of deliveries that are due or will be retried.")
    )
    dropped = fields.Integer(
        required=True,
        metadata=description("Number of messages dropped: beyond 10000 waiting ones, or when switched off."),
    )
    off = moment(
        required=True,
        allow_none=True,
        metadata=description("Time at which the service switched it off; null: it is on."),
    )
    off_because = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf((FAILING, NO_ACCESS, EXPIRED)),
        metadata=description("`failing` for three days, `no_access` to the tournament or game any more, or `expired`."),
    )
    expires = moment(
        required=True, allow_none=True, metadata=description("When the token that created it expires, and it with it.")
    )


class MadeWebhook(WebhookDocument):
    """The new webhook and its secret, which is not shown again."""

    secret = fields.String(
        required=True, metadata=description("Key that signs every message: Standard Webhooks, whsec_ and base64.")
    )


class Webhooks(Schema):
    """All webhooks of a player."""

    webhooks = fields.List(fields.Nested(WebhookDocument), required=True)


class TestOnItsWay(Schema):
    """A test that is on its way."""

    number = fields.Integer(required=True, metadata=description("Number of the delivery."))

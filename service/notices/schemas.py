"""Schemas of browsers that take notices, and the types of their loaded bodies and documents."""

from typing import Final, TypedDict

from marshmallow import Schema, fields, validate

from service.web.schema_fields import description, text

LONGEST_ENDPOINT: Final = 1_000
BASE64URL: Final = r"^[A-Za-z0-9_-]{%d}={0,2}\Z"


class NewBrowserBody(TypedDict):
    """A loaded `NewBrowser`."""

    endpoint: str
    p256dh: str
    auth: str


class NewBrowser(Schema):
    """A browser that is to take notices, as its `PushSubscription` tells it."""

    endpoint = text(LONGEST_ENDPOINT, 10, required=True, load_only=True, metadata=description("Begins with https://."))
    p256dh = fields.String(required=True, load_only=True, validate=validate.Regexp(BASE64URL % 87))
    auth = fields.String(required=True, load_only=True, validate=validate.Regexp(BASE64URL % 22))


class PushSummary(TypedDict):
    """What a browser needs to take notices."""

    key: str | None
    browsers: int
    here: bool


class PushDocument(Schema):
    """What a browser needs to take notices."""

    key = fields.String(
        required=True,
        allow_none=True,
        metadata=description("The `applicationServerKey`, in base64url; null until the keeper has made it."),
    )
    browsers = fields.Integer(required=True, metadata=description("How many browsers of yours take notices."))
    here = fields.Boolean(required=True, metadata=description("Whether the browser that asks is one of them."))

"""Schemas of hidden texts."""

from typing import TypedDict
from uuid import UUID

from marshmallow import Schema, fields, validate

from service.moderation.schemas import LONGEST_REASON, ThingFields
from service.moderation.things import TEXTS
from service.web.schema_fields import description, moment, prose


class HideBody(TypedDict):
    """A loaded `TextToHide` or `TextToShow`."""

    about: str
    id: UUID
    number: int
    reason: str


class TextFields(ThingFields):
    """Names a text."""

    about = fields.String(required=True, validate=validate.OneOf(TEXTS), metadata=description("Kind of text."))


class TextToHide(TextFields):
    """A text that readers shall not see, and why."""

    reason = prose(LONGEST_REASON, required=True, metadata=description("For the record of administrative acts."))


class HiddenTextDocument(TextFields):
    """A hidden text, as administrators read it."""

    number = fields.Integer(required=True)
    since = moment(required=True)
    texts = fields.List(fields.String(), required=True, metadata=description("Without erased ones."))


class HiddenTexts(Schema):
    """The hidden texts, the newest first."""

    texts = fields.List(fields.Nested(HiddenTextDocument), required=True)
    next = fields.String(required=True, allow_none=True, metadata=description("Cursor of the next page."))


class TextState(TextFields):
    """A text, and whether it is hidden."""

    number = fields.Integer(required=True)
    hidden = fields.Boolean(required=True)

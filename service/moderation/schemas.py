"""Schemas of moderation."""

from typing import TypedDict

from marshmallow import Schema, fields, validate

from service.games.schemas.queries import number
from service.moderation.queries import NEWEST
from service.moderation.record import ACTS
from service.web.schema_fields import description, text


class LoadedRecordQuery(TypedDict):
    """A loaded `ActQuery`."""

    before: int
    limit: int
    act: str | None
    subject: str | None


class ActQuery(Schema):
    """Filters of the record of administrative acts."""

    before = number(1, NEWEST, load_default=NEWEST, metadata=description("Only acts with smaller numbers."))
    limit = number(1, 100, load_default=50)
    act = fields.String(load_default=None, allow_none=False, validate=validate.OneOf(tuple(ACTS)))
    subject = text(
        64, load_default=None, allow_none=False, metadata=description("Id of the game or player it was done to.")
    )


class Involved(Schema):
    """Who acted, or what an act was done to; names are those of today."""

    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class AdministrativeActDocument(Schema):
    """An administrative act."""

    number = fields.Integer(required=True)
    at = fields.String(required=True)
    by = fields.Nested(Involved, required=True, metadata=description("A player, or `operator`: the command line."))
    act = fields.String(required=True, validate=validate.OneOf(tuple(ACTS)))
    title = fields.String(required=True, metadata=description("The act in words."))
    kind = fields.String(required=True, metadata=description("The kind of the subject."))
    subject = fields.Nested(Involved, required=True, allow_none=True)
    reason = fields.String(required=True, allow_none=True)
    details = fields.Dict(required=True, keys=fields.String())
    hash = fields.String(
        required=True, metadata=description("SHA-256 of the hash before, the number in 8 bytes, and the body.")
    )


class ActPageDocument(Schema):
    """A page of the record, newest acts first."""

    acts = fields.List(fields.Nested(AdministrativeActDocument), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=description("`before` of the next page; null: last page.")
    )

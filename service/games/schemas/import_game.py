"""Schemas of scribe mode: records of over-the-table games."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.games.schemas.lifecycle import VISIBILITIES
from service.web.schema_fields import description, integer, text

LONGEST = 1_000_000


class NewRecord(Schema):
    """A record to import."""

    record = text(
        LONGEST,
        required=True,
        metadata=description(
            "Headers (game, seats, option NAME, draws), then one move a line with its draws in brackets."
        ),
    )
    visibility = fields.String(load_default="public", validate=validate.OneOf(VISIBILITIES))


class MoreLines(Schema):
    """The continuation of a record."""

    lines = text(
        LONGEST,
        allow_none=True,
        load_default=None,
        metadata=description("Moves, one a line, with their draws and comments."),
    )
    back_to = integer(
        1,
        2**53 - 1,
        allow_none=True,
        load_default=None,
        metadata=description("Removes the lines entered after this version first."),
    )
    expected = integer(
        0, 2**53 - 1, allow_none=True, load_default=None, metadata=description("The version the client saw.")
    )

    @validates_schema
    def complete(self, data: dict[str, Any], **_more: Any) -> None:
        """Raises ValidationError unless the body adds or strikes lines."""
        if data["lines"] is None and data["back_to"] is None:
            raise ValidationError("give lines to enter or a version to go back to", "lines")

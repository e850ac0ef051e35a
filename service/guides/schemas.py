"""Schemas of guided games."""

from marshmallow import Schema, fields, validate

from service.analyses.what_if_schemas import OutcomeDocument
from service.games.schemas.legal import AskedMove, Offered, OfferedMoves, RefusedMove
from service.web.schema_fields import description, text

MOST_WISHES = 20


class GuideSummary(Schema):
    """A guided game."""

    game = fields.String(required=True)
    steps = fields.Integer(required=True)


class Guides(Schema):
    """All guided games."""

    guides = fields.List(fields.Nested(GuideSummary), required=True)


class StepQuery(Schema):
    """Moves to explain."""

    why_not = fields.List(
        text(512),
        load_default=list,
        allow_none=False,
        validate=validate.Length(max=MOST_WISHES),
        metadata=description("Moves in the game's notation; illegal ones are returned with the reason."),
    )


class ToldMove(Schema):
    """A move before the step, in words."""

    seat = fields.Integer(required=True)
    move = fields.String(required=True)
    label = fields.String(required=True)


class GuideStep(Schema):
    """A decision of a guided game with what it teaches; after the last one, the end."""

    game = fields.String(required=True)
    step = fields.Integer(required=True)
    steps = fields.Integer(required=True, metadata=description("Number of decisions; the next step is the end."))
    seat = fields.Integer(required=True, metadata=description("The reader's seat."))
    seats = fields.Integer(required=True)
    title = fields.String(required=True)
    explains = fields.String(required=True)
    reason = fields.String(required=True, metadata=description("Why the move is made here."))
    move = fields.Nested(Offered, required=True, allow_none=True, metadata=description("The move; null at the end."))
    position = fields.Dict(required=True)
    legal = fields.Nested(OfferedMoves, required=True, allow_none=True)
    passed = fields.Integer(required=True, metadata=description("Moves since the decision before."))
    story = fields.List(fields.Nested(ToldMove), required=True, metadata=description("The last of them, in words."))
    refused = fields.List(fields.Nested(RefusedMove), required=True)
    asked = fields.List(fields.Nested(AskedMove), required=True)
    scores = fields.List(fields.Dict(), required=True, allow_none=True, metadata=description("At the end."))
    result = fields.Nested(OutcomeDocument, required=True, allow_none=True)

"""Schemas of the points of finished games."""

from marshmallow import Schema, fields

from service.games.schemas.queries import flag
from service.web.schema_fields import description


class PointsQuery(Schema):
    """The requested part of the account."""

    curve = flag("Returns the points after every event; without it the curve is empty.", default=True)


class PointsChangeDocument(Schema):
    """Points that an event brought or took."""

    version = fields.Integer(required=True)
    points = fields.Integer(required=True)


class PointsPartDocument(Schema):
    """The points of a seat of one kind."""

    kind = fields.String(
        required=True, metadata=description("Such as vp_chips, or bonus.guild_hall for the bonus of a building.")
    )
    points = fields.Integer(required=True)
    changes = fields.List(
        fields.Nested(PointsChangeDocument), required=True, metadata=description("The events that made them, in order.")
    )


class SeatPointsDocument(Schema):
    """The points of a seat; `result` differs from `total` after a ruling or a forfeit."""

    seat = fields.Integer(required=True, metadata=description("Number of the seat in turn order, from 0."))
    place = fields.Integer(required=True)
    total = fields.Integer(required=True)
    result = fields.Integer(required=True)
    tie_break = fields.Integer(required=True)
    parts = fields.List(fields.Nested(PointsPartDocument), required=True)


class CurvePointDocument(Schema):
    """The points of all seats after an event."""

    version = fields.Integer(required=True)
    totals = fields.List(fields.Integer(), required=True)


class GameDecidedDocument(Schema):
    """What decided the game."""

    by = fields.String(required=True, metadata=description("points, tie_break, shared, ruling or forfeit."))
    first = fields.Integer(required=True, metadata=description("The winner's seat, from 0."))
    second = fields.Integer(required=True, allow_none=True)
    margin = fields.Integer(required=True, metadata=description("Points between first and second."))
    kind = fields.String(
        required=True, allow_none=True, metadata=description("The kind in which the first is furthest ahead.")
    )
    difference = fields.Integer(required=True, metadata=description("Points by which the first is ahead in it."))
    tie_break = fields.List(
        fields.Integer(), required=True, allow_none=True, metadata=description("Tie-breaks of first and second.")
    )
    lead_since = fields.Integer(
        required=True,
        allow_none=True,
        metadata=description("The version from which the winner alone had most points, up to the end."),
    )


class PointsDocument(Schema):
    """Where the points of a finished game come from."""

    game = fields.UUID(required=True)
    version = fields.Integer(required=True)
    seats = fields.List(fields.Nested(SeatPointsDocument), required=True)
    curve = fields.List(fields.Nested(CurvePointDocument), required=True)
    decision = fields.Nested(GameDecidedDocument, required=True, allow_none=True)

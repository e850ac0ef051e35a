"""Schemas of a stage's figures: standings, ranks, advancing entrants, cross-table, statistics."""

from marshmallow import Schema, fields, validate

from service.tournaments.schemas.documents import ComputedDocument, Peopled
from service.web.schema_fields import description


class StageQuery(Schema):
    """The requested stage."""

    stage = fields.Integer(
        load_default=None,
        validate=validate.Range(1, 20),
        metadata=description("Number of the stage; left out: the newest."),
    )


class StandingsDocument(Peopled):
    """The standings of a stage, with the components of every figure."""

    stage = fields.Integer(required=True)
    name = fields.String(required=True)
    criteria = fields.List(fields.String(), required=True)
    lines = fields.List(fields.Dict(), required=True)


class RankDocument(Peopled):
    """The rank of an entrant with its reasons."""

    stage = fields.Integer(required=True)
    line = fields.Dict(required=True)
    above = fields.Dict(
        required=True, allow_none=True, metadata=description("The line directly above in the standings.")
    )


class ReasonDocument(Schema):
    """A reason, and the events it rests on."""

    code = fields.String(required=True)
    player = fields.String(required=True, allow_none=True)
    says = fields.Dict(required=True)
    events = fields.List(fields.Integer(), required=True)


class AdvancingDocument(Peopled):
    """The advancing entrants of a stage, in the order that seeds the next."""

    stage = fields.Integer(required=True)
    closed = fields.Integer(
        required=True,
        allow_none=True,
        metadata=description("Number of the event that closed the stage; null: it runs."),
    )
    players = fields.List(fields.String(), required=True)
    alternates = fields.List(
        fields.String(), required=True, metadata=description("Entrants who replace absent ones, in their order.")
    )
    reasons = fields.List(fields.Nested(ReasonDocument), required=True)


class CrossTableDocument(Peopled):
    """The results of all entrants, round by round."""

    stage = fields.Integer(required=True)
    rounds = fields.List(fields.Integer(), required=True)
    lines = fields.List(fields.Dict(), required=True)


class SeatStatistics(Schema):
    """The statistics of a seat at tables of one size."""

    size = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    games = fields.Integer(required=True)
    wins = fields.String(required=True, metadata=description("Wins; a shared win counts as a part of one."))
    place_points = fields.String(
        required=True, metadata=description("Average place points by the scheme of the stage.")
    )
    game_points = fields.String(required=True, metadata=description("Average points of the games, after bids."))
    place = fields.String(required=True, metadata=description("Average place."))
    events = fields.List(
        fields.Integer(), required=True, metadata=description("Numbers of the events that recorded the results.")
    )


class EndStatistics(Schema):
    """The number of games with an end condition; a game may meet several at once."""

    end = fields.String(required=True)
    games = fields.Integer(required=True)
    events = fields.List(fields.Integer(), required=True)


class Statistics(ComputedDocument):
    """The statistics of seats and game ends in a stage."""

    stage = fields.Integer(required=True)
    scheme = fields.String(required=True, metadata=description("Scheme of the place points."))
    tables = fields.Integer(required=True, metadata=description("Number of tables that count."))
    seats = fields.List(fields.Nested(SeatStatistics), required=True)
    ends = fields.List(fields.Nested(EndStatistics), required=True)

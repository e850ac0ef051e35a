"""Schemas of players' results."""

from typing import TypedDict
from uuid import UUID

from marshmallow import Schema, fields

from service.web.schema_fields import description


class LoadedResultsQuery(TypedDict):
    """A loaded `ResultsQuery`."""

    against: UUID | None


class ResultsQuery(Schema):
    """Whom the player is compared with."""

    against = fields.UUID(
        load_default=None, allow_none=False, metadata=description("Another player, for the games of both.")
    )


class SeatResultDocument(Schema):
    """The results in one seat of one game with so many players."""

    game = fields.String(required=True)
    players = fields.Integer(required=True)
    seat = fields.Integer(required=True, metadata=description("In turn order, from 0."))
    played = fields.Integer(required=True)
    won = fields.Integer(required=True, metadata=description("First places, shared ones too."))
    mean_place = fields.Float(required=True)
    mean_points = fields.Float(required=True)


class MeetingDocument(Schema):
    """The games of one kind that two players finished together."""

    game = fields.String(required=True)
    played = fields.Integer(required=True)
    ahead = fields.Integer(required=True, metadata=description("Games in which the player had the better place."))
    behind = fields.Integer(required=True)


class TimeUsedDocument(Schema):
    """How long the player took for moves, in at most five of the newest games."""

    games = fields.Integer(required=True)
    moves = fields.Integer(required=True)
    mean_seconds = fields.Float(required=True)


class PlayerResults(Schema):
    """The results of a player in the newest 1,000 public games."""

    by_seat = fields.List(fields.Nested(SeatResultDocument), required=True)
    against = fields.List(
        fields.Nested(MeetingDocument), required=True, metadata=description("Empty when nobody is named.")
    )
    time = fields.Nested(TimeUsedDocument, required=True, allow_none=True)

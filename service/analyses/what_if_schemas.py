"""Schemas of what-if analyses: request and answer."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from projections.rules.registry import GAMES
from service.games.schemas.documents import TurnDocument
from service.games.schemas.legal import OfferedMoves
from service.games.schemas.queries import Forced
from service.web.schema_fields import description, integer, text

MOST_MOVES = 1_000
MOST_DRAWS = 2_000


class WhatIfQuestion(Schema):
    """The start and the moves: from a position, or from the set-up of a new game."""

    game = fields.String(required=True, validate=validate.OneOf(tuple(GAMES)))
    position = fields.Dict(
        keys=fields.String(), metadata=description("A position as the service returns it, edited or not.")
    )
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata=description("Options of a new game."))
    seats = integer(1, 5, metadata=description("Number of players of a new game."))
    moves = fields.List(text(512), load_default=list, validate=validate.Length(max=MOST_MOVES))
    draws = fields.List(
        text(64),
        validate=validate.Length(max=MOST_DRAWS),
        metadata=description("Results of chance in order, the set-up first; left out: drawn from the seed."),
    )
    seed = text(
        64,
        load_default="",
        least=0,
        metadata=description("Seed of the draws that are not given; the same seed draws the same."),
    )

    @validates_schema
    def complete(self, data: dict[str, Any], **_more: Any) -> None:
        """Raises ValidationError unless exactly one of position and seats is given."""
        if ("position" in data) is ("seats" in data):
            raise ValidationError("give a position, or the seats of a new game", "position")


class PlayedMove(Schema):
    """A move of the analysis."""

    seat = fields.Integer(required=True)
    move = fields.String(required=True, metadata=description("The move in canonical notation."))
    drew = fields.List(fields.String(), required=True)
    then = fields.List(fields.Nested(Forced), required=True)
    facts = fields.List(fields.List(fields.Raw()), required=True)
    digest = fields.String(required=True, metadata=description("Digest of the position after the move."))


class OutcomeDocument(Schema):
    """The outcome of a game by seat."""

    points = fields.List(fields.Integer(), required=True)
    tie_break = fields.List(fields.Integer(), required=True)
    places = fields.List(
        fields.Integer(), required=True, metadata=description("Place of each seat; 1 is best, ties share a place.")
    )


class Findings(Schema):
    """The position after the moves, and its legal moves."""

    game = fields.String(required=True)
    position = fields.Dict(required=True)
    supposed = fields.List(
        fields.String(),
        required=True,
        metadata=description("Parts that the given view hides; they were drawn from the seed."),
    )
    turn = fields.Nested(TurnDocument, required=True, allow_none=True)
    drew = fields.List(fields.String(), required=True, metadata=description("Draws of the set-up."))
    steps = fields.List(fields.Nested(PlayedMove), required=True)
    facts = fields.List(fields.List(fields.Raw()), required=True)
    legal = fields.Nested(OfferedMoves, required=True)
    scores = fields.List(
        fields.Dict(), required=True, metadata=description("Scores by seat as if the game ended here.")
    )
    result = fields.Nested(OutcomeDocument, required=True, allow_none=True)

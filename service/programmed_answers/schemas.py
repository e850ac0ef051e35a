"""Schemas of programmed answers."""

from typing import TypedDict

from marshmallow import Schema, fields, validate

from service.programmed_answers.answers import SPANS, UNTIL
from service.web.schema_fields import description, integer, moment, text

REASONS = ("over", "signed", "linked")


class NewAnswerBody(TypedDict):
    """A loaded `NewAnswer`."""

    move: str
    decision: str | None
    until: str
    span: int | None


class NewAnswer(Schema):
    """A move to play whenever it is legal at a kind of decision, until something ends the answer."""

    move = text(512, required=True, metadata=description("In the notation of moves."))
    decision = text(
        32,
        allow_none=True,
        load_default=None,
        metadata=description("The kind of decision, of `decisions`; left out: any at which the move is legal."),
    )
    until = fields.String(
        load_default="game",
        validate=validate.OneOf(UNTIL),
        metadata=description(
            "When the answer is over: played `once`; when the running `phase` or `round` ends; when your `own_choice` "
            "of a role comes; when the `last_round` begins; not before the `game`."
        ),
    )
    span = integer(
        -(2**31),
        2**31 - 1,
        allow_none=True,
        load_default=None,
        metadata=description("The number of that stretch as `ends` told it; the answer is refused when it has ended."),
    )


class ProgrammedAnswerDocument(Schema):
    """An answer that stands."""

    id = fields.UUID(required=True)
    decision = fields.String(required=True, allow_none=True)
    move = fields.String(required=True, metadata=description("As it reads now; one about a card names its place."))
    label = fields.String(required=True, metadata=description("The move in words."))
    until = fields.String(required=True, validate=validate.OneOf(UNTIL))
    left = moment(required=True)
    played = fields.Integer(required=True, metadata=description("How often it was played; 100 times at most."))


class AnswerEnd(Schema):
    """An end that an answer may have now."""

    until = fields.String(required=True, validate=validate.OneOf(UNTIL))
    span = fields.Integer(
        required=True, allow_none=True, metadata=description(f"The number of a stretch: {', '.join(SPANS)}.")
    )


class ProgrammedAnswers(Schema):
    """The answers of the player's own seat in the order in which they are tried, and what may be left now."""

    answers = fields.List(fields.Nested(ProgrammedAnswerDocument), required=True)
    reason = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(REASONS),
        metadata=description("Why none can be left: the game is over, or moves carry a signature or a link."),
    )
    ends = fields.List(fields.Nested(AnswerEnd), required=True)
    decisions = fields.List(fields.String(), required=True, metadata=description("All kinds of decision of the game."))
    most = fields.Integer(required=True, metadata=description("How many answers a seat may have."))

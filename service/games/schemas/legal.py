"""Schemas of legal moves: the question and the answer, of one shape for every decision."""

from marshmallow import Schema, fields, validate

from service.games.not_your_turn import REASONS
from service.web.schema_fields import description, text

MOST_WISHES = 100


class Offered(Schema):
    """A legal move."""

    move = fields.String(required=True)
    label = fields.String(required=True, metadata=description("The move as an order to the player."))
    effect = fields.String(required=True, metadata=description("Gains and costs of the move; may be empty."))


class LegalQuery(Schema):
    """Whose moves are returned, and the moves to explain or to complete."""

    mine = fields.Boolean(
        load_default=None,
        allow_none=False,
        truthy={"true", "1"},
        falsy={"false", "0"},
        metadata=description(
            "True: only your own moves; false: those of the seat to act. Left out: true if you have a seat."
        ),
    )
    begin = text(
        512,
        least=0,
        load_default=None,
        allow_none=False,
        metadata=description("The beginning of a move, which may be empty; `continuations` are the ways to go on."),
    )
    why_not = fields.List(
        text(512),
        load_default=list,
        allow_none=False,
        validate=validate.Length(max=MOST_WISHES),
        metadata=description("Moves in the game's notation; illegal ones are returned with the reason."),
    )


class NoMoves(Schema):
    """Why there are no moves."""

    reason = fields.String(required=True, validate=validate.OneOf(REASONS))
    sentence = fields.String(required=True, metadata=description("The reason in words."))


class Continuation(Schema):
    """The beginning of legal moves, up to the next choice, or a whole move."""

    text = fields.String(required=True)
    complete = fields.Boolean(required=True, metadata=description("Whether the text is a legal move."))


class RefusedMove(Schema):
    """A move that is not legal now, with the reason."""

    move = fields.String(required=True)
    reason = fields.String(required=True)
    rule = fields.String(required=True, metadata=description("The rule that forbids the move, where one can be cited."))
    rule_page = fields.String(metadata=description("The address of that rule's paragraph, on this service."))
    sentence = fields.String(required=True, metadata=description("The reason in words."))


class AskedMove(Schema):
    """A move of `why_not`, legal or not."""

    move = fields.String(required=True)
    open = fields.Boolean(
        required=True, metadata=description("Whether the move is legal; if not, `refused` has the reason.")
    )


class OfferedMoves(Schema):
    """The legal moves of the seat to act: all of them or, where there are too many, suggestions and slots to fill."""

    seat = fields.Integer(
        required=True, allow_none=True, metadata=description("The seat to act; null before the start and at the end.")
    )
    decision = fields.String(required=True, allow_none=True)
    complete = fields.Boolean(required=True, metadata=description("Whether `moves` has every legal move."))
    count = fields.Integer(
        required=True, metadata=description("Number of legal moves; each is accepted, also where not all are listed.")
    )
    moves = fields.List(
        fields.Nested(Offered), required=True, metadata=description("All legal moves, or suggestions: see `complete`.")
    )
    slots = fields.Dict(
        required=True,
        allow_none=True,
        metadata=description("Parts to fill in for a choice that is too long to list; null: `moves` has all."),
    )


class LegalMovesDocument(OfferedMoves):
    """Whose turn it is, and the moves of the viewer or of the seat to act."""

    version = fields.Integer(required=True)
    viewer = fields.Integer(required=True, allow_none=True, metadata=description("Your seat; null: you have none."))
    yours = fields.Boolean(required=True, metadata=description("Whether it is your turn."))
    none = fields.Nested(
        NoMoves, required=True, allow_none=True, metadata=description("Why `moves` is empty; null: it is not.")
    )
    continuations = fields.List(
        fields.Nested(Continuation), metadata=description("The ways to go on with `begin`; empty: there is none.")
    )
    refused = fields.List(
        fields.Nested(RefusedMove), metadata=description("The illegal ones of the moves in `why_not`.")
    )
    asked = fields.List(fields.Nested(AskedMove), metadata=description("All moves in `why_not`, in their order."))

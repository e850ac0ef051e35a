"""Schemas for reading games: logs, boards, legal moves, replays."""

from typing import Any

from marshmallow import INCLUDE, Schema, fields, validate

from service.games.schemas.documents import EventDocument, Person, TurnDocument
from service.web.schema_fields import description, text

MOST = 1_000
MOST_WISHES = 100
VERSION = 2**53 - 1


def flag(meaning: str, default: bool) -> fields.Boolean:
    """Returns a boolean query parameter."""
    return fields.Boolean(
        load_default=default, truthy={"true", "1"}, falsy={"false", "0"}, metadata=description(meaning)
    )


def number(least: int, most: int, **more: Any) -> fields.Integer:
    """Returns an integer query parameter."""
    return fields.Integer(validate=validate.Range(least, most), allow_none=False, **more)


def eyes() -> fields.String:
    """Returns the query parameter for the point of view."""
    meaning = description("a seat, or `all` when the game is over; left out: your own")
    one_of = validate.Regexp(r"^(?:[0-4]|all)\Z")
    return fields.String(data_key="as", load_default=None, allow_none=False, validate=one_of, metadata=meaning)


class LogQuery(Schema):
    """The requested part of the log, and the time to wait for it."""

    after = number(0, VERSION, load_default=None, metadata=description("the number of the last event that is known"))
    limit = number(1, MOST, load_default=MOST, metadata=description("how many events at most; a stream has no limit"))
    wait = number(
        0,
        60,
        load_default=0,
        metadata=description("how many seconds to wait for the first event when there is none yet"),
    )


class LogPage(Schema):
    """Events in order, and the number to continue after."""

    events = fields.List(fields.Nested(EventDocument), required=True)
    next = fields.Integer(required=True, metadata=description("the value of `after` that reads on"))


class PositionQuery(Schema):
    """The requested board and point of view."""

    at = number(0, VERSION, load_default=None, metadata=description("the version; left out: the newest"))
    eyes = eyes()


class PositionDocument(Schema):
    """A board as JSON with names; the fields depend on the game."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    options = fields.Dict(required=True)
    turn = fields.Dict(
        required=True, allow_none=True, metadata=description("seat, decision and more; null: the game is over")
    )
    players = fields.List(fields.Dict(), required=True)
    viewer = fields.Raw(required=True, metadata=description("whose eyes: a seat, null for a spectator, or `all`"))
    hides = fields.List(fields.String(), required=True, metadata=description("what these eyes may not see"))

    class Meta:
        unknown = INCLUDE


class Offered(Schema):
    """A legal move."""

    move = fields.String(required=True)
    label = fields.String(required=True, metadata=description("the move in words"))
    effect = fields.String(required=True, metadata=description("what it brings and costs; may be empty"))


class LegalQuery(Schema):
    """The moves to explain."""

    why_not = fields.List(
        text(512),
        load_default=list,
        allow_none=False,
        validate=validate.Length(max=MOST_WISHES),
        metadata=description("moves in the game's notation; those that are not open are told with the reason"),
    )


class RefusedMove(Schema):
    """A move that is not legal now, with the reason."""

    move = fields.String(required=True)
    reason = fields.String(required=True)
    rule = fields.String(required=True, metadata=description("where the rules say so"))
    sentence = fields.String(required=True, metadata=description("the reason in words"))


class AskedMove(Schema):
    """A move of `why_not`, legal or not."""

    move = fields.String(required=True)
    open = fields.Boolean(required=True, metadata=description("false: `refused` has the reason"))


class LegalMovesDocument(Schema):
    """The legal moves of the seat to act: all of them or, where there are too many, slots to fill and suggestions."""

    version = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata=description("null: the game is over"))
    decision = fields.String(required=True, allow_none=True)
    moves = fields.List(fields.Nested(Offered))
    slots = fields.Dict()
    count = fields.Integer(metadata=description("how many moves there are; any of them is accepted"))
    suggested = fields.List(fields.Nested(Offered))
    refused = fields.List(fields.Nested(RefusedMove), metadata=description("of the moves in `why_not`"))
    asked = fields.List(fields.Nested(AskedMove), metadata=description("all moves in `why_not`, in their order"))


class ReplayQuery(Schema):
    """Options of a replay."""

    after = number(0, VERSION, load_default=0, metadata=description("steps after this version only"))
    eyes = eyes()
    undone = flag("also the moves that were taken back, and the ways back", default=False)
    positions = flag("each step with its board", default=True)


class Forced(Schema):
    """A move made as the only possible one."""

    seat = fields.Integer(required=True)
    move = fields.String(required=True)
    label = fields.String(required=True, allow_none=True, metadata=description("in words"))


class StepDocument(Schema):
    """One step of a replay."""

    version = fields.Integer(required=True)
    kind = fields.String(required=True)
    at = fields.Integer(required=True, metadata=description("microseconds since 1970, UTC"))
    kept = fields.Boolean(required=True, metadata=description("false: it was taken back later"))
    back_to = fields.Integer(
        required=True, allow_none=True, metadata=description("of a way back: the version it leads to")
    )
    seat = fields.Integer(required=True, allow_none=True)
    move = fields.String(required=True, allow_none=True)
    label = fields.String(required=True, allow_none=True, metadata=description("the move in words"))
    drew = fields.List(fields.String(), required=True)
    then = fields.List(fields.Nested(Forced), required=True, metadata=description("moves that were made by themselves"))
    facts = fields.List(fields.List(fields.Raw()), required=True)
    turn = fields.Nested(TurnDocument, required=True, allow_none=True)
    scores = fields.List(
        fields.Dict(allow_none=True), required=True, metadata=description("by seat; null where they are hidden")
    )
    gains = fields.List(
        fields.Dict(values=fields.Integer()), required=True, metadata=description("by seat: what was won and lost")
    )
    reason = fields.String(
        required=True,
        allow_none=True,
        metadata=description("of a ruling or of newer rules; null: there is none, or it is erased"),
    )
    comments = fields.List(
        fields.String(), required=True, metadata=description("that an imported record has at the move")
    )
    position = fields.Dict(metadata=description("the board after the step"))


class NoteDocument(Schema):
    """An event of a game that is not a move."""

    version = fields.Integer(required=True)
    kind = fields.String(required=True)
    at = fields.Integer(required=True, metadata=description("microseconds since 1970, UTC"))
    seat = fields.Integer(required=True, allow_none=True)
    cause = fields.String(required=True, allow_none=True, metadata=description("of an end, or the consequence"))
    absent = fields.Boolean(required=True, metadata=description("the player never came"))
    player = fields.Nested(Person, required=True, allow_none=True, metadata=description("who took the seat over"))
    bot = fields.String(required=True, allow_none=True, metadata=description("the bot that plays on"))
    reason = fields.String(required=True, allow_none=True, metadata=description("that a director gave"))


class ReplayDocument(Schema):
    """All steps of a game."""

    game = fields.UUID(required=True)
    steps = fields.List(fields.Nested(StepDocument), required=True)
    notes = fields.List(
        fields.Nested(NoteDocument), required=True, metadata=description("what happened besides the steps")
    )


class NewsQuery(Schema):
    """The number to continue the player's stream after."""

    after = number(
        0, VERSION, load_default=None, metadata=description("the number of the last news; left out: from now on")
    )

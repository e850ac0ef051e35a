"""Schemas for reading games: logs, boards, legal moves, replays."""

from typing import Any

from marshmallow import INCLUDE, Schema, fields, validate

from service.games.not_your_turn import REASONS
from service.games.schemas.documents import EventDocument, Person, TurnDocument
from service.web.schema_fields import description, moment, text

MOST = 1_000
EVENTS, STEPS = "events", "steps"
MOST_WISHES = 100
VERSION = 2**53 - 1


def flag(meaning: str, default: bool) -> fields.Boolean:
    """Returns a boolean query parameter."""
    words: Any = {"truthy": {"true", "1"}, "falsy": {"false", "0"}}
    return fields.Boolean(load_default=default, metadata=description(meaning), **words)


def number(least: int, most: int, **more: Any) -> fields.Integer:
    """Returns an integer query parameter."""
    return fields.Integer(validate=validate.Range(least, most), allow_none=False, **more)


def eyes() -> fields.String:
    """Returns the query parameter for the point of view."""
    meaning = description("Seat whose view is returned, or `all` when the game is over; left out: your own.")
    one_of = validate.Regexp(r"^(?:[0-4]|all)\Z")
    return fields.String(data_key="as", load_default=None, allow_none=False, validate=one_of, metadata=meaning)


class LogQuery(Schema):
    """The requested part of the log, and the time to wait for it."""

    after = number(0, VERSION, load_default=None, metadata=description("Number of the last event the client knows."))
    limit = number(
        1, MOST, load_default=MOST, metadata=description("Largest number of events returned; a stream has no limit.")
    )
    wait = number(
        0,
        60,
        load_default=0,
        metadata=description("Seconds to wait for an event when there is none yet."),
    )


class GameLogQuery(LogQuery):
    """The requested part of a game's log, and what a stream tells of it."""

    items = fields.String(
        load_default="events",
        allow_none=False,
        validate=validate.OneOf((EVENTS, STEPS)),
        metadata=description(
            "Content of a stream. `steps`: what each event changed for you: `version`, `kind`, `prev`, the `step` as "
            "in `/replay` without its board (or null), `changes` of the board as new values by JSON pointer (the whole "
            "board as `position` at the start), the changes of the `summary` likewise (null: read it again), and the "
            "`note` on an event that is no move."
        ),
    )


class LogPage(Schema):
    """Events in order, and the number to continue after."""

    events = fields.List(fields.Nested(EventDocument), required=True)
    next = fields.Integer(required=True, metadata=description("Value of `after` for the next page."))


class PositionQuery(Schema):
    """The requested board and point of view."""

    at = number(0, VERSION, load_default=None, metadata=description("Version of the position; left out: the newest."))
    eyes = eyes()


class PositionDocument(Schema):
    """A board as JSON with names; the fields depend on the game."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    options = fields.Dict(required=True)
    turn = fields.Dict(
        required=True, allow_none=True, metadata=description("Seat, decision and more; null: the game is over.")
    )
    players = fields.List(fields.Dict(), required=True)
    viewer = fields.Raw(
        required=True, metadata=description("Whose view it is: a seat, null for a spectator, or `all`.")
    )
    hides = fields.List(fields.String(), required=True, metadata=description("Parts that this view hides."))

    class Meta:
        unknown = INCLUDE


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


class ReplayQuery(Schema):
    """Options of a replay."""

    after = number(0, VERSION, load_default=0, metadata=description("Returns only steps after this version."))
    until = number(1, VERSION, load_default=None, metadata=description("Replays the game as it stood at this version."))
    eyes = eyes()
    undone = flag("Includes moves that were undone, and the undo steps.", default=False)
    positions = flag("Returns each step with its position.", default=True)


class Forced(Schema):
    """A move made as the only possible one."""

    seat = fields.Integer(required=True)
    move = fields.String(required=True)
    label = fields.String(
        required=True, allow_none=True, metadata=description("The played move in the past tense, without the player.")
    )


class StepDocument(Schema):
    """One step of a replay."""

    version = fields.Integer(required=True)
    kind = fields.String(required=True)
    at = moment(required=True)
    kept = fields.Boolean(required=True, metadata=description("False: the step was undone later."))
    back_to = fields.Integer(
        required=True, allow_none=True, metadata=description("For an undo: the version it returns to.")
    )
    seat = fields.Integer(required=True, allow_none=True)
    move = fields.String(required=True, allow_none=True)
    label = fields.String(
        required=True, allow_none=True, metadata=description("The played move in the past tense, without the player.")
    )
    drew = fields.List(fields.String(), required=True)
    then = fields.List(
        fields.Nested(Forced), required=True, metadata=description("Forced moves that the service made after it.")
    )
    facts = fields.List(fields.List(fields.Raw()), required=True)
    turn = fields.Nested(TurnDocument, required=True, allow_none=True)
    scores = fields.List(
        fields.Dict(allow_none=True), required=True, metadata=description("Scores by seat; null where they are hidden.")
    )
    gains = fields.List(
        fields.Dict(values=fields.Integer()), required=True, metadata=description("Gains and losses by seat.")
    )
    reason = fields.String(
        required=True,
        allow_none=True,
        metadata=description("Reason of a ruling or of a change of rules; null: none, or erased."),
    )
    comments = fields.List(
        fields.String(), required=True, metadata=description("Comments of an imported record at this move.")
    )
    position = fields.Dict(metadata=description("The position after the step."))


class NoteDocument(Schema):
    """An event of a game that is not a move."""

    version = fields.Integer(required=True)
    kind = fields.String(required=True)
    at = moment(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    cause = fields.String(required=True, allow_none=True, metadata=description("Cause of the end, or the consequence."))
    absent = fields.Boolean(required=True, metadata=description("Whether the player never came."))
    player = fields.Nested(
        Person, required=True, allow_none=True, metadata=description("The player who took over the seat.")
    )
    bot = fields.String(required=True, allow_none=True, metadata=description("The bot that plays on."))
    reason = fields.String(required=True, allow_none=True, metadata=description("Reason that a director gave."))


class ReplayDocument(Schema):
    """All steps of a game."""

    game = fields.UUID(required=True)
    steps = fields.List(fields.Nested(StepDocument), required=True)
    notes = fields.List(
        fields.Nested(NoteDocument),
        required=True,
        metadata=description("Events besides the steps: who left, rulings, the end."),
    )


class NewsQuery(Schema):
    """The number to continue the player's stream after."""

    after = number(
        0,
        VERSION,
        load_default=None,
        metadata=description("Number of the last notification the client knows; left out: from now on."),
    )

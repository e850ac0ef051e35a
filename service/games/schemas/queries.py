"""Schemas for reading games: logs, boards, legal moves, replays."""

from typing import Any

from marshmallow import INCLUDE, Schema, ValidationError, fields, validate, validates_schema

from service.games.schemas.documents import EventDocument, Person, TurnDocument
from service.games.schemas.loaded import LoadedGameLogQuery
from service.web.schema_fields import description, moment

MOST = 1_000
EVENTS, STEPS = "events", "steps"
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


def talk_notices(more: str = "") -> fields.Boolean:
    """Returns the query parameter for notices of the talk in a stream, and of more."""
    return flag(
        'Of a stream: it also tells `{"talk": {"newest": ..., "changes": ...}}`, when there are new messages to read '
        "under `/talk`, and goes on after the end." + more,
        default=False,
    )


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

    beside = fields.String(
        data_key="with",
        load_default=None,
        allow_none=False,
        validate=validate.Regexp(r"^(?:position|legal)(?:,(?:position|legal))?\Z"),
        metadata=description(
            "Of a stream of events: `position`, `legal`, or both with a comma. The newest event then has the board as "
            "`/position` tells it, and the moves as `/legal` does, for you; null where there are none to see."
        ),
    )

    talk = talk_notices(
        " To players of a game that is over it tells beside it the `rematch`, while there is one: its `game`, and the "
        "player `by` whom it was opened."
    )

    @validates_schema
    def of_events(self, data: LoadedGameLogQuery, **_more: Any) -> None:
        """Raises ValidationError for a board beside steps, which have it, and for notices of talk without steps."""
        if data["talk"] and data["items"] != STEPS:
            raise ValidationError("goes with items=steps", "talk")
        if data["beside"] is not None and data["items"] == STEPS:
            raise ValidationError("steps have the board already", "with")


class TournamentLogQuery(LogQuery):
    """The requested part of a tournament's log."""

    talk = talk_notices()


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
    until = moment(required=True, allow_none=True, metadata=description("End of a pause or of days away that began."))
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
    """The number to continue the player's stream after, and what else it tells."""

    after = number(
        0,
        VERSION,
        load_default=None,
        metadata=description("Number of the last notification the client knows; left out: from now on."),
    )
    games = flag(
        'Also tells `{"event": "games", "state": ...}` at the beginning, and whenever lists of your games that are not '
        "over show something else: a game begins, ends, fills, or comes to another seat's turn.",
        default=False,
    )

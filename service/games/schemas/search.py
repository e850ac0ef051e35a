"""Schemas of the game list."""

from datetime import UTC, datetime
from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from events.messages import Message
from projections.games.clocks import FIELDS
from projections.read_models.move_search import LANDMARKS
from projections.rules.registry import GAMES
from service.games.schemas.documents import BotDescriptionDocument, Person, ResultDocument, TurnDocument
from service.games.schemas.lifecycle import STATUSES
from service.games.schemas.queries import number
from service.web.schema_fields import description, moment, text

MICROSECONDS = 1_000_000


def named(*values: str, **more: Any) -> fields.String:
    """Returns a query parameter with one of a few values."""
    return fields.String(load_default=None, allow_none=False, validate=validate.OneOf(values), **more)


class GameQuery(Schema):
    """Filters of the game list; a game must match all of them."""

    game = named(*GAMES)
    status = named(*STATUSES)
    player = fields.UUID(load_default=None, allow_none=False, metadata=description("A player with a seat in the game."))
    place = number(1, 5, load_default=None, metadata=description("The place of that player."))
    rated = fields.Boolean(load_default=None, allow_none=False, truthy={"true", "1"}, falsy={"false", "0"})
    option = fields.List(
        fields.String(validate=validate.Regexp(r"^[a-z0-9_]{1,64}:[^\x00]{1,200}\Z")),
        load_default=None,
        allow_none=False,
        validate=validate.Length(max=10),
        metadata=description("Option as NAME:VALUE."),
    )
    since = fields.Date(load_default=None, allow_none=False, metadata=description("Created on this day or later, UTC."))
    until = fields.Date(load_default=None, allow_none=False, metadata=description("Created before this day, UTC."))
    fact = named(
        *sorted(LANDMARKS), metadata=description("A fact that happened in the game; finds finished games only.")
    )
    subject = fields.String(
        load_default=None,
        allow_none=False,
        validate=validate.Regexp(r"^[a-z0-9_]{1,64}\Z"),
        metadata=description("With fact: the building, role, tile, good or card."),
    )
    by_round = number(0, 1_000, load_default=None, metadata=description("With fact: in this round or before."))
    nth = number(1, 10_000, load_default=None, metadata=description("With fact: the nth of its kind; 1 is the first."))
    seat = number(0, 4, load_default=None, metadata=description("With fact: by this seat."))
    limit = number(1, 100, load_default=50)
    after = text(200, load_default=None, allow_none=False, metadata=description("Cursor of the page before."))

    @validates_schema
    def complete(self, data: dict[str, Any], **_more: Any) -> None:
        """Raises ValidationError for a parameter without the one that it refines."""
        for name, of in (("place", "player"), *((name, "fact") for name in ("subject", "by_round", "nth", "seat"))):
            if data.get(name) is not None and data.get(of) is None:
                raise ValidationError(Message("requires {of}", of=of), name)

    @post_load
    def as_events_have_it(self, data: dict[str, Any], **_more: Any) -> dict[str, Any]:
        """Converts days to microseconds and players to ids."""
        for name in ("since", "until"):
            if data[name] is not None:
                day = datetime.combine(data[name], datetime.min.time(), UTC)
                data[name] = int(day.timestamp()) * MICROSECONDS
        if data["player"] is not None:
            data["player"] = str(data["player"])
        return data


class ListedSeat(Schema):
    """A seat of a listed game."""

    chair = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    player = fields.Nested(Person, required=True, allow_none=True)
    entrant = fields.Integer(
        required=True, allow_none=True, metadata=description("Number of the entrant in the tournament.")
    )
    kept_for = fields.String(required=True, allow_none=True)
    bot = fields.String(required=True, allow_none=True)
    name = fields.String(
        required=True, allow_none=True, metadata=description("Name of the player in an imported record.")
    )
    program = fields.Boolean(required=True, metadata=description("Whether the player is a bot's account."))
    about = fields.Nested(
        BotDescriptionDocument,
        required=True,
        allow_none=True,
        metadata=description("Of a bot's account: its engine and manifest; null: no such account, or hidden."),
    )
    stand_in = fields.String(required=True, allow_none=True)
    forfeited = fields.Boolean(required=True)


class ListedClock(Schema):
    """The clock that a game is played with."""

    kind = fields.String(required=True, validate=validate.OneOf(tuple(FIELDS)))
    seconds = fields.Integer(metadata=description("For each move, or in the bank of each seat."))
    increment = fields.Integer(metadata=description("Seconds added to the bank for each turn."))


class ListedGame(Schema):
    """A game in a list."""

    id = fields.UUID(required=True)
    game = fields.String(required=True)
    options = fields.Dict(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    version = fields.Integer(required=True)
    head = fields.String(required=True, allow_none=True)
    host = fields.Nested(Person, required=True, allow_none=True)
    rated = fields.Boolean(required=True)
    clock = fields.Nested(ListedClock, required=True, allow_none=True, metadata=description("null: the game is over."))
    silent = fields.Boolean(
        required=True,
        allow_none=True,
        metadata=description(
            "Whether the players write nothing at the table until the game ends; null: the game is over."
        ),
    )
    visibility = fields.String(required=True)
    seats = fields.List(fields.Nested(ListedSeat), required=True)
    turn = fields.Nested(TurnDocument, required=True, allow_none=True)
    result = fields.Nested(ResultDocument, required=True, allow_none=True)
    tournament = fields.String(required=True, allow_none=True)
    created = moment(required=True)
    changed = moment(required=True, allow_none=True)


class GameList(Schema):
    """A page of games, newest first."""

    games = fields.List(fields.Nested(ListedGame), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata=description("Cursor of the next page; null: last page.")
    )

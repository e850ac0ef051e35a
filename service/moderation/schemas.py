"""Schemas of moderation."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from marshmallow import Schema, fields, validate

from events.messages import Message
from service.games.schemas.queries import VERSION, number
from service.moderation import things
from service.moderation.queries import NEWEST
from service.moderation.record import ACTS
from service.moderation.stale import MOST
from service.web.schema_fields import description, integer, moment, prose, text

LONGEST_REASON = 500
NO_TIME = Message("Not a valid time with a zone.")


class LoadedRecordQuery(TypedDict):
    """A loaded `ActQuery`."""

    before: int
    limit: int
    act: str | None
    subject: str | None


class ActQuery(Schema):
    """Filters of the record of administrative acts."""

    before = number(1, NEWEST, load_default=NEWEST, metadata=description("Only acts with smaller numbers."))
    limit = number(1, 100, load_default=50)
    act = fields.String(load_default=None, allow_none=False, validate=validate.OneOf(tuple(ACTS)))
    subject = text(
        64, load_default=None, allow_none=False, metadata=description("Id of the game or player it was done to.")
    )


class Involved(Schema):
    """Who acted, or what an act was done to; names are those of today."""

    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class AdministrativeActDocument(Schema):
    """An administrative act."""

    number = fields.Integer(required=True)
    at = moment(required=True)
    by = fields.Nested(Involved, required=True, metadata=description("A player, or `operator`: the command line."))
    act = fields.String(required=True, validate=validate.OneOf(tuple(ACTS)))
    title = fields.String(required=True, metadata=description("The act in words."))
    kind = fields.String(required=True, metadata=description("The kind of the subject."))
    subject = fields.Nested(Involved, required=True, allow_none=True)
    reason = fields.String(required=True, allow_none=True)
    details = fields.Dict(required=True, keys=fields.String())
    hash = fields.String(
        required=True, metadata=description("SHA-256 of the hash before, the number in 8 bytes, and the body.")
    )


class ActPageDocument(Schema):
    """A page of the record, newest acts first."""

    acts = fields.List(fields.Nested(AdministrativeActDocument), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=description("`before` of the next page; null: last page.")
    )


class BlockRequest(TypedDict):
    """A loaded `NewBlock`."""

    until: datetime
    reason: str


class NewBlock(Schema):
    """Until when a player is blocked, and why."""

    until = fields.AwareDateTime(
        required=True,
        format="iso",
        error_messages={"invalid": NO_TIME, "invalid_awareness": NO_TIME},
        metadata=description("Time with a zone, in the next ten years."),
    )
    reason = prose(LONGEST_REASON, required=True, metadata=description("The reason, shown to the player."))


class BlockDocument(Schema):
    """A block of a player and the player's bots."""

    player = fields.Nested(Involved, required=True)
    since = moment(required=True)
    until = moment(required=True)
    reason = fields.String(required=True)
    by = fields.Nested(Involved, required=True)


class BlockList(Schema):
    """Blocks in force, those that end first before others."""

    blocks = fields.List(fields.Nested(BlockDocument), required=True)


class BlockListQuery(Schema):
    """How many blocks."""

    limit = number(1, 1000, load_default=100)


class LoadedBlockListQuery(TypedDict):
    """A loaded `BlockListQuery`."""

    limit: int


class NewNameBody(TypedDict):
    """A loaded `NewName`."""

    name: str | None
    reason: str


class NewName(Schema):
    """Another name for a player, and why."""

    name = text(80, load_default=None, allow_none=True, metadata=description("Left out: a generated name."))
    reason = prose(LONGEST_REASON, required=True, metadata=description("For the record; write no names."))


class UnblockBody(TypedDict):
    """A loaded `Unblocking`."""

    reason: str


class Unblocking(Schema):
    """Why a block ends early."""

    reason = prose(LONGEST_REASON, required=True, metadata=description("For the record; write no names."))


class StaleQuery(Schema):
    """Which games are stale, and how many are listed."""

    open_days = number(1, 3650, load_default=14, metadata=description("Days since an open table was made."))
    idle_days = number(1, 3650, load_default=90, metadata=description("Days since the last event of a running game."))
    limit = number(1, MOST, load_default=MOST)


class LoadedStaleQuery(TypedDict):
    """A loaded `StaleQuery`."""

    open_days: int
    idle_days: int
    limit: int


class EndStaleBody(TypedDict):
    """A loaded `EndStale`."""

    open_days: int
    idle_days: int
    games: list[UUID]
    reason: str


class EndStale(Schema):
    """Games of the list that end if they are still stale by these ages, and the reason."""

    open_days = integer(1, 3650, load_default=14, metadata=description("Days since an open table was made."))
    idle_days = integer(1, 3650, load_default=90, metadata=description("Days since the last event of a running game."))
    games = fields.List(fields.UUID(), required=True, validate=validate.Length(1, MOST))
    reason = prose(
        LONGEST_REASON, required=True, metadata=description("The reason, shown to all readers of the games.")
    )


class StaleGameDocument(Schema):
    """A stale game."""

    id = fields.UUID(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True)
    host = fields.Nested(Involved, required=True, allow_none=True)
    created = moment(required=True)
    changed = moment(required=True)


class StaleGameList(Schema):
    """Stale games, those that are idle longest first."""

    games = fields.List(fields.Nested(StaleGameDocument), required=True)


class EndedStaleGames(Schema):
    """Which games were ended."""

    ended = fields.List(fields.UUID(), required=True)
    left = fields.List(
        fields.UUID(), required=True, metadata=description("Games that stay: over, changed since, or not there.")
    )


class LoadedCursorQuery(TypedDict):
    """A loaded `CursorQuery`."""

    after: str | None
    limit: int


class ThingFields(Schema):
    """Names a thing."""

    about = fields.String(required=True, validate=validate.OneOf(things.KINDS), metadata=description("Kind of thing."))
    id = fields.UUID(required=True, metadata=description("Id of the player, game, study or tournament."))
    number = integer(
        0,
        VERSION,
        load_default=0,
        metadata=description(
            "Which one in it: the number of the chapter or comment, the `version` of the question or marks, the number "
            "of the event with the reason; 0 for the thing itself."
        ),
    )


class CursorQuery(Schema):
    """A page of a list."""

    after = text(200, load_default=None, allow_none=False, metadata=description("Cursor of the page before."))
    limit = number(1, 100, load_default=50)

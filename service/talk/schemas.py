"""Schemas of table talk."""

from typing import TypedDict
from uuid import UUID

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.games.schemas.queries import VERSION, number
from service.talk.places import REASONS
from service.talk.rooms import ROOMS
from service.talk.texts import LONGEST
from service.web.schema_fields import StrictBoolean, description, integer, moment, prose

MOST = 200  # messages in one answer
MUTABLE = ("player", "game", "tournament")


class LoadedTalkQuery(TypedDict):
    """A loaded `TalkQuery`."""

    after: int | None
    before: int | None
    limit: int


class TalkQuery(Schema):
    """Which messages of a talk are asked for; without a number the newest."""

    after = number(0, VERSION, load_default=None, metadata=description("Only messages with greater numbers."))
    before = number(1, VERSION, load_default=None, metadata=description("Only messages with smaller numbers."))
    limit = number(1, MOST, load_default=50)


class WriteBody(TypedDict):
    """A loaded `NewMessage`."""

    text: str


class NewMessage(Schema):
    """A message to write."""

    text = prose(LONGEST, required=True, metadata=description("One line; invisible characters are taken out."))


class RoomBody(TypedDict):
    """A loaded `RoomState`."""

    room: str
    closed: bool


class RoomState(Schema):
    """A room, and whether it is closed to writers."""

    room = fields.String(required=True, validate=validate.OneOf(ROOMS))
    closed = StrictBoolean(required=True)


class ReadBody(TypedDict):
    """A loaded `ReadUpTo`."""

    number: int


class ReadUpTo(Schema):
    """The last message that the client has shown its player."""

    number = integer(0, VERSION, required=True)


class ReadingBody(TypedDict):
    """A loaded `NewReading`."""

    covers: bool | None
    about: str | None
    id: UUID | None
    mutes: bool


class NewReading(Schema):
    """How the player wants to read; what is left out stays."""

    covers = StrictBoolean(load_default=None, metadata=description("Whether rough words are covered; off at first."))
    about = fields.String(
        load_default=None, validate=validate.OneOf(MUTABLE), metadata=description("Kind of what is muted.")
    )
    id = fields.UUID(load_default=None, metadata=description("Id of what is muted."))
    mutes = StrictBoolean(load_default=True, metadata=description("False: it is heard again."))

    @validates_schema
    def complete(self, data: ReadingBody, **_more: object) -> None:
        """Raises ValidationError unless both the kind and the id of what is muted are given, or none."""
        if (data["about"] is None) is not (data["id"] is None):
            raise ValidationError("is missing", "id" if data["id"] is None else "about")


class MessageWriter(Schema):
    """Who wrote a message."""

    id = fields.UUID(required=True)
    name = fields.String(required=True, allow_none=True)
    seat = fields.Integer(required=True, allow_none=True, metadata=description("The chair at the table, from 0."))


class TalkMessage(Schema):
    """A message; the text is null when it was erased or hidden, or when the reader mutes its writer."""

    number = fields.Integer(required=True)
    room = fields.String(required=True, validate=validate.OneOf(ROOMS))
    at = moment(required=True)
    by = fields.Nested(MessageWriter, required=True)
    state = fields.String(required=True, validate=validate.OneOf(("shown", "erased", "hidden", "muted")))
    text = fields.String(required=True, allow_none=True)
    rough = fields.List(
        fields.List(fields.Integer()),
        required=True,
        metadata=description("Places of rough words in the text, in characters: where each begins, and ends."),
    )


class TalkDocument(Schema):
    """Some messages of a talk, oldest first, and what the client may do in it."""

    messages = fields.List(fields.Nested(TalkMessage), required=True)
    more = fields.Boolean(
        required=True, metadata=description("Whether there are further ones: newer ones with `after`, else older ones.")
    )
    newest = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata=description("By room that the client reads: the number of the newest message."),
    )
    changes = fields.Integer(
        required=True, metadata=description("Grows when messages are erased or hidden, and rooms closed or opened.")
    )
    writes = fields.String(
        required=True, allow_none=True, metadata=description("The room in which the client may write now.")
    )
    reason = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(tuple(REASONS)),
        metadata=description("Why the client may not write now."),
    )
    closed = fields.List(fields.String(), required=True, metadata=description("Rooms that are closed to writers."))
    may_close = fields.Boolean(required=True)
    silent = fields.Boolean(
        required=True, metadata=description("Whether the players agreed on silence until the end of the game.")
    )
    covers = fields.Boolean(required=True, metadata=description("Whether the reader has rough words covered."))
    muted = fields.Boolean(required=True, metadata=description("Whether the reader has muted this talk."))
    read = fields.Integer(required=True, metadata=description("The last message that the reader has read."))
    unread = fields.Integer(required=True, metadata=description("Messages of others after it, at most 100."))


class MutedThing(Schema):
    """A player, or the talk of a game or tournament, that the player mutes."""

    about = fields.String(required=True, validate=validate.OneOf(MUTABLE))
    id = fields.UUID(required=True)
    name = fields.String(required=True, allow_none=True, metadata=description("Of a player."))


class UnreadTalk(Schema):
    """A game with messages of its players that the player has not read."""

    game = fields.UUID(required=True)
    unread = fields.Integer(required=True, metadata=description("At most 100."))


class ReadingDocument(Schema):
    """How the player reads table talk, and what waits to be read in its 200 newest games."""

    covers = fields.Boolean(required=True)
    mutes = fields.List(fields.Nested(MutedThing), required=True)
    unread = fields.List(fields.Nested(UnreadTalk), required=True)

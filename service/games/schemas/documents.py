"""Games, events and moves as clients get them."""

from marshmallow import Schema, fields, validate

from service.games.schemas.lifecycle import STATUSES
from service.web.schema_fields import description


class TurnDocument(Schema):
    """The seat to act and its decision."""

    seat = fields.Integer(required=True)
    decision = fields.String(required=True)


class EventDocument(Schema):
    """An event: the fields of its canonical bytes, and its hash."""

    stream = fields.UUID(required=True)
    seq = fields.Integer(required=True)
    kind = fields.String(required=True)
    shape = fields.Integer(required=True)
    actor = fields.String(required=True)
    at = fields.Integer(required=True, metadata=description("microseconds since 1970, UTC"))
    rules = fields.String(required=True)
    salt = fields.String(required=True, allow_none=True)
    prev = fields.String(required=True)
    hash = fields.String(required=True)
    data = fields.Dict(required=True)
    withheld = fields.List(fields.String(), metadata=description("what is kept from you while the game runs"))


class AppendedDocument(Schema):
    """The first event of a command, and the state after all its events."""

    event = fields.Raw(required=True, metadata={"type": "object", "description": "the event, as the log has it"})
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    turn = fields.Nested(TurnDocument, required=True, allow_none=True)
    receipt = fields.String(
        metadata=description("the signed word that the event is in the book and will be in the public log")
    )


class ForcedDocument(Schema):
    """A forced move, which the service made for its seat."""

    seat = fields.Integer(required=True)
    move = fields.String(required=True)


class Tried(Schema):
    """The result of a dry run."""

    move = fields.String(required=True, metadata=description("in canonical spelling"))
    version = fields.Integer(required=True, metadata=description("the version it was tried on"))
    then = fields.List(fields.Nested(ForcedDocument), required=True)
    facts = fields.List(fields.List(fields.Raw()), required=True)
    turn = fields.Nested(TurnDocument, required=True, allow_none=True)
    chance = fields.String(
        required=True,
        validate=validate.OneOf(("none", "hidden")),
        metadata=description("hidden: the move draws or uncovers a secret; neither that nor what follows is revealed"),
    )
    drawn_from = fields.List(fields.String(), required=True, metadata=description("what could be drawn"))


class Person(Schema):
    """A player by id and, before an erasure, by name."""

    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class LinkDocument(Schema):
    """The newest link that a seat has revealed."""

    number = fields.Integer(required=True)
    value = fields.String(required=True)


class SeatDocument(Schema):
    """A seat at the table."""

    seat = fields.Integer(required=True, allow_none=True, metadata=description("in turn order; null before the start"))
    chair = fields.Integer(required=True, metadata=description("as the table was laid"))
    player = fields.Nested(Person, required=True, allow_none=True)
    kept_for = fields.String(required=True, metadata=description("open, invite, player:ID or bot:LEVEL"))
    bot = fields.String(required=True, allow_none=True, metadata=description("the bot of the house that sits here"))
    entrant = fields.Integer(required=True, allow_none=True, metadata=description("the number in the tournament"))
    name = fields.String(
        required=True, allow_none=True, metadata=description("of who sat there, in an imported record")
    )
    program = fields.Boolean(required=True, metadata=description("its player is the account of a bot"))
    stand_in = fields.String(
        required=True, allow_none=True, metadata=description("the bot that plays on for who is gone")
    )
    forfeited = fields.Boolean(required=True)
    absent = fields.Boolean(required=True, metadata=description("its player never came: last place and no points"))
    promised = fields.Boolean(required=True, metadata=description("its player means to send a commitment"))
    commitment = fields.String(required=True, allow_none=True)
    entropy = fields.String(required=True, allow_none=True)
    key = fields.String(required=True, allow_none=True, metadata=description("the key it signs each of its moves with"))
    link = fields.Nested(LinkDocument, required=True, allow_none=True)


class ClockDocument(Schema):
    """The clock and the remaining time."""

    kind = fields.String(required=True)
    seconds = fields.Integer()
    increment = fields.Integer()
    banks = fields.List(fields.Integer(), metadata=description("microseconds left in the banks, by seat"))
    running = fields.Integer(allow_none=True, metadata=description("the seat whose clock runs"))
    since = fields.String(allow_none=True, metadata=description("when it began to run"))
    deadline = fields.String(required=True, allow_none=True, metadata=description("when something happens by itself"))


class Deal(Schema):
    """The commitments to the deal."""

    level = fields.Integer(required=True)
    commitment = fields.String(required=True, allow_none=True, metadata=description("of the server to its seed"))
    seed = fields.String(
        required=True, allow_none=True, metadata=description("declared (level 0) or revealed at the end")
    )
    chosen = fields.Boolean(
        required=True,
        allow_none=True,
        metadata=description("level 0: whether the host chose the seed; null: nothing says so"),
    )
    draws = fields.Integer(required=True)
    closed = fields.Integer(
        required=True, allow_none=True, metadata=description("the event that closed the commitments")
    )
    waits_for = fields.String(required=True, allow_none=True, metadata=description("players, commitments or entropies"))


class OfferDocument(Schema):
    """A seat's offer, and the seats that have agreed."""

    what = fields.String(required=True)
    seat = fields.Integer(required=True)
    to = fields.Integer(required=True, allow_none=True)
    agreed = fields.List(fields.Integer(), required=True)


class ResultDocument(Schema):
    """The result of a game; an aborted game has only a cause."""

    cause = fields.String(required=True)
    points = fields.List(fields.Integer())
    tie_break = fields.List(fields.Integer())
    places = fields.List(fields.Integer(), metadata=description("1 is best, shared when tied, by seat"))


class TournamentTable(Schema):
    """The table of a tournament game."""

    title = fields.String(required=True, allow_none=True, metadata=description("of the tournament"))
    round = fields.Integer(required=True)
    table = fields.Integer(required=True)


class RecordHeader(Schema):
    """A header of an imported record."""

    name = fields.String(required=True)
    value = fields.String(required=True)


class WrittenRecord(Schema):
    """The written record of an imported game, besides the moves."""

    names = fields.List(fields.String(), required=True, metadata=description("by seat; empty where it names nobody"))
    place = fields.String(required=True, allow_none=True)
    headers = fields.List(fields.Nested(RecordHeader), required=True, metadata=description("all others that it has"))
    comments = fields.List(fields.String(), required=True, metadata=description("at its head"))
    below = fields.List(fields.String(), required=True, metadata=description("comments after the last move"))


class GameDocument(Schema):
    """A game without its board."""

    id = fields.UUID(required=True)
    game = fields.String(required=True)
    rules = fields.String(required=True)
    options = fields.Dict(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    host = fields.Nested(Person, required=True, allow_none=True)
    rated = fields.Boolean(required=True)
    visibility = fields.String(required=True)
    leaver = fields.String(required=True)
    seats = fields.List(fields.Nested(SeatDocument), required=True)
    turn = fields.Nested(TurnDocument, required=True, allow_none=True)
    clock = fields.Nested(ClockDocument, required=True)
    chance = fields.Nested(Deal, required=True)
    offer = fields.Nested(OfferDocument, required=True, allow_none=True)
    result = fields.Nested(ResultDocument, required=True, allow_none=True)
    tournament = fields.String(required=True, allow_none=True)
    tournament_table = fields.Nested(TournamentTable, required=True, allow_none=True)
    rematch_of = fields.String(required=True, allow_none=True)
    spectator_delay = fields.Integer(required=True)
    imported = fields.Boolean(required=True)
    record = fields.Nested(
        WrittenRecord, required=True, allow_none=True, metadata=description("null: the game was played here")
    )
    created = fields.String(required=True)
    changed = fields.String(required=True)
    invites = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata=description("for the host: codes of chairs kept by invitation"),
    )

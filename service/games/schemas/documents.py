"""Games, events and moves as clients get them."""

from marshmallow import Schema, fields, validate

from service.games.schemas.lifecycle import STATUSES
from service.players.schemas import Manifest
from service.web.schema_fields import description, moment


class TurnDocument(Schema):
    """The seat to act and its decision."""

    seat = fields.Integer(required=True)
    decision = fields.String(required=True)


class EventDocument(Schema):
    """An event: the fields of its canonical bytes, its hash, and its time in ISO 8601."""

    stream = fields.UUID(required=True)
    seq = fields.Integer(required=True)
    kind = fields.String(required=True)
    shape = fields.Integer(required=True)
    actor = fields.String(required=True)
    at = fields.Integer(
        required=True, metadata=description("Microseconds since 1970, UTC, as they are hashed; see `time`.")
    )
    time = moment(required=True, metadata=description("The same time as `at`."))
    rules = fields.String(required=True)
    salt = fields.String(required=True, allow_none=True)
    prev = fields.String(required=True)
    hash = fields.String(required=True)
    data = fields.Dict(required=True)
    withheld = fields.List(
        fields.String(), metadata=description("Names of the fields that are hidden from you while the game runs.")
    )


class AppendedDocument(Schema):
    """The first event of a command, and the state after all its events."""

    event = fields.Raw(required=True, metadata={"type": "object", "description": "the event, as the log has it"})
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    turn = fields.Nested(TurnDocument, required=True, allow_none=True)
    receipt = fields.String(
        metadata=description("Signed receipt: the event is stored and will be published in the public log.")
    )


class ForcedDocument(Schema):
    """A forced move, which the service made for its seat."""

    seat = fields.Integer(required=True)
    move = fields.String(required=True)


class Tried(Schema):
    """The result of a dry run."""

    move = fields.String(required=True, metadata=description("The move in canonical notation."))
    version = fields.Integer(required=True, metadata=description("The version the move was tried on."))
    then = fields.List(fields.Nested(ForcedDocument), required=True)
    facts = fields.List(fields.List(fields.Raw()), required=True)
    turn = fields.Nested(TurnDocument, required=True, allow_none=True)
    chance = fields.String(
        required=True,
        validate=validate.OneOf(("none", "hidden")),
        metadata=description("Hidden: the move draws or reveals a secret, so its result is not returned."),
    )
    drawn_from = fields.List(fields.String(), required=True, metadata=description("What the draw can bring."))


class Person(Schema):
    """A player by id and, before an erasure, by name."""

    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class BotDescriptionDocument(Schema):
    """What the owner of a bot says of it, wherever the bot appears."""

    engine = fields.String(required=True, allow_none=True)
    manifest = fields.Nested(Manifest, required=True, allow_none=True)


class LinkDocument(Schema):
    """The newest link that a seat has revealed."""

    number = fields.Integer(required=True)
    value = fields.String(required=True)


class SeatDocument(Schema):
    """A seat at the table."""

    seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata=description("Number of the seat in turn order, from 0; null before the start."),
    )
    chair = fields.Integer(
        required=True, metadata=description("Number of the chair as the host arranged them, from 0.")
    )
    player = fields.Nested(Person, required=True, allow_none=True)
    kept_for = fields.String(required=True, metadata=description("Open, invite, player:ID or bot:LEVEL."))
    bot = fields.String(required=True, allow_none=True, metadata=description("Level of the built-in bot in this seat."))
    entrant = fields.Integer(
        required=True, allow_none=True, metadata=description("Number of the entrant in the tournament.")
    )
    name = fields.String(
        required=True,
        allow_none=True,
        metadata=description("Name in an imported record; name of a built-in bot: Greta (greedy)."),
    )
    program = fields.Boolean(required=True, metadata=description("Whether the player is a bot's account."))
    about = fields.Nested(
        BotDescriptionDocument,
        required=True,
        allow_none=True,
        metadata=description("Of a bot's account: its engine and manifest; null: no such account, or hidden."),
    )
    stand_in = fields.String(
        required=True, allow_none=True, metadata=description("The bot that plays on for a player who left.")
    )
    forfeited = fields.Boolean(required=True)
    absent = fields.Boolean(
        required=True, metadata=description("Whether the player never came: last place and no points.")
    )
    away_until = moment(
        required=True, allow_none=True, metadata=description("End of the player's days away; null: not away.")
    )
    promised = fields.Boolean(required=True, metadata=description("Whether the player announced a commitment."))
    commitment = fields.String(required=True, allow_none=True)
    entropy = fields.String(required=True, allow_none=True)
    key = fields.String(
        required=True, allow_none=True, metadata=description("Public key that signs each move of this seat.")
    )
    link = fields.Nested(LinkDocument, required=True, allow_none=True)


class ClockDocument(Schema):
    """The clock and the remaining time."""

    kind = fields.String(required=True)
    seconds = fields.Integer()
    increment = fields.Integer()
    banks = fields.List(fields.Float(), metadata=description("Seconds left in the time banks, by seat."))
    running = fields.Integer(allow_none=True, metadata=description("The seat whose clock runs."))
    since = moment(allow_none=True, metadata=description("Time at which the clock began to run."))
    deadline = moment(required=True, allow_none=True, metadata=description("Time at which the clock runs out."))
    paused_until = moment(allow_none=True, metadata=description("End of the agreed pause; null: none."))
    stands_until = moment(
        allow_none=True,
        metadata=description("Time at which the clock goes on, for a pause or days away; null: it has not stood."),
    )


class Deal(Schema):
    """The commitments to the deal."""

    level = fields.Integer(required=True)
    commitment = fields.String(
        required=True, allow_none=True, metadata=description("Commitment of the server to its seed.")
    )
    seed = fields.String(
        required=True, allow_none=True, metadata=description("The seed, declared (level 0) or revealed at the end.")
    )
    chosen = fields.Boolean(
        required=True,
        allow_none=True,
        metadata=description("Level 0: whether the host chose the seed; null: not recorded."),
    )
    draws = fields.Integer(required=True)
    closed = fields.Integer(
        required=True, allow_none=True, metadata=description("Number of the event that closed the commitments.")
    )
    waits_for = fields.String(
        required=True, allow_none=True, metadata=description("Players, commitments or entropies.")
    )


class OfferDocument(Schema):
    """A seat's offer, and the seats that have agreed."""

    what = fields.String(required=True)
    seat = fields.Integer(required=True)
    to = fields.Integer(required=True, allow_none=True)
    agreed = fields.List(fields.Integer(), required=True)
    seconds = fields.Integer(required=True, allow_none=True, metadata=description("Length of a proposed pause."))


class ResultDocument(Schema):
    """The result of a game; an aborted game has only a cause."""

    cause = fields.String(required=True)
    points = fields.List(fields.Integer())
    tie_break = fields.List(fields.Integer())
    places = fields.List(fields.Integer(), metadata=description("Place of each seat; 1 is best, ties share a place."))


class TournamentTable(Schema):
    """The table of a tournament game."""

    title = fields.String(required=True, allow_none=True, metadata=description("Title of the tournament."))
    round = fields.Integer(required=True)
    table = fields.Integer(required=True)


class RecordHeader(Schema):
    """A header of an imported record."""

    name = fields.String(required=True)
    value = fields.String(required=True)


class WrittenRecord(Schema):
    """The written record of an imported game, besides the moves."""

    names = fields.List(
        fields.String(),
        required=True,
        metadata=description("Names of the players by seat; empty where the record has none."),
    )
    place = fields.String(required=True, allow_none=True)
    headers = fields.List(
        fields.Nested(RecordHeader), required=True, metadata=description("All other headers of the record.")
    )
    comments = fields.List(fields.String(), required=True, metadata=description("Comments at the head of the record."))
    below = fields.List(fields.String(), required=True, metadata=description("Comments after the last move."))


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
    expires = moment(
        required=True,
        allow_none=True,
        metadata=description("Announced time at which the table is removed unless a player joins."),
    )
    spectator_delay = fields.Integer(required=True)
    silent = fields.Boolean(
        required=True, metadata=description("Whether the players write nothing at the table until the game ends.")
    )
    pauses = fields.Boolean(
        required=True,
        metadata=description("Whether clocks stop for agreed pauses, and slow ones while a player is away."),
    )
    imported = fields.Boolean(required=True)
    record = fields.Nested(
        WrittenRecord,
        required=True,
        allow_none=True,
        metadata=description("The imported record; null: the game was played here."),
    )
    created = moment(required=True)
    changed = moment(required=True)
    invites = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata=description("For the host: invitation codes of reserved chairs."),
    )

"""Schemas of games, seats and moves."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from projections.games import clocks
from projections.games.record import BOT
from projections.rules.registry import GAMES
from service.games.clocks import FORFEIT
from service.games.house_bots import LEVELS
from service.web.schema_fields import StrictBoolean, description, hexadecimal, integer, prose, text

LONGEST_CLOCK = 366 * 86_400
LONGEST_REASON = 2_000
STATUSES = ("open", "running", "finished", "aborted")
VISIBILITIES = ("public", "unlisted", "private")


class ClockSetting(Schema):
    """The time control."""

    kind = fields.String(required=True, validate=validate.OneOf(tuple(clocks.FIELDS)))
    seconds = integer(1, LONGEST_CLOCK, metadata=description("for each move, or in the bank"))
    increment = integer(0, LONGEST_CLOCK, metadata=description("what is added to the bank for each turn"))

    @validates_schema
    def complete(self, data: dict[str, Any], **_more: Any) -> None:
        """Raises ValidationError unless the fields fit the kind of clock."""
        taken = clocks.FIELDS[data["kind"]]
        for name in ("seconds", "increment"):
            if (name in taken) is not (name in data):
                reason = "is missing" if name in taken else "does not go with this kind of clock"
                raise ValidationError(reason, name)


class Brought(Schema):
    """A seat's contribution to the deal, as the game's level of committed chance requires."""

    commitment = hexadecimal(metadata=description("levels 2 and 3: of the seat's entropy"))
    entropy = hexadecimal(metadata=description("level 1: in clear"))
    chain = hexadecimal(metadata=description("level 3: link 0 of the seat's hash chain"))
    echo = hexadecimal(metadata=description("the server's commitment, which a commitment answers"))
    commits = StrictBoolean(
        load_default=False,
        metadata=description("the commitment follows with another request, and the start waits for it"),
    )
    signs = StrictBoolean(
        load_default=False,
        metadata=description("every move of the seat will be signed with the player's registered key"),
    )


class StartPlayer(fields.Field[int | None]):
    """The chair that starts, or `random`; None for a random one."""

    def __init__(self, **more: Any) -> None:
        number = {"type": "integer", "minimum": 0, "maximum": 4}
        super().__init__(
            metadata={"oneOf": [{"const": "random"}, number, {"type": "null"}], "description": "who starts: a chair"},
            **more,
        )

    def _deserialize(self, value: Any, *_where: Any, **_more: Any) -> int | None:
        if value == "random":
            return None
        if type(value) is int and 0 <= value <= 4:
            return value
        raise ValidationError("random, or the number of a chair")


class NewGame(Brought):
    """A new game."""

    game = fields.String(required=True, validate=validate.OneOf(tuple(GAMES)))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    seats = fields.List(
        text(80),
        required=True,
        validate=validate.Length(1, 5),
        metadata=description("me, open, invite, bot:LEVEL or a player's id"),
    )
    clock = fields.Nested(ClockSetting, load_default=lambda: {"kind": clocks.NONE})
    rated = StrictBoolean(load_default=False)
    visibility = fields.String(load_default="public", validate=validate.OneOf(VISIBILITIES))
    chance = integer(0, 3, allow_none=True, load_default=None, metadata=description("level of committed chance"))
    seed = hexadecimal(metadata=description("level 0: the chosen seed"))
    start_player = StartPlayer(load_default=None, allow_none=True)
    leaver = fields.String(
        load_default="bot:random",
        validate=validate.OneOf((FORFEIT, *(BOT + level for level in LEVELS))),
        metadata=description("what becomes of a seat whose player resigns or runs out of time"),
    )
    spectator_delay = integer(
        0, 100, load_default=0, metadata=description("how many events those who do not play are behind")
    )


class Join(Brought):
    """A seat to take, or the commitment that the player's seat still owes."""

    chair = integer(
        0,
        4,
        allow_none=True,
        load_default=None,
        metadata=description("left out: the one kept for you, or the first free"),
    )
    invite = text(
        64, allow_none=True, load_default=None, metadata=description("the code of a chair kept by invitation")
    )


class Reveal(Schema):
    """The entropy that the player's seat has committed to."""

    entropy = hexadecimal(required=True)


class NewMove(Schema):
    """A move in the game's notation."""

    move = text(512, required=True)
    expected = integer(
        0, 2**53 - 1, allow_none=True, load_default=None, metadata=description("the version the client saw")
    )
    expected_head = hexadecimal(
        allow_none=True,
        load_default=None,
        metadata=description("the hash of the newest event the client saw; the event keeps it"),
    )
    link = hexadecimal(
        allow_none=True, load_default=None, metadata=description("level 3: the next link of the seat's hash chain")
    )
    signature = hexadecimal(
        64, allow_none=True, load_default=None, metadata=description("Ed25519, of a seat that signs its moves")
    )


class Trying(Schema):
    """The choice of a dry run."""

    dry_run = fields.Boolean(load_default=False, metadata=description("answers what would happen, and stores nothing"))


class ExpectedHistory(Schema):
    """The version that the client has seen."""

    expected = integer(
        0, 2**53 - 1, allow_none=True, load_default=None, metadata=description("the version the client saw")
    )


class TakeBack(ExpectedHistory):
    """The version to return to."""

    to = integer(1, 2**53 - 1, required=True)


class Rematch(ExpectedHistory):
    """The proposal of a rematch."""

    commits = StrictBoolean(load_default=False, metadata=description("levels 2 and 3: the commitment follows"))


class NewerRules(ExpectedHistory):
    """The newer rules for a game, and the reason."""

    to = fields.String(
        required=True, validate=validate.Length(1, 64), metadata=description("a version of the game's rules")
    )
    reason = prose(LONGEST_REASON, required=True, metadata=description("for everybody who reads the game"))


class OfferAnswer(ExpectedHistory):
    """Consent to another seat's offer, or its refusal."""

    agrees = StrictBoolean(required=True)


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

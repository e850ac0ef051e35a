"""Schemas of games, seats and moves."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from projections.games import clocks
from projections.games.record import BOT
from projections.rules.registry import GAMES
from service.games.decisions.clocks import FORFEIT
from service.games.house_bots import LEVELS
from service.web.schema_fields import StrictBoolean, description, hexadecimal, integer, prose, text

LONGEST_CLOCK = 366 * 86_400
LONGEST_REASON = 2_000
SHORTEST_PAUSE, LONGEST_PAUSE = 60, 30 * 86_400
STATUSES = ("open", "running", "finished", "aborted")
VISIBILITIES = ("public", "unlisted", "private")


class ClockSetting(Schema):
    """The time control."""

    kind = fields.String(required=True, validate=validate.OneOf(tuple(clocks.FIELDS)))
    seconds = integer(1, LONGEST_CLOCK, metadata=description("Time for each move, or in the bank."))
    increment = integer(0, LONGEST_CLOCK, metadata=description("Time added to the bank for each turn."))

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

    commitment = hexadecimal(metadata=description("Levels 2 and 3: commitment to the seat's entropy."))
    entropy = hexadecimal(metadata=description("Level 1: the seat's entropy."))
    chain = hexadecimal(metadata=description("Level 3: link 0 of the seat's hash chain."))
    echo = hexadecimal(metadata=description("The server's commitment that this commitment answers."))
    commits = StrictBoolean(
        load_default=False,
        metadata=description("The commitment follows in another request; the start waits for it."),
    )
    signs = StrictBoolean(
        load_default=False,
        metadata=description("The player signs every move of the seat with the registered key."),
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


class GameTerms(Schema):
    """What is agreed of a new game, besides its seats."""

    game = fields.String(required=True, validate=validate.OneOf(tuple(GAMES)))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    clock = fields.Nested(ClockSetting, load_default=lambda: {"kind": clocks.NONE})
    rated = StrictBoolean(load_default=False)
    visibility = fields.String(load_default="public", validate=validate.OneOf(VISIBILITIES))
    chance = integer(0, 3, allow_none=True, load_default=None, metadata=description("Level of committed chance."))
    start_player = StartPlayer(load_default=None, allow_none=True)
    leaver = fields.String(
        load_default="bot:random",
        validate=validate.OneOf((FORFEIT, *(BOT + level for level in LEVELS))),
        metadata=description("Rule for a seat whose player resigns or runs out of time."),
    )
    spectator_delay = integer(
        0, 100, load_default=0, metadata=description("Number of events by which spectators are behind.")
    )
    silent = StrictBoolean(
        load_default=False,
        metadata=description("Players agree, by taking a seat, to write nothing at the table until the game ends."),
    )
    pauses = StrictBoolean(
        load_default=True,
        metadata=description("Whether clocks stop for agreed pauses, and slow ones while a player is away."),
    )


class NewGame(Brought, GameTerms):
    """A new game."""

    seats = fields.List(
        text(80),
        required=True,
        validate=validate.Length(1, 5),
        metadata=description(
            "Me, open, invite, bot:LEVEL, a player's id or here:NAME, a person at your own screen, for each chair."
        ),
    )
    seed = hexadecimal(metadata=description("Level 0: the seed that the host chooses."))


class Join(Brought):
    """A seat to take, or the commitment that the player's seat still owes."""

    chair = integer(
        0,
        4,
        allow_none=True,
        load_default=None,
        metadata=description("The chair to take; left out: the one reserved for you, or the first free one."),
    )
    invite = text(64, allow_none=True, load_default=None, metadata=description("Invitation code of a reserved chair."))


class Reveal(Schema):
    """The entropy that the player's seat has committed to."""

    entropy = hexadecimal(required=True)


class NewMove(Schema):
    """A move in the game's notation."""

    move = text(512, required=True)
    expected = integer(
        0, 2**53 - 1, allow_none=True, load_default=None, metadata=description("The version the client saw.")
    )
    expected_head = hexadecimal(
        allow_none=True,
        load_default=None,
        metadata=description("Hash of the newest event the client saw; stored in the event."),
    )
    link = hexadecimal(
        allow_none=True, load_default=None, metadata=description("Level 3: next link of the seat's hash chain.")
    )
    signature = hexadecimal(
        64,
        allow_none=True,
        load_default=None,
        metadata=description("Ed25519 signature, for a seat that signs its moves."),
    )


class Trying(Schema):
    """The choice of a dry run."""

    dry_run = fields.Boolean(
        load_default=False, metadata=description("Returns the result of the move and stores nothing.")
    )


class ExpectedHistory(Schema):
    """The version that the client has seen."""

    expected = integer(
        0, 2**53 - 1, allow_none=True, load_default=None, metadata=description("The version the client saw.")
    )


class TakeBack(ExpectedHistory):
    """The version to return to."""

    to = integer(1, 2**53 - 1, required=True)


class Pause(ExpectedHistory):
    """The length of a proposed pause."""

    seconds = integer(
        SHORTEST_PAUSE,
        LONGEST_PAUSE,
        required=True,
        metadata=description("For how long the clocks stand, from the last consent on: a minute to 30 days."),
    )


class Rematch(ExpectedHistory):
    """The proposal of a rematch."""

    commits = StrictBoolean(
        load_default=False, metadata=description("Levels 2 and 3: the commitment follows in another request.")
    )


class NewerRules(ExpectedHistory):
    """The newer rules for a game, and the reason."""

    to = fields.String(
        required=True, validate=validate.Length(1, 64), metadata=description("The version of the rules to change to.")
    )
    reason = prose(LONGEST_REASON, required=True, metadata=description("The reason, shown to all readers of the game."))


class Abort(ExpectedHistory):
    """The end of a game without a result."""

    reason = prose(
        LONGEST_REASON,
        allow_none=True,
        load_default=None,
        metadata=description("The reason, shown to all readers; not for a proposal to abort."),
    )


class EndGameBody(ExpectedHistory):
    """The end of a game by an administrator."""

    reason = prose(LONGEST_REASON, required=True, metadata=description("The reason, shown to all readers of the game."))


class OfferAnswer(ExpectedHistory):
    """Consent to another seat's offer, or its refusal."""

    agrees = StrictBoolean(required=True)

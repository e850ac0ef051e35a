"""Schemas of the commands on tournaments."""

from marshmallow import Schema, fields, validate

from events.kinds.tournament import MOST_ENTRANTS
from projections.games import clocks
from projections.rules.registry import GAMES
from service.games.schemas.lifecycle import ClockSetting
from service.web.schema_fields import StrictBoolean, Timestamp, description, integer, player_id, prose, text

LONGEST_TITLE = 200
LONGEST_REASON = 2_000
LATEST = 2**53 - 1


class NoShow(Schema):
    """The time that a game waits for an absent entrant, and the rule that follows."""

    minutes = integer(1, 60 * 24 * 60, required=True)
    then = fields.String(
        load_default="leaver",
        validate=validate.OneOf(("leaver", "reserve")),
        metadata=description(
            "Consequence: as leaver says, with no points and the last place, or the reserve takes the seat."
        ),
    )


class Regulations(Schema):
    """The regulations of a tournament; publishing freezes them."""

    game = fields.String(required=True, validate=validate.OneOf(tuple(GAMES)))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    clock = fields.Nested(ClockSetting, load_default=lambda: {"kind": clocks.NONE})
    leaver = text(40, load_default="bot:random", metadata=description("Forfeit, or bot and the level that plays on."))
    chance = integer(
        0,
        3,
        load_default=None,
        allow_none=True,
        metadata=description(
            "Level of committed chance; left out: 2 where players sit down themselves, else 1, duplicate tables 0."
        ),
    )
    duplicate = StrictBoolean(
        load_default=False, metadata=description("The same deal at every table of a round; requires level 0.")
    )
    rated = StrictBoolean(load_default=False)
    spectator_delay = integer(0, 100, load_default=0)
    silent = StrictBoolean(
        load_default=False,
        metadata=description("Players agree, by entering, to write nothing at a table until its game ends."),
    )
    pauses = StrictBoolean(
        load_default=True,
        metadata=description("Whether clocks stop for agreed pauses, and slow ones while a player is away."),
    )
    stages = fields.List(
        fields.Dict(keys=fields.String()),
        required=True,
        validate=validate.Length(1, 20),
        metadata=description("Format, rounds, sizes, seats, scheme, criteria and advance of each stage."),
    )
    least = integer(2, MOST_ENTRANTS, load_default=2, metadata=description("Smallest number of entrants."))
    most = integer(
        2,
        MOST_ENTRANTS,
        load_default=None,
        allow_none=True,
        metadata=description("Largest number of entrants; more go to the reserve."),
    )
    entry = fields.String(load_default="open", validate=validate.OneOf(("open", "invited")))
    check_in = StrictBoolean(load_default=False)
    late_join = integer(0, 200, load_default=0, metadata=description("Last round that accepts late entries; 0: none."))
    no_show = fields.Nested(
        NoShow,
        load_default=None,
        allow_none=True,
        metadata=description("Rule for absent players; null: the service seats all players."),
    )
    bots = text(20, load_default=None, allow_none=True, metadata=description("Level of bots that may fill tables."))
    programs = StrictBoolean(load_default=False, metadata=description("Whether bots' accounts may enter."))
    forbidden = fields.List(
        fields.List(player_id(), validate=validate.Length(2, 2)),
        load_default=list,
        validate=validate.Length(0, 1_000),
        metadata=description("Pairs of players that never meet."),
    )
    pace = fields.String(
        load_default="director",
        validate=validate.OneOf(("director", "automatic")),
        metadata=description("Who starts the rounds."),
    )
    choosing = integer(1, 60 * 24 * 60, load_default=10, metadata=description("Minutes to choose or bid for seats."))
    time_zone = text(64, load_default="UTC")
    starts = Timestamp("When the tournament starts.", load_default=None, allow_none=True)
    ends = Timestamp("Expected end; prevents double bookings.", load_default=None, allow_none=True)


class TournamentDraft(Schema):
    """The title and regulations of a draft."""

    title = prose(LONGEST_TITLE, required=True)
    regulations = fields.Nested(Regulations, required=True)


class Declaration(TournamentDraft):
    """A new tournament."""

    visibility = fields.String(load_default="public", validate=validate.OneOf(("public", "unlisted")))


class Reasoned(Schema):
    """The reason of a command."""

    reason = prose(LONGEST_REASON, required=True)


class Named(Schema):
    """A player by id."""

    player = player_id(required=True)


class NewEntry(Schema):
    """A new entrant; by default the acting player."""

    player = player_id(load_default=None, allow_none=True, metadata=description("For directors: the player to enter."))
    bot = StrictBoolean(load_default=False, metadata=description("For directors: level of a bot that fills a seat."))


class Leaving(Schema):
    """The reason of a withdrawal or of closing a stage."""

    reason = prose(LONGEST_REASON, load_default=None, allow_none=True)


class Absence(Schema):
    """A round that an entrant sits out."""

    round = integer(1, 200, required=True)


class Repairing(Schema):
    """The reason to pair a round again; the first pairing needs none."""

    reason = prose(LONGEST_REASON, load_default=None, allow_none=True)
    expected = integer(
        1,
        LATEST,
        load_default=None,
        allow_none=True,
        metadata=description("The previewed version; the pairing is refused when it changed."),
    )


class SeatWish(Schema):
    """An entrant's wish for a seat."""

    wish = fields.List(
        integer(0, 10_000),
        required=True,
        validate=validate.Length(2, 5),
        metadata=description("By choice: seats in order of preference; by bids: half points for each seat."),
    )


class AtTable(Reasoned):
    """A ruling about a table."""

    round = integer(1, 200, required=True)
    table = integer(1, MOST_ENTRANTS, required=True)


class TimeAdded(AtTable):
    """More time for an entrant."""

    entrant = integer(1, MOST_ENTRANTS * 4, required=True)
    seconds = integer(1, 31 * 86_400, required=True)


class ResultRuled(AtTable):
    """The result of a table, seat by seat."""

    points = fields.List(integer(-1_000_000, 1_000_000), required=True, validate=validate.Length(2, 5))
    tie_break = fields.List(
        integer(-1_000_000, 1_000_000), load_default=None, allow_none=True, validate=validate.Length(2, 5)
    )
    places = fields.List(integer(1, 5), required=True, validate=validate.Length(2, 5))
    forfeited = fields.List(integer(0, 4), load_default=list, validate=validate.Length(0, 5))


class Substitution(AtTable):
    """An entrant takes over the seat of another."""

    entrant = integer(1, MOST_ENTRANTS * 4, required=True)
    by = integer(1, MOST_ENTRANTS * 4, required=True)


class Disqualification(Reasoned):
    """The disqualification of an entrant."""

    entrant = integer(1, MOST_ENTRANTS * 4, required=True)

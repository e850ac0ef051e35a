"""Tournaments: what hosts declare, what players say, what directors rule."""

from marshmallow import Schema, fields, validate

from events.kinds.tournament import MOST_ENTRANTS
from projections import clocks
from projections.games import GAMES
from service.schemas.fields import player_id, prose, text, told, whole
from service.schemas.games import ClockSetting

LONGEST_TITLE = 200
LONGEST_REASON = 2_000
LATEST = 2**53 - 1


class NoShow(Schema):
    """How long is waited for somebody, and what happens then."""

    minutes = whole(1, 60 * 24 * 60, required=True)
    then = fields.String(
        load_default="leaver",
        validate=validate.OneOf(("leaver", "reserve")),
        metadata=told("the seat is as if its player had left, or somebody from the reserve takes it"),
    )


class Regulations(Schema):
    """What a tournament is played by; published, it does not change any more."""

    game = fields.String(required=True, validate=validate.OneOf(tuple(GAMES)))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    clock = fields.Nested(ClockSetting, load_default=lambda: {"kind": clocks.NONE})
    leaver = text(40, load_default="bot:random", metadata=told("forfeit, or bot: and the level that plays on"))
    chance = whole(
        0,
        3,
        load_default=None,
        allow_none=True,
        metadata=told(
            "level of committed chance; left out: 2 where players sit down themselves, else 1, 0 for one deal"
        ),
    )
    duplicate = fields.Boolean(
        load_default=False, metadata=told("the same deal at every table of a round; takes level 0")
    )
    rated = fields.Boolean(load_default=False)
    spectator_delay = whole(0, 100, load_default=0)
    stages = fields.List(
        fields.Dict(keys=fields.String()),
        required=True,
        validate=validate.Length(1, 20),
        metadata=told("format, rounds, sizes, seats, scheme, criteria, advance of each stage"),
    )
    least = whole(2, MOST_ENTRANTS, load_default=2, metadata=told("entrants that it takes to begin"))
    most = whole(2, MOST_ENTRANTS, load_default=None, allow_none=True, metadata=told("more stand in the reserve"))
    entry = fields.String(load_default="open", validate=validate.OneOf(("open", "invited")))
    check_in = fields.Boolean(load_default=False)
    late_join = whole(0, 200, load_default=0, metadata=told("the last round somebody may still join for; 0: none"))
    no_show = fields.Nested(
        NoShow, load_default=None, allow_none=True, metadata=told("null: everybody is seated by the service")
    )
    bots = text(20, load_default=None, allow_none=True, metadata=told("the level of bots that may fill tables"))
    forbidden = fields.List(
        fields.List(player_id(), validate=validate.Length(2, 2)),
        load_default=list,
        validate=validate.Length(0, 1_000),
        metadata=told("pairs of players that never sit together"),
    )
    pace = fields.String(
        load_default="director",
        validate=validate.OneOf(("director", "automatic")),
        metadata=told("who moves the rounds on"),
    )
    choosing = whole(1, 60 * 24 * 60, load_default=10, metadata=told("minutes to choose or bid for seats"))
    time_zone = text(64, load_default="UTC")
    starts = whole(0, LATEST, load_default=None, allow_none=True, metadata=told("microseconds since 1970, UTC"))
    ends = whole(0, LATEST, load_default=None, allow_none=True, metadata=told("guards against double bookings"))


class Draft(Schema):
    """A tournament to be declared, or what it is changed into."""

    title = prose(LONGEST_TITLE, required=True)
    regulations = fields.Nested(Regulations, required=True)


class Declaration(Draft):
    """A tournament to be declared."""

    visibility = fields.String(load_default="public", validate=validate.OneOf(("public", "unlisted")))


class Reasoned(Schema):
    """Something that is done for a reason."""

    reason = prose(LONGEST_REASON, required=True)


class Named(Schema):
    """A player by id."""

    player = player_id(required=True)


class NewEntry(Schema):
    """Who enters; left out, the one who asks."""

    player = player_id(load_default=None, allow_none=True, metadata=told("for directors: somebody else"))
    bot = fields.Boolean(load_default=False, metadata=told("for directors: a bot that fills in"))


class Leaving(Schema):
    """Why somebody takes part no longer."""

    reason = prose(LONGEST_REASON, load_default=None, allow_none=True)


class Absence(Schema):
    """A round that somebody sits out."""

    round = whole(1, 200, required=True)


class Repairing(Schema):
    """Why a round is paired; the first pairing needs no reason."""

    reason = prose(LONGEST_REASON, load_default=None, allow_none=True)
    expected = whole(
        1, LATEST, load_default=None, allow_none=True, metadata=told("the version previewed; another refuses to pair")
    )


class SeatWish(Schema):
    """Where somebody wants to sit."""

    wish = fields.List(
        whole(0, 10_000),
        required=True,
        validate=validate.Length(2, 5),
        metadata=told("by choice: seats in the order of liking; by bids: half points for each seat"),
    )


class AtTable(Reasoned):
    """A ruling about a table."""

    round = whole(1, 200, required=True)
    table = whole(1, MOST_ENTRANTS, required=True)


class TimeAdded(AtTable):
    """More time for somebody."""

    entrant = whole(1, MOST_ENTRANTS * 4, required=True)
    seconds = whole(1, 31 * 86_400, required=True)


class ResultRuled(AtTable):
    """How a table ended, seat by seat."""

    points = fields.List(whole(-1_000_000, 1_000_000), required=True, validate=validate.Length(2, 5))
    tie_break = fields.List(
        whole(-1_000_000, 1_000_000), load_default=None, allow_none=True, validate=validate.Length(2, 5)
    )
    places = fields.List(whole(1, 5), required=True, validate=validate.Length(2, 5))
    forfeited = fields.List(whole(0, 4), load_default=list, validate=validate.Length(0, 5))


class Substitution(AtTable):
    """Somebody else takes a seat."""

    entrant = whole(1, MOST_ENTRANTS * 4, required=True)
    by = whole(1, MOST_ENTRANTS * 4, required=True)


class Disqualification(Reasoned):
    """Somebody takes part no longer."""

    entrant = whole(1, MOST_ENTRANTS * 4, required=True)


class StageQuery(Schema):
    """Which stage is asked about."""

    stage = fields.Integer(load_default=None, validate=validate.Range(1, 20), metadata=told("left out: the newest"))


class WhoQuery(StageQuery):
    """Whose figures are asked about."""

    entrant = fields.Integer(required=True, validate=validate.Range(1, MOST_ENTRANTS * 4))


class TournamentQuery(Schema):
    """Which tournaments are asked for."""

    status = fields.String(
        load_default=None, validate=validate.OneOf(("draft", "open", "running", "finished", "cancelled"))
    )
    game = fields.String(load_default=None, validate=validate.OneOf(tuple(GAMES)))
    player = player_id(load_default=None)
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))
    after = fields.String(load_default=None, validate=validate.Regexp(r"^[A-Za-z0-9_=-]{1,120}\Z"))


class PersonDocument(Schema):
    """A player by id, and by name as long as there is one."""

    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class TournamentDocument(Schema):
    """A tournament as it stands at a version."""

    id = fields.UUID(required=True)
    title = fields.String(required=True, allow_none=True)
    status = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    visibility = fields.String(required=True)
    host = fields.Nested(PersonDocument, required=True)
    directors = fields.List(fields.Nested(PersonDocument), required=True)
    regulations = fields.Raw(required=True, metadata={"type": "object", "description": "as they were declared"})
    hash = fields.String(required=True, allow_none=True, metadata=told("of the published regulations"))
    commitment = fields.String(required=True, allow_none=True, metadata=told("to the seed of all pairings"))
    seed = fields.String(required=True, allow_none=True, metadata=told("shown when the tournament is over"))
    doubts = fields.List(fields.Dict(), required=True, metadata=told("what a host should look at before publishing"))
    entrants = fields.Integer(required=True)
    stage = fields.Integer(required=True, allow_none=True)
    round = fields.Integer(required=True, allow_none=True)
    round_status = fields.String(required=True, allow_none=True)
    starts = fields.String(required=True, allow_none=True)
    ends = fields.String(required=True, allow_none=True)
    local = fields.Dict(required=True, metadata=told("start and end by the clocks of the tournament's time zone"))
    created = fields.String(required=True)
    changed = fields.String(required=True)


class Told(Schema):
    """Something computed from a tournament, and the version it was computed at."""

    tournament = fields.UUID(required=True)
    version = fields.Integer(required=True)


class EntrantsDocument(Told):
    """Everybody who entered, and who was invited."""

    entrants = fields.List(fields.Dict(), required=True)
    invited = fields.List(fields.Nested(PersonDocument), required=True)


class RoundDocument(Told):
    """A round: its tables, byes, the seed it was drawn from, and how far it has come."""

    round = fields.Integer(required=True)
    stage = fields.Integer(required=True)
    status = fields.String(required=True)
    attempt = fields.Integer(required=True)
    seed = fields.String(required=True)
    inputs = fields.Integer(required=True, metadata=told("the version of the tournament that it was paired from"))
    tables = fields.List(fields.Dict(), required=True)
    byes = fields.List(fields.Dict(), required=True)
    choose_by = fields.String(allow_none=True)
    sit_by = fields.String(allow_none=True)
    deal = fields.Dict(allow_none=True)


class RoundsDocument(Told):
    """All rounds so far."""

    rounds = fields.List(fields.Dict(), required=True)


class PairingDocument(Told):
    """A pairing with its reasons, each ending in numbers of events, and how good it is."""

    round = fields.Integer(required=True)
    attempt = fields.Integer(required=True)
    method = fields.String(required=True)
    tables = fields.List(fields.Dict(), required=True)
    byes = fields.List(fields.Dict(), required=True)
    reasons = fields.List(fields.Dict(), required=True)
    measures = fields.Dict(required=True)
    people = fields.Dict(required=True, metadata=told("who is who, by the player's id"))


class StandingsDocument(Told):
    """The standings of a stage, with what every figure is made of."""

    stage = fields.Integer(required=True)
    name = fields.String(required=True)
    criteria = fields.List(fields.String(), required=True)
    lines = fields.List(fields.Dict(), required=True)
    people = fields.Dict(required=True, metadata=told("who is who, by the player's id"))


class RankDocument(Told):
    """Why somebody stands where they stand."""

    stage = fields.Integer(required=True)
    line = fields.Dict(required=True)
    above = fields.Dict(required=True, allow_none=True, metadata=told("the line before, which this one stands below"))
    people = fields.Dict(required=True, metadata=told("who is who, by the player's id"))


class ReasonDocument(Schema):
    """Why something is as it is, and the events it rests on."""

    code = fields.String(required=True)
    player = fields.String(required=True, allow_none=True)
    says = fields.Dict(required=True)
    events = fields.List(fields.Integer(), required=True)


class AdvancingDocument(Told):
    """Who goes on from a stage, in the order that seeds the next."""

    stage = fields.Integer(required=True)
    closed = fields.Integer(required=True, allow_none=True, metadata=told("the event that closed it; null: it runs"))
    players = fields.List(fields.String(), required=True)
    alternates = fields.List(fields.String(), required=True, metadata=told("who comes in for somebody absent"))
    reasons = fields.List(fields.Nested(ReasonDocument), required=True)
    people = fields.Dict(required=True, metadata=told("who is who, by the player's id"))


class CrossTable(Told):
    """Who had what in which round."""

    stage = fields.Integer(required=True)
    rounds = fields.List(fields.Integer(), required=True)
    lines = fields.List(fields.Dict(), required=True)
    people = fields.Dict(required=True, metadata=told("who is who, by the player's id"))


class SeatStatistics(Schema):
    """How a seat did at tables of a size."""

    size = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    games = fields.Integer(required=True)
    wins = fields.String(required=True, metadata=told("a shared one is a part of one"))
    points = fields.String(required=True, metadata=told("place points on average"))
    place = fields.String(required=True, metadata=told("on average"))
    events = fields.List(fields.Integer(), required=True, metadata=told("that brought the results"))


class EndStatistics(Schema):
    """How many games something ended; a game may end for several reasons at once."""

    end = fields.String(required=True)
    games = fields.Integer(required=True)
    events = fields.List(fields.Integer(), required=True)


class Statistics(Told):
    """How the seats did in a stage, and what ended the games."""

    stage = fields.Integer(required=True)
    tables = fields.Integer(required=True, metadata=told("that count"))
    seats = fields.List(fields.Nested(SeatStatistics), required=True)
    ends = fields.List(fields.Nested(EndStatistics), required=True)


class RulingsDocument(Told):
    """What directors ruled, and why."""

    rulings = fields.List(fields.Dict(), required=True)


class TournamentRow(Schema):
    """A tournament in a list."""

    id = fields.UUID(required=True)
    title = fields.String(required=True, allow_none=True)
    game = fields.String(required=True)
    status = fields.String(required=True)
    host = fields.Nested(PersonDocument, required=True)
    entrants = fields.Integer(required=True)
    rounds = fields.Integer(required=True)
    starts = fields.String(required=True, allow_none=True)
    created = fields.String(required=True)


class TournamentList(Schema):
    """Tournaments, the newest first."""

    tournaments = fields.List(fields.Nested(TournamentRow), required=True)
    next = fields.String(required=True, allow_none=True)

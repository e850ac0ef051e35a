"""The kinds of event in the stream of a tournament: declaration, entries, rounds, results, rulings.

Entrants are numbered in the order in which they enter, rounds and stages from 1 on, tables within their round.
"""

from events.json_types import Json
from events.kinds.field_types import (
    ATOM,
    FLAG,
    HASH,
    ID,
    MICROSECONDS,
    NAME,
    OPTIONS,
    SEAT,
    UUID_TEXT,
    VERSION,
    FieldType,
    each,
    matching,
    named,
    nullable,
    one_of,
    optional,
    record,
    whole,
)
from events.kinds.registry import EventKind

MOST_ENTRANTS = 1_600
DEEPEST = 6
MOST_EDITIONS = 100  # of the archive of a tournament that was corrected after it was closed
WORD = matching("a word", r"[A-Za-z0-9][A-Za-z0-9_.:+/-]{0,63}")
ENTRANT = whole(1, MOST_ENTRANTS * 4)
ENTRANTS = each(ENTRANT, MOST_ENTRANTS)
ROUND = whole(1, 200)
STAGE = whole(1, 20)
TABLE = whole(1, MOST_ENTRANTS)
MINUTES = whole(1, 60 * 24 * 60)
SCORES = each(whole(-1_000_000, 1_000_000), 5)
PLACES = each(whole(1, 5), 5)
REASON = nullable(HASH)  # of a text stored beside the event


def plain(value: Json, depth: int = DEEPEST) -> bool:
    """Returns whether a value is made of words, integers, true, false and null alone."""
    if isinstance(value, dict):
        return depth > 0 and all(WORD.holds(name) and plain(item, depth - 1) for name, item in value.items())
    if isinstance(value, list | tuple):
        return depth > 0 and len(value) <= MOST_ENTRANTS and all(plain(item, depth - 1) for item in value)
    return value is None or type(value) in (int, bool) or WORD.holds(value)


DOCUMENT = FieldType("a document of words and integers", lambda value: isinstance(value, dict) and plain(value))
REGULATIONS = record(
    game=NAME,
    options=OPTIONS,
    clock=named(ATOM, 16),
    leaver=NAME,  # a seat whose player is gone: forfeit, or the bot that plays on
    chance=whole(0, 3),  # level of committed chance
    duplicate=FLAG,  # the same deal at every table of a round
    rated=FLAG,
    spectator_delay=whole(0, 100),
    pauses=optional(FLAG),  # whether clocks stop for agreed pauses and days away; left out: yes
    silent=optional(FLAG),  # players write nothing at the tables until their games end
    stages=each(DOCUMENT, 20),
    least=whole(2, MOST_ENTRANTS),
    most=nullable(whole(2, MOST_ENTRANTS)),
    entry=one_of("open", "invited"),
    check_in=FLAG,
    late_join=whole(0, 200),  # the last round of the first stage open to late entries; 0: none
    no_show=nullable(record(minutes=MINUTES, then=one_of("leaver", "reserve"))),
    bots=nullable(NAME),  # the level of bots that may fill tables
    programs=optional(FLAG),  # whether accounts of bots may enter; left out by earlier versions, which let them
    forbidden=each(each(ID, 2), 1_000),  # pairs that never sit together
    pace=one_of("director", "automatic"),  # starts and closes rounds
    choosing=MINUTES,  # how long players have to choose or bid for seats
    time_zone=WORD,
    starts=nullable(MICROSECONDS),
    ends=nullable(MICROSECONDS),
)


def kind(name: str, **fields: FieldType) -> EventKind:
    """Returns a kind of event in the stream of a tournament."""
    return EventKind(name, "tournament", fields)


def ruling(name: str, **fields: FieldType) -> EventKind:
    """Returns a ruling of a director; its reason is never missing."""
    return kind(name, **fields, reason=HASH)


AT_TABLE: dict[str, FieldType] = {"round": ROUND, "table": TABLE}

KINDS: tuple[EventKind, ...] = (
    kind(
        "tournament_declared",
        title=HASH,
        regulations=REGULATIONS,
        visibility=one_of("public", "unlisted"),
    )._replace(opens=True),
    kind("tournament_amended", title=HASH, regulations=REGULATIONS),
    kind("tournament_published", regulations=HASH, commitment=HASH),  # the regulations are final from here on
    kind("director_named", player=ID),
    kind("director_relieved", player=ID),
    kind("player_invited", player=ID),
    kind(
        "entered",
        entrant=ENTRANT,
        player=ID,
        bot=nullable(NAME),
        reserve=FLAG,
        program=optional(FLAG),  # the entrant is a program, not a bot of the service
        rating=optional(whole(-1_000_000, 1_000_000)),  # the rating shown at entry; left out: none
        rating_at=optional(VERSION),  # the number of log entries behind that rating
    ),
    kind("admitted", entrant=ENTRANT),  # from the reserve
    kind("checked_in", entrant=ENTRANT),
    kind("withdrawn", entrant=ENTRANT, reason=REASON),
    kind("returned", entrant=ENTRANT),
    kind("absence_noted", entrant=ENTRANT, round=ROUND),
    kind("stage_begun", stage=STAGE, field=ENTRANTS),  # in the order that seeds them
    kind(
        "round_paired",
        round=ROUND,
        stage=STAGE,
        attempt=whole(1, 1_000),
        inputs=VERSION,  # the version of this stream that the pairing is computed from
        present=ENTRANTS,
        seed=HASH,
        tables=each(each(ENTRANT, 5), MOST_ENTRANTS),
        settled=FLAG,  # whether the seats are final, or will be chosen or bid for
        byes=ENTRANTS,
        reason=REASON,  # of pairing anew
    ),
    kind("round_published", round=ROUND, choose_by=nullable(MICROSECONDS)),
    kind("seats_wished", **AT_TABLE, entrant=ENTRANT, wish=HASH),  # revealed when the seats are given
    kind(
        "seats_given",
        **AT_TABLE,
        order=each(ENTRANT, 5),
        wishes=each(nullable(record(salt=HASH, wish=each(whole(0, 10_000), 5))), 5),  # as the table was paired
        paid=each(whole(0, 10_000), 5),  # half points, seat by seat
    ),
    kind(
        "games_declared",
        round=ROUND,
        games=each(record(table=TABLE, game=UUID_TEXT, commitment=HASH), MOST_ENTRANTS),
        deal=nullable(UUID_TEXT),  # the shared deal of all tables
    ),
    kind("round_started", round=ROUND, sit_by=nullable(MICROSECONDS)),
    kind("no_show_noted", **AT_TABLE, entrant=ENTRANT, game=UUID_TEXT),
    kind("arrivals_closed", round=ROUND),  # every player has arrived or counts as absent
    kind(
        "result_recorded",
        **AT_TABLE,
        game=UUID_TEXT,
        version=VERSION,  # the event of the game that ended it, and its hash
        head=HASH,
        cause=NAME,
        points=SCORES,
        tie_break=SCORES,
        places=PLACES,
        forfeited=each(SEAT, 5),
        absent=optional(each(SEAT, 5)),  # seats among the forfeited whose players never came
        ends=each(NAME, 16),  # the rules' reasons of the end
    ),
    kind("game_lost", **AT_TABLE, game=UUID_TEXT, version=VERSION, head=HASH, cause=NAME),  # it ended without a result
    kind("round_closed", round=ROUND, deal_seed=nullable(HASH)),
    kind(
        "stage_closed",
        stage=STAGE,
        inputs=VERSION,
        advancing=ENTRANTS,
        alternates=ENTRANTS,
        reason=optional(HASH),  # of closing the stage early
    ),
    kind("tournament_closed", cause=one_of("finished", "cancelled"), seed=nullable(HASH), reason=REASON),
    ruling("time_added", **AT_TABLE, entrant=ENTRANT, seconds=whole(1, 31 * 86_400)),
    ruling("result_ruled", **AT_TABLE, points=SCORES, tie_break=SCORES, places=PLACES, forfeited=each(SEAT, 5)),
    ruling("table_voided", **AT_TABLE),
    ruling("substituted", **AT_TABLE, entrant=ENTRANT, by=ENTRANT),
    ruling("disqualified", entrant=ENTRANT),
    kind(
        "tournament_corrected",  # right after a ruling on a closed tournament: a new archive is valid
        edition=whole(2, MOST_EDITIONS),
        ruling=VERSION,
        of=VERSION,  # the event that the edition before ends with, and its hash
        head=HASH,
        order=ENTRANTS,  # of the last stage, as it stands now
    ),
)

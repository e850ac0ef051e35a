"""The kinds of event in the stream of a game, from its creation to the reveal of its seed."""

from events.kinds.field_types import (
    ATOM,
    ATOMS,
    COUNT,
    FACTS,
    FLAG,
    FORCED_MOVE,
    HASH,
    ID,
    MICROSECONDS,
    MOVE,
    NAME,
    OPTIONS,
    RULES,
    SEAT,
    UUID_TEXT,
    VERSION,
    FieldType,
    each,
    hexadecimal,
    named,
    nullable,
    one_of,
    optional,
    record,
    whole,
)
from events.kinds.registry import EventKind

CHAIR = SEAT  # a place at the table before turn order is known
POINTS = each(whole(-10_000, 10_000), 5)
TURN = optional(nullable(record(seat=SEAT, decision=ID)))  # the next decision and its seat; null: the game is over
# The engine, seed and search steps behind a decision of a bot of the service.
THOUGHT = record(level=NAME, version=COUNT, seed=hexadecimal(8), steps=COUNT)
CONSEQUENCE = one_of("bot", "forfeit")
ABSENT = optional(FLAG)  # the player never came: last place and no points
PAUSE = whole(60, 30 * 86_400)  # seconds
CLOCKS = record(banks=each(MICROSECONDS, 5), since=MICROSECONDS)  # when the clock of the seat to move started
AFTER = optional(record(size=VERSION, root=HASH))  # the newest public tree then: the event is not older

# The result of a decision: outcomes of chance, forced moves, facts, and the digest of the position after them.
DEED = {
    "drew": each(NAME, 2_000),
    "then": each(FORCED_MOVE, 200),
    "facts": FACTS,
    "digest": HASH,
    "turn": TURN,
}


def kind(name: str, **fields: FieldType) -> EventKind:
    """Returns a kind of event in the stream of a game."""
    return EventKind(name, "game", fields)


KINDS: tuple[EventKind, ...] = (
    kind(
        "game_created",
        game=NAME,
        options=OPTIONS,
        seats=whole(1, 5),
        chairs=each(nullable(NAME), 5),  # per chair: open (null), an invited player, or a bot
        clock=named(ATOM, 16),
        rated=FLAG,
        level=whole(0, 3),  # of committed chance
        commitment=nullable(HASH),
        seed=nullable(HASH),  # level 0 declares it here
        chosen=optional(FLAG),  # level 0: whether the host chose that seed, or the service drew it
        tournament=nullable(UUID_TEXT),
        imported=FLAG,  # scribe mode: chance is declared, not dealt
        host=optional(nullable(ID)),
        visibility=optional(one_of("public", "unlisted", "private")),
        leaver=optional(NAME),  # a seat whose player is gone: forfeit, or the bot that plays on
        first_chair=optional(nullable(CHAIR)),  # the start player's chair; null: drawn
        spectator_delay=optional(whole(0, 100)),  # how many events spectators are behind
        rematch_of=optional(nullable(UUID_TEXT)),
        silent=optional(FLAG),  # the players write nothing at the table until the game ends
        pauses=optional(FLAG),  # whether clocks stop for agreed pauses and days away; left out: yes
        deal=optional(nullable(UUID_TEXT)),  # the shared deal; its tables have the same seed
    )._replace(opens=True),
    kind(
        "seat_taken",
        chair=CHAIR,
        player=ID,
        bot=nullable(NAME),
        echo=nullable(HASH),  # the server's commitment as this seat saw it
        commitment=nullable(HASH),
        entropy=nullable(HASH),
        chain=nullable(HASH),  # level 3: the end of the seat's hash chain
        promised=optional(FLAG),  # the commitment follows; the deal waits for it
        program=optional(FLAG),  # the account of a program sits there; rated among programs
        key=optional(HASH),  # the seat signs each of its moves: its public key
    ),
    kind("seat_left", chair=CHAIR, player=ID),
    kind("expiry_announced", expires=MICROSECONDS),  # of a table that nobody joins
    kind("commitments_closed", reveal_by=MICROSECONDS),  # no entropy is revealed before this one is sealed
    kind("entropy_revealed", chair=CHAIR, entropy=nullable(HASH)),  # null: absent at the deadline
    kind(
        "game_started", order=each(CHAIR, 5), after=AFTER, **DEED
    ),  # order: the chair of each seat, start player first
    kind(
        "moved",
        seat=SEAT,
        move=MOVE,
        saw=optional(HASH),  # the head that the client sent with the move
        link=optional(HASH),  # level 3: the next link of the seat's hash chain
        signature=optional(hexadecimal(64)),
        bot=optional(THOUGHT),
        **DEED,
    ),
    kind(
        "undone",
        seat=SEAT,
        to=VERSION,
        agreed=each(SEAT, 5),
        digest=HASH,
        turn=TURN,
        clocks=optional(CLOCKS),  # left out: no clocks run, or an earlier version wrote it and gave time back
    ),
    kind(
        "offer_made",
        seat=SEAT,
        what=one_of("take_back", "abort", "pause"),
        to=nullable(VERSION),
        seconds=optional(PAUSE),  # the length of a pause
    ),
    kind("offer_answered", seat=SEAT, agrees=FLAG),
    kind("offer_withdrawn", seat=SEAT),  # by the seat that made it
    kind(
        "ruled",
        ruling=NAME,
        to=nullable(VERSION),
        details=named(ATOM, 16),
        reason=nullable(HASH),
        digest=HASH,
        turn=TURN,
        after=AFTER,
    ),
    kind(  # clocks stood still; `outage` is the beginning of the outage as the service stored it once for all games
        "service_was_away",
        since=MICROSECONDS,
        until=MICROSECONDS,
        outage=optional(MICROSECONDS),
    ),
    kind(  # published events after `kept`, up to `last` with this hash, are lost; the log states it under this hash
        "history_lost",
        kept=VERSION,
        last=VERSION,
        hash=HASH,
        statement=HASH,
    ),
    kind(
        "clock_changed",
        banks=each(MICROSECONDS, 5),
        since=optional(MICROSECONDS),  # when the clock of the awaited move starts; left out: unchanged
        cause=NAME,
        reason=nullable(HASH),
    ),
    kind("clock_paused", seat=SEAT, agreed=each(SEAT, 5), until=MICROSECONDS),  # no clock runs until then
    kind("clock_resumed", seat=nullable(SEAT)),  # null: the agreed time is over
    kind("away_began", seat=SEAT, since=MICROSECONDS, until=MICROSECONDS),  # the clock of this seat does not run
    kind("away_ended", seat=SEAT),
    kind(
        "player_replaced",
        seat=SEAT,
        player=ID,
        bot=nullable(NAME),
        program=optional(FLAG),  # as in seat_taken
        cause=NAME,
        reason=nullable(HASH),
    ),
    kind("rules_changed", to=RULES, digest=HASH, reason=optional(HASH)),
    kind(
        "flag_fell",
        seat=SEAT,
        deadline=MICROSECONDS,
        consequence=CONSEQUENCE,
        stand_in=optional(NAME),
        absent=ABSENT,
        after=AFTER,
    ),
    kind("resigned", seat=SEAT, consequence=optional(CONSEQUENCE), stand_in=optional(NAME), absent=ABSENT),
    kind("game_ended", cause=NAME, points=POINTS, tie_break=POINTS, places=each(whole(1, 5), 5), notes=ATOMS),
    kind("game_aborted", cause=NAME, reason=nullable(HASH)),
    kind("seed_revealed", seed=HASH, draws=COUNT),
)

"""What a cheat can do to a whole game: bundles of histories that were made up, and the check that finds each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from events.event import Event
from events.log.bundle import Bundle, Root, RulesData
from projections.games.chance import ChanceLevel
from projections.games.clocks import SECOND, TimeControl
from projections.games.record import RUNNING
from service.games.decisions import game_start
from tests.support.projections.bundles import START_TIME, PublicLog
from tests.support.projections.forgeries import FORGERIES, Forgery
from tests.support.projections.played_games import NO_CLOCK, SEATED, played, seated
from tests.support.projections.rewritten_history import (
    KEY,
    OTHER_KEY,
    Body,
    bodies,
    bundle,
    changed_at,
    first,
    is_move,
    retold,
    signing,
)

SHORT = 8  # moves; enough for the forgeries
HOUR = 3600 * SECOND


def kind_of(kind: str, body: Body) -> bool:
    return bool(body["kind"] == kind)


def seq_of(kind: str, told: Sequence[Body]) -> int:
    return first(told, partial(kind_of, kind))


def signed_game(**more: Any) -> list[Body]:
    return signing(bodies(most=SHORT), KEY, 0, **more)


def own_move(told: Sequence[Body]) -> int:
    """The first move of the seat that signs."""
    return first(told, lambda body: is_move(body) and body["data"]["seat"] == 0)


def with_another_seen() -> bytes:
    """One opponent was shown another history than the other; it is stated in the next move."""
    told = bodies(most=SHORT)
    at = first(told, is_move) + 2
    return retold(changed_at(told, at, saw="55" * 32))


def rewritten_before_sealing() -> bytes:
    """An event is changed in a new chain, but the next player's statement stays."""
    told = bodies(most=SHORT)
    at = first(told, is_move)
    return retold([{**body, "at": body["at"] + 1} if body["seq"] == at else body for body in told])


def unsigned() -> bytes:
    return retold(signed_game(but=own_move(bodies(most=SHORT))))


def signed_by_the_host() -> bytes:
    told = bodies(most=SHORT)
    seat = first(signed_game(), lambda body: "key" in body["data"])
    return retold(changed_at(signing(told, OTHER_KEY, 0), seat, key=KEY.public_key().public_bytes_raw().hex()))


def signature_used_again() -> bytes:
    """A move the player did make, put in place of another one."""
    told = signed_game()
    at = own_move(told)
    later = next(body["data"]["signature"] for body in told[at:] if "signature" in body["data"])
    return retold(changed_at(told, at, signature=later))


def key_of_low_order() -> bytes:
    """A key under which any signature can be made to fit."""
    told = signed_game()
    return retold(changed_at(told, first(told, lambda body: "key" in body["data"]), key="00" * 32))


def seed_kept_back() -> bytes:
    return retold(bodies()[:-1])


def aborted_without_seed() -> bytes:
    """The host saw the deal, disliked it, and withholds its reveal."""
    told = [*bodies(most=2)]
    aborted = {**told[-1], "kind": "game_aborted", "data": {"cause": "early", "reason": None}}
    return retold([*told, aborted])


def committed_again() -> bytes:
    """The last seat learns the seed from the host and commits again after the others' reveals."""
    told = list(bodies(most=SHORT))
    taken = [body for body in told if kind_of("seat_taken", body) and body["data"]["commitment"] is not None]
    reveal = seq_of("entropy_revealed", told)
    return retold([*told[:reveal], {**taken[-1], "at": told[reveal - 1]["at"]}, *told[reveal:]])


def passed_over() -> bytes:
    """A seat's entropy is left out of the deal, as if it had never been promised."""
    told = list(bodies(most=SHORT))
    last_reveal = seq_of("game_started", told) - 1
    return retold([*told[: last_reveal - 1], *told[last_reveal:]])


def absent_before_time() -> bytes:
    """A seat that would have revealed is recorded as absent at once, and the game dealt without it."""
    evening = seated(ChanceLevel.SEALED, TimeControl(), reveals=SEATED[:1])
    evening.let("service", game_start.stop_waiting)
    assert evening.table.known.status == RUNNING
    return bundle(evening.events).encode()


def foreseen_link() -> bytes:
    """The operator moves for a seat of level 3 without knowing the next link of its chain."""
    told = bodies(ChanceLevel.CHAINED, NO_CLOCK, SHORT)
    return retold(changed_at(told, own_move(told), link="77" * 32))


def dated_back() -> bytes:
    """The whole game is dated an hour earlier; its start names a later tree."""
    return retold([{**body, "at": body["at"] - HOUR} for body in bodies(most=SHORT)])


def dated_ahead() -> bytes:
    told = [{**body, "at": body["at"] + 24 * HOUR} for body in bodies(most=SHORT)]
    return retold(told)


def of_another_tree() -> bytes:
    """The start is said to name an older tree than it does, so that it can be dated earlier."""
    made = bundle(played(most=SHORT))
    (root,) = made.roots
    log = PublicLog(played(most=SHORT), ())
    return replace(made, roots=(Root(root.seq, log.note(2, START_TIME - HOUR // SECOND)),)).encode()


def other_tables() -> bytes:
    made: Bundle = bundle(played(most=SHORT))
    return replace(made, rules=RulesData("1", bytes(32))).encode()


def at(kind: str, more: int = 0, level: ChanceLevel = ChanceLevel.SEALED) -> int:
    """The place of an event of a kind in the honest game."""
    return seq_of(kind, bodies(level, NO_CLOCK, SHORT)) + more


def absent_at() -> int:
    events: Sequence[Event] = seated(ChanceLevel.SEALED, TimeControl(), reveals=SEATED[:1]).events
    return len(events) + 1


GAMES: tuple[Forgery, ...] = (
    Forgery("rewrites what the next player saw", rewritten_before_sealing, "V10", at("moved", 1)),
    Forgery("shows opponents two histories", with_another_seen, "V10", at("moved", 2)),
    Forgery("makes up a move", unsigned, "V10", own_move(bodies(most=SHORT))),
    Forgery("signs with a key of the host", signed_by_the_host, "V10", own_move(bodies(most=SHORT))),
    Forgery("uses a signature again", signature_used_again, "V10", own_move(bodies(most=SHORT))),
    Forgery("gives a seat a key of low order", key_of_low_order, "V10", own_move(bodies(most=SHORT))),
    Forgery("keeps the seed of a finished game", seed_kept_back, "V5", len(bodies()) - 1),
    Forgery("aborts and keeps the seed", aborted_without_seed, "V5", len(bodies(most=2)) + 1),
    Forgery("lets the last seat commit again", committed_again, "V5", at("entropy_revealed", 1)),
    Forgery("passes over an entropy", passed_over, "V5", at("game_started", -1)),
    Forgery("takes a seat for absent before its time", absent_before_time, "V9", absent_at()),
    Forgery(
        "moves without the seat's link", foreseen_link, "V5", own_move(bodies(ChanceLevel.CHAINED, NO_CLOCK, SHORT))
    ),
    Forgery("dates a game back", dated_back, "V3", at("game_started")),
    Forgery("dates a game ahead", dated_ahead, "V3", len(bodies(most=SHORT))),
    Forgery("names an older tree", of_another_tree, "V4", at("game_started")),
    Forgery("plays by other tables", other_tables, "V6"),
)

ALL = (*FORGERIES, *GAMES)

# Every row of the threat table, by its first words: its forgery, or the other test of it.
THREATS: Mapping[str, tuple[str, ...]] = {
    "An administrator edits or deletes rows": (
        "changes a row",
        "drops an event",
        "swaps two events",
        "grafts another game's events on",
        "renames the stream",
        "cuts off the end",
        "adds an event",
        "changes a row and chains anew",
    ),
    "He rewrites and chains anew **before** sealing": (
        "rewrites before sealing",
        "rewrites what a receipt's head covers",
        "lets a stranger vouch for receipt keys",
        "rewrites what the next player saw",
    ),
    "He rewrites **after** sealing and signs a new tree": (
        "rewrites after sealing",
        "signs with a stolen name",
        "signs with an unknown key",
        "moves the index",
        "shortens the proof",
        "lengthens the proof",
        "proves another event",
        "proves an event that is not there",
        "leaves growth unproved",
        "leaves out the last checkpoint",
    ),
    "The operator shows different histories to different people": (
        "shows two histories",
        "shows opponents two histories",
    ),
    "A database is restored to an earlier time": (
        "tests/workers/test_restore_drill.py",
        "tests/service/core/test_lost_moves.py",
    ),
    "The operator declares published moves lost": ("tests/workers/test_branch.py",),
    "The master key leaks": ("tests/deploy/test_key_rotation.py",),
    "An administrator moderates in secret": ("tests/service/moderation/test_record.py",),
    "A reported player learns who reported": ("tests/service/moderation/test_reports.py",),
    "An administrator hides what should be read": ("tests/service/moderation/test_hidden_texts.py",),
    "A stolen session of an administrator moderates": ("tests/service/pages/moderation/test_admin_pages.py",),
    "A leaked token for administrators moderates": ("tests/service/moderation/test_leaked_tokens.py",),
    "The host chooses the deal": ("chooses the seed afterwards", "leaves draws out"),
    "The host and the last to sit down choose the deal": (
        "lets the last seat choose",
        "lets the last seat commit again",
        "pretends another commitment was answered",
        "reveals other entropy",
    ),
    "The operator foresees the deal and tells a friend": ("moves without the seat's link",),
    "The host aborts games with deals he dislikes": ("aborts and keeps the seed", "keeps the seed of a finished game"),
    "The host leaves a tournament game out or adds one": ("tests/service/tournaments/test_archives.py",),
    "The host pairs until he likes it": ("tests/service/tournaments/test_archives.py",),
    "The host rates games otherwise than they ended, or seeds by ratings nobody had": (
        "tests/service/tournaments/test_rated.py",
    ),
    "The host makes up a player's move": ("makes up a move", "signs with a key of the host"),
    "A player denies a move": ("tests/service/games/test_signed_moves.py",),
    "A player repeats or reorders commands": ("replays an event", "uses a signature again"),
    "A player does not reveal": ("passes over an entropy", "takes a seat for absent before its time"),
    "The operator stops a friend's clock": ("tests/support/projections/forged/pauses.py",),
    "An event is dated later than it happened": ("dates later than the witness saw", "dates a game ahead"),
    "An event is dated earlier than it happened": ("dates a game back", "names an older tree"),
    "Somebody guesses private moves from public leaves": ("tests/events/test_event.py",),
    "A page of another origin reads or acts as its visitor": ("tests/service/web/test_cross_origin.py",),
    "A page or app steals the code on its way back to a [program](oauth.md)": ("tests/service/oauth/test_codes.py",),
    "A copy of a refresh token is used": ("tests/service/oauth/test_codes.py",),
    "A site makes a logged-in player allow a program": ("tests/service/oauth/test_codes.py",),
    "A stranger sends a player a link to a device login of his own": ("tests/service/oauth/test_devices.py",),
    "A program keeps rights after it is revoked": (
        "tests/service/oauth/test_programs.py",
        "tests/service/oauth/test_program_limits.py",
    ),
    "A key or signature that only some libraries accept": ("gives a seat a key of low order",),
    "A fault in the rules confirms itself": ("plays by other tables",),
    "The operator changes the rules of a running game": ("tests/service/games/test_change_rules.py",),
    "The file says more, less or something else than a bundle": (
        "hides text in the proof",
        "adds a space",
        "says a thing twice",
        "adds a field",
        "leaves out all events",
        "is no bundle",
        "is nothing",
        "is deep",
        "holds objects 200 deep",
        "holds an event 200 deep",
        "holds half a surrogate",
    ),
    "The host withholds what an event vouches for": ("withholds what is not there", "withholds of no event"),
}

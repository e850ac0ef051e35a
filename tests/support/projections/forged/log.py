"""Forged logs, receipts and dates."""

from dataclasses import replace
from uuid import UUID

from events.event import EventDraft, Head
from events.json_types import JsonObject
from events.log.bundle import Barrier, Bundle, Withheld
from events.log.receipts import Receipt, vouch
from events.merkle.notes import SigningKey
from tests.support.projections.bundles import (
    GAME,
    LOG,
    ORIGIN,
    RECEIPTS,
    RULES,
    START_TIME,
    PublicLog,
    bundle_of,
    chained,
    drafts,
    honest,
    receipt_for,
)
from tests.support.projections.forged.tools import MONTH, SHORT, closing, events_of, retold, seq_of, whole_game, without
from tests.support.projections.played_games import played
from tests.support.projections.rewritten_history import bundle

LOST = Head(12, b"\x33" * 32)


def out_of_order() -> bytes:
    """The last event stands in the log before one that it follows."""
    events = chained(drafts())
    log = PublicLog((events[-1], events[3]), (events[3].seq,))
    final = log.sizes[-1]
    barriers = (Barrier(4, log.proof(4, final)),)
    return Bundle(GAME, honest().events, log.proof(events[-1].seq, final), barriers).encode()


def of_two_logs() -> bytes:
    made, other = honest(), SigningKey.from_seed("other.example/log", b"\x0c" * 32)
    events = chained(drafts())
    log = PublicLog(events, (4, events[-1].seq))
    barrier = Barrier(4, log.proof(4, log.sizes[0], log=other))
    return replace(made, barriers=(barrier, *made.barriers[1:])).encode()


def root_of_no_event() -> bytes:
    made = bundle(played(most=SHORT))
    return replace(made, roots=(made.roots[0]._replace(seq=900),)).encode()


def unsealed() -> bytes:
    return replace(honest(), proof=None, barriers=(), growth=()).encode()


def stray_key() -> bytes:
    return replace(honest(), receipts=()).encode()


def receipt_of_another_game() -> bytes:
    other = chained(drafts(), UUID(int=9))
    return replace(honest(), receipts=(receipt_for(other[2]).signed(RECEIPTS),)).encode()


def receipt_of_a_later_event() -> bytes:
    events = chained(drafts())
    made = bundle_of(events[:7])
    keys = (vouch(ORIGIN, [RECEIPTS.verifier], LOG),)
    return replace(made, receipt_keys=keys, receipts=(receipt_for(events[7]).signed(RECEIPTS),)).encode()


def game_that_lost_events() -> Bundle:
    """The log lost events 7 to 12 of the game, of which a receipt of the last two is kept."""
    known = drafts()
    data: JsonObject = {"kept": 6, "last": 12, "hash": LOST.hash.hex(), "statement": "22" * 32}
    told = EventDraft("history_lost", data, "service", known[6].at, RULES)
    return bundle_of(chained([*known[:7], told, *known[7:]]))


def receipts_of_lost_events(hash: bytes = b"\x33" * 32) -> bytes:
    """The newest lost event that was published, and one that never was."""
    made, at = game_that_lost_events(), START_TIME * 1_000_000
    lost = (LOST._replace(hash=hash), Head(13, b"\x44" * 32))
    kept = (Receipt(ORIGIN, GAME, *head, *head, at, 10).signed(RECEIPTS) for head in lost)
    return replace(made, receipts=(*made.receipts, *kept)).encode()


def dated_a_month_ago() -> bytes:
    """A game made up today, all of its times a month ago, its start naming the newest tree of that day."""
    return bundle_of(events_of(whole_game()), closing(whole_game()), time=START_TIME + MONTH).encode()


def nameless_start() -> bytes:
    """The start of the game names no tree, so that it can be dated back at will."""
    told = whole_game()
    return retold(without(told, seq_of("game_started", told), "after"))


def late_receipts_missing() -> bytes:
    return replace(honest(), receipts=(), receipt_keys=()).encode()


def withheld_reason() -> bytes:
    return replace(honest(), withheld=(Withheld(8, "reason", bytes.fromhex("dd" * 32), "private"),)).encode()

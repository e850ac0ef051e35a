"""What a cheat can do to a bundle, named by what is done; each is to be found by the check in its row."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

from events.event import Event, EventDraft
from events.json_types import JsonObject
from events.log.bundle import Bundle, Withheld
from events.log.receipts import vouch
from events.merkle.notes import Note, SigningKey
from events.merkle.proofs import LogProof
from projections.games.chance import entropy_commitment
from tests.support.projections.bundles import (
    ENTROPY,
    GAME,
    LOG,
    ORIGIN,
    RECEIPTS,
    START_TIME,
    WITNESS,
    bundle_of,
    chained,
    drafts,
    honest,
    receipt_for,
    rechained,
)

OTHER = "99" * 32


class Forgery(NamedTuple):
    """A forged bundle."""

    does: str
    make: Callable[[], bytes]
    found_by: str  # the check that fails
    at: int | None = None  # the event it is named by


def bodies(bundle: Bundle) -> list[dict[str, Any]]:
    return [json.loads(body) for body in bundle.events]


def with_events(events: Sequence[bytes]) -> bytes:
    """The honest proofs over other events."""
    return replace(honest(), events=tuple(events)).encode()


def edited(seq: int, **changes: Any) -> list[dict[str, Any]]:
    found = bodies(honest())
    found[seq - 1]["data"] |= changes
    return found


def written(seq: int, **changes: Any) -> list[EventDraft]:
    """The drafts of the game with one event changed before it was recorded."""
    found = drafts()
    found[seq - 1] = found[seq - 1]._replace(data={**found[seq - 1].data, **changes})
    return found


def sealed(made: Sequence[EventDraft], **given: Any) -> bytes:
    """A bundle with everything recomputed and signed anew, as if it had happened so."""
    return bundle_of(chained(made), **given).encode()


def text_of(bundle: Bundle, change: Callable[[dict[str, Any]], None], **dump: Any) -> bytes:
    document = json.loads(bundle.encode())
    change(document)
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), **dump).encode()


def only_change_row() -> bytes:
    honest_bundle = honest()
    events = list(honest_bundle.events)
    events[6] = events[6].replace(b'"until":1', b'"until":2')
    return with_events(events)


def dropped() -> bytes:
    events = honest().events
    return with_events((*events[:6], *events[7:]))


def swapped() -> bytes:
    events = honest().events
    return with_events((*events[:4], events[5], events[4], *events[6:]))


def replayed() -> bytes:
    events = honest().events
    return with_events((*events[:7], events[6], *events[7:]))


def grafted() -> bytes:
    other = chained(drafts(), UUID(int=5))
    return with_events((*honest().events[:6], *(event.body for event in other[6:])))


def truncated() -> bytes:
    return with_events(honest().events[:-1])


def continued() -> bytes:
    """One more event, well chained, that the log never saw."""
    made = [*drafts(), drafts()[6]]
    return with_events([event.body for event in chained(made)])


def reopened(seq: int, receipts_of: Sequence[Event]) -> bytes:
    """Rewritten before sealing: log and witnesses only ever saw the new history, but receipts were given out."""
    made = bundle_of(chained(written(seq, player="accomplice")))
    kept = tuple(receipt_for(event).signed(RECEIPTS) for event in receipts_of)
    return replace(made, receipts=kept).encode()


def rewritten_after_sealing() -> bytes:
    """The sealed tree holds the commitments; the later events are from another tree."""
    first, second = honest(), bundle_of(chained(written(7, until=START_TIME + 2)), others=4)
    assert second.proof is not None
    return replace(second, barriers=first.barriers[:1], growth=second.growth).encode()


def signed_by(key: SigningKey) -> bytes:
    made = honest()
    assert made.proof is not None
    text = made.proof.checkpoint.text
    note = Note(text, (key.sign(text), WITNESS.sign(text, START_TIME + 100)))
    return replace(made, proof=replace(made.proof, checkpoint=note)).encode()


def cosigned_at(time: int) -> bytes:
    return bundle_of(chained(drafts()), time=time).encode()


def two_histories() -> bytes:
    """Two trees of one size, both signed and cosigned, which an honest witness never does."""
    one, other = honest(), bundle_of(chained(written(7, until=START_TIME + 2)))
    return replace(other, barriers=(other.barriers[0], one.barriers[1])).encode()


def moved_proof(change: Callable[[LogProof], LogProof]) -> bytes:
    made = honest()
    assert made.proof is not None
    return replace(made, proof=change(made.proof)).encode()


def chosen_last() -> bytes:
    """Chair 1 commits to its entropy only after chair 0 revealed."""
    made = drafts()
    late = made[2]._replace(data={**made[2].data, "commitment": entropy_commitment(GAME, 1, ENTROPY[0]).hex()})
    return bundle_of(chained([*made[:2], late, *made[3:]])).encode()


def withheld(row: Withheld) -> bytes:
    return replace(honest(), withheld=(row,)).encode()


def with_proof_of_seq(seq: int) -> bytes:
    made = honest()
    return replace(made, barriers=(made.barriers[0]._replace(seq=seq), *made.barriers[1:])).encode()


def stranger() -> SigningKey:
    return SigningKey.from_seed(ORIGIN, b"\x55" * 32)


def vouched_by_stranger() -> bytes:
    return replace(honest(), receipt_keys=(vouch(ORIGIN, [RECEIPTS.verifier], stranger()),)).encode()


def spaced() -> bytes:
    return honest().encode().replace(b'{"barriers"', b'{ "barriers"')


def doubled() -> bytes:
    return honest().encode().replace(b'"proof":', b'"format":"cabildo/bundle/v1","proof":', 1)


def old_key(document: dict[str, Any]) -> None:
    document["rules"] = "1"


def no_events(document: dict[str, Any]) -> None:
    document["events"] = []


def other_stream(document: dict[str, Any]) -> None:
    document["stream"] = str(UUID(int=7))


def rechained_only() -> bytes:
    return with_events(rechained(edited(7, until=START_TIME + 2)))


def reveal(seat: int, entropy: bytes) -> list[EventDraft]:
    return written(5 + seat, entropy=entropy.hex())


DEEP = b'{"a":' * 200 + b"1" + b"}" * 200


def deep_event() -> bytes:
    """The bundle with an event of objects in objects."""
    document = json.loads(honest().encode())
    document["events"][1] = DEEP.decode()
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()


FORGERIES = (
    # An administrator edits, deletes or adds rows.
    Forgery("changes a row", only_change_row, "V2", 8),
    Forgery("drops an event", dropped, "V2", 7),
    Forgery("swaps two events", swapped, "V2", 5),
    Forgery("replays an event", replayed, "V2", 8),
    Forgery("grafts another game's events on", grafted, "V2", 7),
    Forgery("renames the stream", lambda: text_of(honest(), other_stream), "V2", 1),
    Forgery("cuts off the end", truncated, "V4"),
    Forgery("adds an event", continued, "V4"),
    Forgery("changes a row and chains anew", rechained_only, "V4"),
    # He rewrites and chains anew before sealing: only receipts speak.
    Forgery("rewrites before sealing", lambda: reopened(2, chained(drafts())[1:3]), "V11", 2),
    Forgery("rewrites what a receipt's head covers", lambda: reopened(3, chained(drafts())[2:3]), "V11", 3),
    Forgery("lets a stranger vouch for receipt keys", vouched_by_stranger, "V11"),
    # He rewrites after sealing, or shows different histories.
    Forgery("rewrites after sealing", rewritten_after_sealing, "V4"),
    Forgery("shows two histories", two_histories, "V3"),
    Forgery("signs with a stolen name", lambda: signed_by(stranger()), "V3"),
    Forgery("signs with an unknown key", lambda: signed_by(SigningKey.from_seed("other.example", b"\x56" * 32)), "V3"),
    Forgery("dates later than the witness saw", lambda: cosigned_at(START_TIME - 120), "V3", 9),
    # Proofs that prove something else.
    Forgery("moves the index", lambda: moved_proof(lambda proof: replace(proof, index=proof.index - 1)), "V4"),
    Forgery("shortens the proof", lambda: moved_proof(lambda proof: replace(proof, hashes=proof.hashes[:-1])), "V4"),
    Forgery("lengthens the proof", lambda: moved_proof(lambda p: replace(p, hashes=p.hashes * 2)), "V4"),
    Forgery("hides text in the proof", lambda: moved_proof(lambda proof: replace(proof, extra=b"x")), "V1"),
    Forgery("proves another event", lambda: with_proof_of_seq(3), "V4"),
    Forgery("proves an event that is not there", lambda: with_proof_of_seq(90), "V4"),
    Forgery("leaves growth unproved", lambda: replace(honest(), growth=()).encode(), "V4"),
    Forgery("leaves out the last checkpoint", lambda: replace(honest(), proof=None).encode(), "V4"),
    # The deal.
    Forgery("chooses the seed afterwards", lambda: sealed(written(9, seed=OTHER)), "V5", 9),
    Forgery("leaves draws out", lambda: sealed(written(9, draws=1)), "V5", 9),
    Forgery("pretends another commitment was answered", lambda: sealed(written(2, echo=OTHER)), "V5", 2),
    Forgery("reveals other entropy", lambda: sealed(reveal(0, ENTROPY[1])), "V5", 5),
    Forgery("lets the last seat choose", chosen_last, "V5", 6),
    # The file.
    Forgery("adds a space", spaced, "V1"),
    Forgery("says a thing twice", doubled, "V1"),
    Forgery("adds a field", lambda: text_of(honest(), old_key), "V1"),
    Forgery("leaves out all events", lambda: text_of(honest(), no_events), "V1"),
    Forgery("is no bundle", lambda: b"[]", "V1"),
    Forgery("is nothing", lambda: b"", "V1"),
    Forgery("is deep", lambda: b"[" * 100_000 + b"]" * 100_000, "V1"),
    Forgery("holds objects 200 deep", lambda: honest().encode().replace(b'"rules":null', b'"rules":' + DEEP), "V1"),
    Forgery("holds an event 200 deep", deep_event, "V2", 2),
    Forgery("holds half a surrogate", lambda: honest().encode().replace(b'"format"', b'"\\ud800"'), "V1"),
    # Withheld fields.
    Forgery("withholds what is not there", lambda: withheld(Withheld(8, "reason", bytes(32), "erased")), "V13", 8),
    Forgery("withholds of no event", lambda: withheld(Withheld(80, "reason", bytes(32), "erased")), "V13", 80),
)


def chained_bodies() -> list[JsonObject]:
    """The honest events as documents."""
    return [json.loads(body) for body in honest().events]


assert LOG.name == ORIGIN

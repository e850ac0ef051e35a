"""V10: the statements and signatures of players."""

from collections.abc import Iterator

from events.errors import CabildoError
from events.event import Event, Head
from events.messages import Message
from projections.games.fold import fold
from projections.games.record import Chair
from projections.games.signed_moves import check_signature, move_statement
from projections.verify.checks.case import Case, CheckFailed, Finding, not_checked, unproved
from projections.verify.checks.game_replay import are_rules_known, rules_unknown


def compare_statements(case: Case) -> Iterator[Finding]:
    """V10: the players saw this history, and signed every move of seats with keys."""
    for event in case.events:
        if event.kind == "moved" and event.data.get("saw") not in (None, event.prev.hex()):
            raise CheckFailed("saw", "the player saw another history than this one", event.seq)
    if not are_rules_known(case):
        yield rules_unknown()
        return
    record, unsigned = None, False
    for event in case.events:
        if event.kind == "moved" and record is not None:
            chair = record.chair_at(int(str(event.data["seat"])))
            _check_signed(chair, event)
            unsigned = unsigned or (chair.engine is None and "signature" not in event.data)
        record = fold(record, event)
    signing = [f"{chair.player} {chair.key}" for chair in (record.chairs if record else ()) if chair.key]
    if signing:
        sentence = "whose keys sign is the host's word; compare with the players: {known}"
        yield unproved("keys_named", Message(sentence, known=", ".join(signing)))
    if unsigned:
        yield unproved("unsigned", "some moves are not signed: that their players made them is the service's word")
    if not any({"saw", "signature"} & event.data.keys() for event in case.events if event.kind == "moved"):
        yield not_checked("no_statements", "no player states a history or signs a move in these events")


def _check_signed(chair: Chair, event: Event) -> None:
    signature = event.data.get("signature")
    if signature is None:
        if chair.signs:
            raise CheckFailed("unsigned", "the seat signs its moves, and nobody signed this one", event.seq)
        return
    if chair.key is None:
        raise CheckFailed("no_key", "is signed, and the seat has named no key", event.seq)
    before = Head(event.seq - 1, event.prev)
    stated = move_statement(event.stream, before, int(str(event.data["seat"])), str(event.data["move"]))
    try:
        check_signature(bytes.fromhex(chair.key), stated, bytes.fromhex(str(signature)))
    except CabildoError as false:
        raise CheckFailed(
            "signature", "nobody knows this move to be the player's: {false}", event.seq, false=false
        ) from false

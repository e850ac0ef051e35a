"""V1 to V4 and V11: the file, the chain, the signatures, the places in the log, the receipts."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from events.chain import check
from events.errors import CabildoError
from events.event import START, Event, leaf_entry
from events.log.bundle import DATED, Bundle, Root
from events.log.receipts import open_receipt, vouched_keys
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note, VerifierKey
from events.merkle.policy import Policy
from events.merkle.proofs import LogProof
from events.merkle.tree import leaf_hash, verify_consistency
from events.messages import Message
from projections.verify.checks.case import Case, CheckFailed, Finding, Weight, doubtful, not_checked, unproved
from projections.verify.checks.dates import judge_dates

LOST = "history_lost"
NOT_SEALED = "no published checkpoint includes the last event yet: the log proves nothing here"
NO_POLICY = "no policy was given: whose signatures these are is not known"


def read_file(case: Case) -> Iterator[Finding]:
    """V1: the file is exactly one bundle in canonical form."""
    case.bundle = Bundle.read(case.data)
    if not case.bundle.events:
        raise CheckFailed("empty", "the bundle holds no events")
    if case.stream not in (None, case.bundle.stream):
        raise CheckFailed("other_game", "the bundle is of another game, {stream}", stream=case.bundle.stream)
    yield from ()


def follow_chain(case: Case) -> Iterator[Finding]:
    """V2: the events follow one another from the first on, each with the hash of the one before it."""
    head, events = START, list[Event]()
    for number, body in enumerate(case.bundle.events, 1):
        try:
            events += check((body,), head, case.bundle.stream)
        except CabildoError as fault:
            raise CheckFailed("chain", fault.words, number) from fault
        head = events[-1].head
    case.events = tuple(events)
    yield from ()


def judge_signatures(case: Case) -> Iterator[Finding]:
    """V3: a trusted log signed the checkpoints, and witnesses cosigned them, not before the events."""
    if case.bundle.proof is None:
        yield not_checked("not_sealed", NOT_SEALED, Weight.REMARK)
        return
    if case.policy is None:
        yield not_checked("no_policy", NO_POLICY)
        return
    for note in _checkpoints(case.bundle):
        judged = case.policy.judge(note)
        if case.witnessed.setdefault(judged.checkpoint.size, judged).checkpoint != judged.checkpoint:
            raise CheckFailed("two_roots", "the log shows two roots for the size {size}", size=judged.checkpoint.size)
        yield from _unknown_lines(note, case.policy)
    yield from _judge_quorum(case, case.policy)
    yield from judge_dates(case, case.policy)


def _unknown_lines(note: Note, policy: Policy) -> Iterator[Finding]:
    keys: Sequence[VerifierKey] = [party.key for party in (*policy.logs, *policy.witnesses.values())]
    for line in note.signatures:
        if not any(key.owns(line) for key in keys):
            sentence = Message("a signature of {name} is by a key the policy does not name", name=line.name)
            yield unproved("unknown_signature", sentence)


def _judge_quorum(case: Case, policy: Policy) -> Iterator[Finding]:
    if policy.quorum is None:
        sentence = "the policy asks for no witnesses: only the log itself vouches for its history"
        yield unproved("no_witnesses", sentence)
    elif any(not found.quorum for found in case.witnessed.values()):
        raise CheckFailed("not_witnessed", "too few witnesses cosigned: the log may show another history to others")


def find_places(case: Case) -> Iterator[Finding]:
    """V4: the checkpoints include the last event and the barriers, and the later ones grew out of the earlier."""
    bundle = case.bundle
    if bundle.proof is None:
        stray = bundle.barriers or bundle.growth or bundle.roots
        _expect(not stray, "stray_proof", "proofs without a last checkpoint")
        yield not_checked("not_sealed", NOT_SEALED, Weight.REMARK)
        return
    final = _included(case, case.last.seq, bundle.proof)
    trees = {final.size: final}
    index, seq = -1, 0
    for barrier in (*bundle.barriers, None):
        place, at = (barrier.proof, barrier.seq) if barrier else (bundle.proof, case.last.seq)
        checkpoint = _included(case, at, place)
        _expect(
            trees.setdefault(checkpoint.size, checkpoint) == checkpoint,
            "two_roots",
            "the size {size} has two roots",
            size=checkpoint.size,
        )
        # The events of a stream keep their order in the log, so the log index is at least the index in the stream.
        in_order = place.index == index if at == seq else at > seq and place.index - index >= at - seq
        _expect(in_order, "order", "its place in the log contradicts the order of events", at)
        index, seq = place.index, at
    for root in bundle.roots:
        named = _named_tree(case, root)
        _expect(
            trees.setdefault(named.size, named) == named, "two_roots", "the size {size} has two roots", size=named.size
        )
    _check_growth(bundle, trees)
    if case.policy is None:
        yield not_checked("no_policy", NO_POLICY)


def _named_tree(case: Case, root: Root) -> Checkpoint:
    """Returns the tree that an event names as older than itself."""
    _expect(root.seq <= len(case.events), "stray_proof", "a root for event {seq}, which is not there", seq=root.seq)
    checkpoint, event = Checkpoint.parse(root.checkpoint.text), case.events[root.seq - 1]
    after = event.data.get("after")
    names = after == {"size": checkpoint.size, "root": checkpoint.root.hex()} and type(after["size"]) is int
    _expect(names and event.kind in DATED, "root", "does not name this tree as older than itself", root.seq)
    return checkpoint


def _included(case: Case, seq: int, proof: LogProof) -> Checkpoint:
    _expect(seq <= len(case.events), "stray_proof", "a proof for event {seq}, which is not there", seq=seq)
    event = case.events[seq - 1]
    return proof.verify(leaf_hash(leaf_entry(event.stream, event.seq, event.hash)))


def _check_growth(bundle: Bundle, trees: Mapping[int, Checkpoint]) -> None:
    sizes = sorted(trees)
    steps = [(step.old, step.size) for step in bundle.growth]
    _expect(steps == list(pairwise(sizes)), "growth", "the checkpoints are not all linked by proofs")
    _expect(len({tree.origin for tree in trees.values()}) == 1, "origins", "the checkpoints are of different logs")
    for step in bundle.growth:
        verify_consistency(step.old, step.size, trees[step.old].root, trees[step.size].root, step.hashes)


def compare_receipts(case: Case) -> Iterator[Finding]:
    """V11: every receipt agrees with the events."""
    losses = [event for event in case.events if event.kind == LOST]
    yield from map(_tell_loss, losses)
    if not case.bundle.receipts:
        _expect(not case.bundle.receipt_keys, "stray_key", "keys of receipts without receipts")
        yield not_checked("no_receipts", "there are no receipts in the bundle")
        return
    if case.policy is None:
        yield not_checked("receipts_unread", "without a policy the receipts prove nothing")
        return
    log_keys = [log.key for log in case.policy.logs]
    keys = [key for note in case.bundle.receipt_keys for key in vouched_keys(note, log_keys)]
    newest, lost = 0, set[int]()
    for note in case.bundle.receipts:
        receipt = open_receipt(note, keys)
        _expect(receipt.stream == case.bundle.stream, "other_stream", "a receipt of another stream", receipt.seq)
        for seq, promised in ((receipt.seq, receipt.hash), (receipt.head_seq, receipt.head)):
            kept = 1 <= seq <= len(case.events) and case.events[seq - 1].hash == promised
            loss = None if kept else _loss_of(losses, seq, receipt.at)
            if loss is not None:
                agrees = seq != loss.data["last"] or promised.hex() == loss.data["hash"]
                _expect(agrees, "receipt", "a signed receipt names another event than the one that is lost", seq)
                lost.add(seq)
                continue
            newest = max(newest, seq)
            goes_on = seq > len(case.events) and not case.is_over
            _expect(kept or goes_on, "receipt", "a signed receipt names another event here", seq)
    if lost:
        sentence = "receipts prove that the service accepted events {seqs}, which it has lost"
        yield doubtful("lost_receipts", Message(sentence, seqs=", ".join(map(str, sorted(lost)))))
    if newest > len(case.events):
        yield doubtful(
            "newer_receipts",
            Message("a receipt is of event {newest}, which came after this bundle: ask for a newer one", newest=newest),
        )


def _tell_loss(loss: Event) -> Finding:
    data: Mapping[str, Any] = loss.data
    sentence = "event {seq}: published events {first} to {last} are lost, and the game went on without them"
    return doubtful("history_lost", Message(sentence, seq=loss.seq, first=data["kept"] + 1, last=data["last"]))


def _loss_of(losses: Sequence[Event], seq: int, at: int) -> Event | None:
    """Returns the loss that took an event promised at that time, whether it was published before or not."""

    def took(loss: Event) -> bool:
        data: Mapping[str, Any] = loss.data
        return at <= loss.at and bool(data["kept"] < seq)

    return next(filter(took, losses), None)


def list_withheld(case: Case) -> Iterator[Finding]:
    """V13: the bundle lists withheld texts, and the events contain their hashes."""
    for row in case.bundle.withheld:
        there = row.seq <= len(case.events) and case.events[row.seq - 1].data.get(row.field) == row.hash.hex()
        _expect(there, "withheld", "the withheld {field} is not of this event", row.seq, field=row.field)
        yield doubtful(
            "withheld",
            Message(
                "event {seq}: the {field} is withheld ({why}); its hash stands",
                seq=row.seq,
                field=row.field,
                why=row.why,
            ),
        )


def _checkpoints(bundle: Bundle) -> Iterator[Note]:
    yield from (barrier.proof.checkpoint for barrier in bundle.barriers)
    if bundle.proof is not None:
        yield bundle.proof.checkpoint
    yield from (root.checkpoint for root in bundle.roots)


def _expect(holds: bool, reason: str, sentence: str, seq: int | None = None, /, **values: object) -> None:
    if not holds:
        raise CheckFailed(reason, sentence, seq, **values)

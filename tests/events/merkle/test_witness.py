"""The witness's decision: what it accepts, and one refusal for each abuse."""

import pytest

from events.merkle.checkpoint import Checkpoint
from events.merkle.errors import UnreadableText
from events.merkle.notes import COSIGNATURE, Note, SigningKey
from events.merkle.tree import EMPTY_ROOT, Tree, consistency_proof, leaf_hash
from events.merkle.witness import NOTHING_SEEN, AddCheckpoint, WitnessedTree, WitnessRefusal, judge, origin_hash
from tests.support.events import published_vectors

LOG = SigningKey.from_seed("log.example.org/2026", b"\x07" * 32)
WITNESS = SigningKey.from_seed("witness.example.org", b"\x08" * 32, COSIGNATURE)
KNOWN = {LOG.name: [LOG.verifier]}
TREE = Tree(leaf_hash(entry) for entry in published_vectors.CT_ENTRIES)


def note(size: int, root: bytes | None = None, origin: str = LOG.name, key: SigningKey = LOG) -> Note:
    return Checkpoint(origin, size, TREE.root(size) if root is None else root).signed(key)


def call(old: int, signed: Note, proof: list[bytes] | None = None) -> bytes:
    size = Checkpoint.parse(signed.text).size
    hashes = consistency_proof(old, size, TREE.node) if proof is None else proof
    return str(AddCheckpoint(old, tuple(hashes), signed)).encode()


def refused(data: bytes, seen: WitnessedTree = NOTHING_SEEN) -> WitnessRefusal:
    with pytest.raises(WitnessRefusal) as refusal:
        judge(data, KNOWN, lambda _: seen)
    return refusal.value


@pytest.mark.parametrize(("old", "size"), [(0, 0), (0, 3), (3, 3), (3, 8), (4, 7), (8, 8)])
def test_honest_growth_is_accepted(old: int, size: int) -> None:
    accepted = judge(call(old, note(size)), KNOWN, lambda _: WitnessedTree(old, TREE.root(old)))
    assert accepted.checkpoint.size == size
    assert [line.name for line in accepted.signatures] == [LOG.name]


def test_an_unknown_log_is_not_found() -> None:
    assert refused(call(0, note(3, origin="other.example.org"))).status == 404


def test_a_checkpoint_without_a_valid_signature_is_forbidden() -> None:
    stranger = SigningKey.generate(LOG.name)
    assert refused(call(0, note(3, key=stranger))).status == 403
    swapped = Note(note(4).text, note(3).signatures)
    assert refused(call(0, swapped)).status == 403


def test_shrinking_is_a_bad_request() -> None:
    seen = WitnessedTree(8, TREE.root(8))
    assert refused(call(8, note(3), proof=[]), seen).status == 400


def test_a_stale_old_size_is_told_the_known_one() -> None:
    refusal = refused(call(3, note(8)), WitnessedTree(4, TREE.root(4)))
    assert (refusal.status, refusal.content_type, refusal.body) == (409, "text/x.tlog.size", "4\n")


def test_a_rollback_is_a_conflict() -> None:
    assert refused(call(0, note(3)), WitnessedTree(8, TREE.root(8))).status == 409


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        (call(3, note(8), proof=[]), WitnessedTree(3, TREE.root(3))),
        (call(3, note(8, root=EMPTY_ROOT)), WitnessedTree(3, TREE.root(3))),
        (call(3, note(3, root=EMPTY_ROOT)), WitnessedTree(3, TREE.root(3))),  # one size, two roots
        (call(3, note(8)), WitnessedTree(3, EMPTY_ROOT)),  # the log rewrote entries that the witness saw
        (call(3, note(3), proof=[EMPTY_ROOT]), WitnessedTree(3, TREE.root(3))),
        (call(0, note(3), proof=[EMPTY_ROOT]), NOTHING_SEEN),
        (call(0, note(0, root=TREE.root(1))), NOTHING_SEEN),
    ],
)
def test_a_tree_that_does_not_grow_out_of_the_seen_one_is_refused(data: bytes, seen: WitnessedTree) -> None:
    refusal = refused(data, seen)
    assert refusal.status == 422
    assert refusal.content_type.startswith("text/plain")
    assert refusal.body.endswith("\n")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"old 0\n",
        b"old 00\n\n" + str(note(3)).encode(),
        b"new 0\n\n" + str(note(3)).encode(),
        b"old 0\nAAAA\n\n" + str(note(3)).encode(),
        b"old 0\n\nnot a note\n",
        b"old 0\n\n" + str(Note("not a checkpoint\n", note(3).signatures)).encode(),
        call(3, note(8), proof=[EMPTY_ROOT] * 64),
    ],
)
def test_an_unreadable_call_is_a_bad_request(data: bytes) -> None:
    assert refused(data).status == 400


def test_a_line_in_the_witness_own_name_is_not_kept() -> None:
    signed = note(3)
    planted = Note(signed.text, (*signed.signatures, WITNESS.sign("something else\n", 1)))
    accepted = judge(call(0, planted), KNOWN, lambda _: NOTHING_SEEN)
    assert accepted.signatures == signed.signatures


def test_calls_round_trip_and_63_hashes_are_read() -> None:
    data = call(3, note(8), proof=[EMPTY_ROOT] * 63)
    assert str(AddCheckpoint.parse(data)).encode() == data
    with pytest.raises(UnreadableText):
        AddCheckpoint.parse(b"old 3\n\n")


def test_the_hash_of_an_origin_is_the_published_one() -> None:
    assert origin_hash("rome2026h1.example.org") == published_vectors.COSIGNED_ORIGIN_HASH

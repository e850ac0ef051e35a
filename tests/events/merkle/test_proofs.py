"""Proof files and policies: what an outsider needs besides the entry itself."""

from collections.abc import Sequence

import pytest

from events.merkle.checkpoint import Checkpoint
from events.merkle.errors import BadProof, UnreadableText, UnverifiedNote
from events.merkle.notes import COSIGNATURE, Note, SigningKey
from events.merkle.policy import Policy
from events.merkle.proofs import LogProof
from events.merkle.tree import Tree, inclusion_proof, leaf_hash
from tests.support.events import published_vectors

LOG = SigningKey.from_seed("log.example.org/2026", b"\x07" * 32)
WITNESSES = {
    name: SigningKey.from_seed(f"{name.lower()}.example.org", bytes([number]) * 32, COSIGNATURE)
    for number, name in enumerate(("X1", "X2", "X3", "Y1", "Y2"), 1)
}
KEYS = {name: str(key.verifier) for name, key in WITNESSES.items()}
TREE = Tree(leaf_hash(entry) for entry in published_vectors.CT_ENTRIES)
CHECKPOINT = Checkpoint(LOG.name, 8, TREE.root())


def cosigned(by: Sequence[str], time: int = 1000) -> Note:
    note = CHECKPOINT.signed(LOG)
    lines = (WITNESSES[name].sign(note.text, time + number) for number, name in enumerate(by))
    return Note(note.text, (*note.signatures, *lines))


def proof_of(index: int, extra: bytes | None = None) -> LogProof:
    return LogProof(index, tuple(inclusion_proof(index, 8, TREE.node)), cosigned(["X1"]), extra)


@pytest.mark.parametrize("extra", [None, b"", b"context"])
def test_a_proof_file_round_trips_and_verifies(extra: bytes | None) -> None:
    proof = proof_of(5, extra)
    again = LogProof.parse(str(proof).encode())
    assert again == proof
    assert again.verify(leaf_hash(published_vectors.CT_ENTRIES[5])) == CHECKPOINT
    assert str(proof).startswith("c2sp.org/tlog-proof@v1\n" + ("" if extra is None else "extra "))


def test_a_proof_of_another_entry_is_refused() -> None:
    with pytest.raises(BadProof):
        proof_of(5).verify(leaf_hash(published_vectors.CT_ENTRIES[4]))


TEXT = str(proof_of(5))


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT.replace("@v1", "@v2"),
        TEXT.replace("index 5", "index 05"),
        TEXT.replace("index 5\n", ""),
        TEXT.replace("index 5", "extra AAAA"),
        TEXT.replace("index 5\n", "index 5\nAAAA\n"),
        TEXT.replace("index 5\n", "index 5\n" + "A" * 43 + "=\n" * 1 + ("A" * 43 + "=\n") * 63),
        TEXT.partition("\n\n")[0],
        "c2sp.org/tlog-proof@v1\n\n" + TEXT.partition("\n\n")[2],
    ],
)
def test_unreadable_proof_files_are_refused(text: str) -> None:
    with pytest.raises(UnreadableText):
        LogProof.parse(text.encode())


POLICY = f"""# who is believed
log {LOG.verifier} https://log.example.org/2026

witness X1 {KEYS["X1"]} https://x1.example.org
\twitness  X2\t{KEYS["X2"]}
witness X3 {KEYS["X3"]}
group X-witnesses 2 X1 X2 X3
witness Y1 {KEYS["Y1"]}
witness Y2 {KEYS["Y2"]}
group Y-witnesses any Y1 Y2
group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
"""


@pytest.mark.parametrize(
    ("by", "quorum"),
    [
        (["X1", "X2", "Y1"], True),
        (["X1", "X3", "Y2"], True),
        (["X1", "X2", "X3"], False),
        (["X1", "Y1", "Y2"], False),
        ([], False),
    ],
)
def test_a_quorum_is_counted_through_groups(by: list[str], quorum: bool) -> None:
    judged = Policy.parse(POLICY.encode()).judge(cosigned(by))
    assert judged.quorum is quorum
    assert judged.checkpoint == CHECKPOINT
    assert set(judged.times) == set(by)


def test_a_quorum_stands_since_its_last_needed_cosignature() -> None:
    policy = Policy.parse(POLICY.encode())
    judged = policy.judge(cosigned(["Y2", "X1", "X3", "X2"]))
    assert policy.witnessed_since(judged.times) == 1002
    assert policy.witnessed_since({"X1": 1}) is None
    assert Policy.parse(b"quorum none\n").witnessed_since({}) is None


def test_no_witness_is_needed_where_the_policy_says_none() -> None:
    policy = Policy.parse(f"log {LOG.verifier}\nquorum none".encode())
    assert policy.judge(cosigned([])).quorum


def test_a_false_cosignature_of_a_known_witness_refuses_the_note() -> None:
    note = cosigned(["X1", "X2", "Y1"])
    false = WITNESSES["X3"].sign("another text\n", 1000)
    with pytest.raises(UnverifiedNote):
        Policy.parse(POLICY.encode()).judge(Note(note.text, (*note.signatures, false)))


def test_a_policy_written_out_is_read_as_the_same() -> None:
    for text in (POLICY, f"log {LOG.verifier}\nquorum none"):
        policy = Policy.parse(text.encode())
        assert Policy.parse(str(policy).encode()) == policy


def test_names_of_a_policy_are_octets() -> None:
    text = f"witness \udcff {KEYS['X1']}\nquorum \udcff\n"
    assert Policy.parse(text.encode("utf-8", "surrogateescape")).quorum == "\udcff"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "quorum none\nquorum none\n",
        "quorum X1\n",
        "oracle X1\nquorum none\n",
        "quorum none\r\n",
        f"log {LOG.verifier}\nlog {LOG.verifier}\nquorum none\n",
        f"log {KEYS['X1']}\nquorum none\n",  # a cosigner's key is used for nothing else
        f"witness X1 {LOG.verifier}\nquorum X1\n",
        f"witness none {KEYS['X1']}\nquorum none\n",
        f"witness X1 {KEYS['X1']}\nwitness X1 {KEYS['X2']}\nquorum X1\n",
        f"witness X1 {KEYS['X1']}\nwitness X2 {KEYS['X1']}\nquorum X1\n",
        f"witness X1 {KEYS['X1']}\ngroup G any\nquorum X1\n",
        f"witness X1 {KEYS['X1']}\ngroup G 2 X1\nquorum G\n",
        f"witness X1 {KEYS['X1']}\ngroup G 0 X1\nquorum G\n",
        f"witness X1 {KEYS['X1']}\ngroup G any X1 X1\nquorum G\n",
        f"witness X1 {KEYS['X1']}\ngroup G any X1\ngroup H any X1\nquorum G\n",
        f"group G any X1\nwitness X1 {KEYS['X1']}\nquorum G\n",
        f"group G any none\nwitness X1 {KEYS['X1']}\nquorum G\n",
        f"witness X1 {KEYS['X1']} url more\nquorum X1\n",
        "#" * 100_001 + "\nquorum none\n",
    ],
)
def test_unreadable_policies_are_refused(text: str) -> None:
    with pytest.raises(UnreadableText):
        Policy.parse(text.encode())

"""Signed notes, keys and checkpoints: the published ones verify, and nothing else does."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.merkle.checkpoint import Checkpoint, open_checkpoint
from events.merkle.errors import BadKey, UnreadableText, UnverifiedNote
from events.merkle.notes import COSIGNATURE, Note, Signature, SigningKey, VerifierKey, cosigned_at
from events.merkle.text import from_base64, to_base64
from events.merkle.tree import EMPTY_ROOT, Tree, leaf_hash
from tests.support.events import published_vectors

P = 2**255 - 19
LOG = SigningKey.from_seed("log.example.org/2026", b"\x07" * 32)
WITNESS = SigningKey.from_seed("witness.example.org", b"\x08" * 32, COSIGNATURE)


def test_the_published_note_verifies() -> None:
    key = VerifierKey.parse(published_vectors.NOTE_KEY)
    note = Note.parse(published_vectors.NOTE)
    assert [found for found, _ in note.verified([key])] == [key]
    assert str(note).encode() == published_vectors.NOTE
    assert str(key) == published_vectors.NOTE_KEY


def test_the_published_cosignature_verifies_and_tells_its_time() -> None:
    note = Note.parse(published_vectors.COSIGNED)
    ((key, signature),) = note.verified([VerifierKey.parse(published_vectors.WITNESS_KEY)])
    assert (key.kind, cosigned_at(signature)) == (COSIGNATURE, 1767139200)
    assert Checkpoint.parse(note.text).size == 300


def test_the_published_checkpoints_verify() -> None:
    key = VerifierKey.parse(published_vectors.TESSERA_KEY)
    leaves = [leaf_hash(entry) for entry in published_vectors.TESSERA_ENTRIES]
    tree = Tree(leaves)
    for size, root in published_vectors.TESSERA_ROOTS.items():
        assert to_base64(tree.root(size)) == root
    latest = Checkpoint(published_vectors.TESSERA_ORIGIN, 15, tree.root())
    line = f"— {published_vectors.TESSERA_ORIGIN} {published_vectors.TESSERA_SIGNATURE_15}\n"
    assert open_checkpoint(Note.parse(f"{latest}\n{line}".encode()), [key]) == latest


def test_the_published_log_states_come_out_byte_for_byte() -> None:
    key = VerifierKey.parse(published_vectors.TESSERA_KEY)
    tree = Tree(leaf_hash(entry) for entry in published_vectors.TESSERA_ENTRIES)
    log = published_vectors.tessera_log()
    for size in range(16) if log else ():
        note = Note.parse(log[f"checkpoint.{size}"])
        assert note.text == str(Checkpoint(published_vectors.TESSERA_ORIGIN, size, tree.root(size)))
        assert open_checkpoint(note, [key]).size == size
        assert str(note).encode() == log[f"checkpoint.{size}"]


def test_unknown_keys_are_ignored_but_false_signatures_refused() -> None:
    checkpoint = Checkpoint(LOG.name, 3, EMPTY_ROOT)
    stranger = SigningKey.generate("stranger.example.org")
    good = checkpoint.signed(stranger, LOG)
    assert open_checkpoint(good, [LOG.verifier]) == checkpoint
    other = LOG.sign("something else\n")
    for forged in ((other,), (*good.signatures, other)):
        with pytest.raises(UnverifiedNote):
            open_checkpoint(Note(good.text, forged), [LOG.verifier])
    with pytest.raises(UnverifiedNote):
        open_checkpoint(checkpoint.signed(stranger), [LOG.verifier])


def test_a_log_cannot_sign_for_another_origin() -> None:
    note = Checkpoint("another.example.org", 3, EMPTY_ROOT).signed(LOG)
    with pytest.raises(UnverifiedNote):
        open_checkpoint(note, [LOG.verifier])


def test_a_cosignature_covers_its_time_and_is_no_signature_of_another_kind() -> None:
    text = str(Checkpoint(LOG.name, 3, EMPTY_ROOT))
    line = WITNESS.sign(text, 1_800_000_000)
    assert WITNESS.verifier.verify(text, line)
    later = line._replace(data=(1_800_000_001).to_bytes(8, "big") + line.data[8:])
    assert not WITNESS.verifier.verify(text, later)
    plain = VerifierKey(WITNESS.name, 1, WITNESS.verifier.public)
    assert not plain.verify(text, line._replace(key_id=plain.key_id, data=line.data[8:]))
    assert not WITNESS.verifier.verify(text, line._replace(data=line.data[:8]))


def test_signing_keys_round_trip_and_keep_their_secret_out_of_repr() -> None:
    for key in (LOG, WITNESS):
        again = SigningKey.parse(key.secret() + "\n")
        assert again.verifier == key.verifier
        assert VerifierKey.parse(str(key.verifier)) == key.verifier
        assert key.secret().rpartition("+")[2] not in repr(key)


LOW_ORDER = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]
NOT_CANONICAL = [(P + low + (sign << 255)).to_bytes(32, "little").hex() for low in range(19) for sign in (0, 1)]
NOT_CANONICAL += [(y + (1 << 255)).to_bytes(32, "little").hex() for y in (1, P - 1)]
OFF_THE_CURVE = ["0200000000000000000000000000000000000000000000000000000000000000"]


@pytest.mark.parametrize("encoded", [*LOW_ORDER, *NOT_CANONICAL, *OFF_THE_CURVE, "", "00" * 33])
def test_keys_that_libraries_disagree_about_are_refused(encoded: str) -> None:
    with pytest.raises(BadKey):
        VerifierKey("log.example.org", 1, bytes.fromhex(encoded))


@given(st.binary(min_size=32, max_size=32))
@settings(max_examples=50, deadline=None)
def test_every_honest_key_is_accepted(seed: bytes) -> None:
    key = SigningKey.from_seed("log.example.org", seed)
    assert VerifierKey.parse(str(key.verifier)).verify("text\n", key.sign("text\n"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "log.example.org",
        "log.example.org+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",  # another name's id
        published_vectors.NOTE_KEY[:-1],
        published_vectors.NOTE_KEY.replace("530d903a", "530D903A"),
        published_vectors.NOTE_KEY.replace("+Ae", "+Be"),
        "two words" + published_vectors.NOTE_KEY[len("example.com/foo") :],
    ],
)
def test_unreadable_keys_are_refused(text: str) -> None:
    with pytest.raises(BadKey):
        VerifierKey.parse(text)
    with pytest.raises(BadKey):
        SigningKey.parse("PRIVATE+KEY+" + text)
    with pytest.raises(BadKey):
        SigningKey.parse(text)


LINE = "— a.example AAAAAAA=\n"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no signatures\n",
        b"no empty line\n" + LINE.encode(),
        b"text\n\n",
        b"text\n\n- a.example AAAAAAA=\n",
        ("text\n\n" + LINE)[:-1].encode(),
        "text\n\n— a.example AAAA\n".encode(),  # a key id and nothing signed
        "text\n\n— a+b AAAAAAA=\n".encode(),
        "text\n\n—  AAAAAAA=\n".encode(),
        "text\n\n— a.example AAAAAAB=\n".encode(),  # base64 with stray bits
        "text\n\n— a.example AAAAAAA\n".encode(),
        "text\n\n— a.example AAAA\u0661AAA=\n".encode(),
        b"te\x07xt\n\n" + LINE.encode(),
        b"te\xffxt\n\n" + LINE.encode(),
        b"text\n\n" + LINE.encode() * 101,
        b"x" * 1_000_001,
    ],
)
def test_unreadable_notes_are_refused(data: bytes) -> None:
    with pytest.raises(UnreadableText):
        Note.parse(data)


def test_the_text_ends_at_the_last_empty_line_and_many_signatures_are_read() -> None:
    note = Note.parse(b"one\n\ntwo\n\n" + LINE.encode() * 100)
    assert note.text == "one\n\ntwo\n"
    assert len(note.signatures) == 100


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_a_note_or_refused(data: bytes) -> None:
    with suppress(UnreadableText):
        assert str(Note.parse(data)).encode() == data


ROOT = to_base64(EMPTY_ROOT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "origin\n1\n",
        f"origin\n01\n{ROOT}\n",
        f"origin\n-1\n{ROOT}\n",
        f"origin\n٣\n{ROOT}\n",
        f"origin\n{2**63}\n{ROOT}\n",
        f"origin\n1\n{ROOT[:-4]}\n",
        f"\n1\n{ROOT}\n",
        f"origin\n1\n{ROOT}",
        f"origin\n1\n{ROOT}\n\nmore\n",
    ],
)
def test_unreadable_checkpoints_are_refused(text: str) -> None:
    with pytest.raises(UnreadableText):
        Checkpoint.parse(text)


def test_lines_of_a_foreign_log_are_kept_as_signed() -> None:
    text = f"origin\n1\n{ROOT}\nextension\n"
    assert str(Checkpoint.parse(text)) == text


def test_base64_has_one_spelling() -> None:
    assert from_base64("AAAA", "hash", 3) == b"\0\0\0"
    for other in ("AAA", "AAAA\n", " AAAA", "AB==", "A-__"):
        with pytest.raises(UnreadableText):
            from_base64(other, "hash")


def test_a_signature_line_round_trips() -> None:
    line = Signature("a.example", b"\0\1\2\3", b"data")
    assert Note.parse(f"text\n\n{line.line}".encode()).signatures == (line,)

"""Receipts: what they say is what was signed, by a key the log vouches for."""

from uuid import UUID

import pytest

from events.log.receipts import Receipt, open_receipt, receipt_key, vouch, vouched_keys
from events.merkle.errors import BadKey, UnreadableText, UnverifiedNote
from events.merkle.notes import Note, SigningKey

ORIGIN = "cabildo.example/log"
LOG = SigningKey.from_seed(ORIGIN, b"\x07" * 32)
KEY = receipt_key(ORIGIN, b"m" * 32)
RECEIPT = Receipt(ORIGIN, UUID(int=1), 41, b"\x01" * 32, 42, b"\x02" * 32, 1_800_000_000_000_000, 10)


def test_a_receipt_round_trips_under_the_key_the_log_vouches_for() -> None:
    keys = vouched_keys(Note.parse(str(vouch(ORIGIN, [KEY.verifier], LOG)).encode()), [LOG.verifier])
    assert keys == (KEY.verifier,)
    assert open_receipt(Note.parse(str(RECEIPT.signed(KEY)).encode()), keys) == RECEIPT


def test_every_node_has_the_same_receipt_key_and_no_log_key() -> None:
    assert receipt_key(ORIGIN, b"m" * 32).verifier == KEY.verifier
    assert receipt_key(ORIGIN, b"n" * 32).verifier != KEY.verifier
    assert receipt_key("other.example/log", b"m" * 32).verifier.public != KEY.verifier.public


def test_a_changed_receipt_is_not_believed() -> None:
    note = RECEIPT.signed(KEY)
    changed = Note(str(RECEIPT._replace(seq=40)), note.signatures)
    with pytest.raises(UnverifiedNote):
        open_receipt(changed, [KEY.verifier])
    with pytest.raises(UnverifiedNote):
        open_receipt(RECEIPT._replace(origin="other.example/log").signed(KEY), [KEY.verifier])


def test_receipt_keys_nobody_vouches_for_are_not_believed() -> None:
    stranger = SigningKey.from_seed(ORIGIN, b"\x09" * 32)
    with pytest.raises(UnverifiedNote):
        vouched_keys(vouch(ORIGIN, [KEY.verifier], stranger), [LOG.verifier])
    with pytest.raises(BadKey):
        vouched_keys(vouch(ORIGIN, [LOG.verifier], LOG), [LOG.verifier])
    with pytest.raises(UnreadableText):
        vouched_keys(RECEIPT.signed(LOG), [LOG.verifier])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("receipt/v1", "receipt/v2"),
        ("event 41", "event 041"),
        ("within 10", "within -1"),
        ("within 10\n", "within 10\nmore\n"),
        ("0000-", "0000"),
    ],
)
def test_other_spellings_are_refused(old: str, new: str) -> None:
    with pytest.raises(UnreadableText):
        Receipt.parse(str(RECEIPT).replace(old, new))

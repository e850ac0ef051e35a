"""Receipts: signed promises of the service that an event is stored and will be in the public log.

A receipt is a signed note (C2SP signed-note) whose text is these lines, each ended by one line feed:

    cabildo/receipt/v1
    <origin of the log>
    stream <uuid>
    event <seq> <hash of the event, hex>
    head <seq> <hash of the newest event after the answer, hex>
    time <microseconds since 1970, UTC>
    within <seconds until a published checkpoint includes the event>

It is signed by a receipt key, which is not the log's: the log's key vouches for receipt keys in a note whose text is
`cabildo/receipt-keys/v1`, the origin, then one verifier key a line. A receipt that the log contradicts proves a lie.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from events.merkle.errors import BadKey, UnreadableText, UnverifiedNote
from events.merkle.notes import Note, SigningKey, VerifierKey
from events.merkle.text import from_decimal
from events.sealing.master_keys import MasterKeys

_HEAD = "cabildo/receipt/v1"
_KEYS_HEAD = "cabildo/receipt-keys/v1"
_FORM = re.compile(
    r"cabildo/receipt/v1\n(?P<origin>[^\n]+)\nstream (?P<stream>[0-9a-f-]{36})\n"
    r"event (?P<seq>[0-9]+) (?P<hash>[0-9a-f]{64})\nhead (?P<head_seq>[0-9]+) (?P<head>[0-9a-f]{64})\n"
    r"time (?P<at>[0-9]+)\nwithin (?P<within>[0-9]+)\n",
    re.ASCII,
)


class Receipt(NamedTuple):
    """The content of a receipt."""

    origin: str
    stream: UUID
    seq: int
    hash: bytes
    head_seq: int
    head: bytes
    at: int
    within: int

    def __str__(self) -> str:
        lines = (
            _HEAD,
            self.origin,
            f"stream {self.stream}",
            f"event {self.seq} {self.hash.hex()}",
            f"head {self.head_seq} {self.head.hex()}",
            f"time {self.at}",
            f"within {self.within}",
        )
        return "".join(f"{line}\n" for line in lines)

    def signed(self, key: SigningKey) -> Note:
        """Returns the signed receipt."""
        text = str(self)
        return Note(text, (key.sign(text),))

    @classmethod
    def parse(cls, text: str) -> "Receipt":
        """Parses the text of a receipt; raises UnreadableText for any other form."""
        found = _FORM.fullmatch(text)
        if not found:
            raise UnreadableText("receipt", "not in its form")
        receipt = cls(
            found["origin"],
            UUID(found["stream"]),
            from_decimal(found["seq"], "receipt seq"),
            bytes.fromhex(found["hash"]),
            from_decimal(found["head_seq"], "receipt head"),
            bytes.fromhex(found["head"]),
            from_decimal(found["at"], "receipt time"),
            from_decimal(found["within"], "receipt promise"),
        )
        if str(receipt) != text:
            raise UnreadableText("receipt", "not in its form")
        return receipt


def receipt_key(origin: str, master_key: bytes) -> SigningKey:
    """Derives the key that signs receipts from the master key, so that no further key is stored."""
    info = b"cabildo/receipt-key/v1\n" + origin.encode()
    seed = HKDF(SHA256(), 32, salt=None, info=info).derive(master_key)
    return SigningKey.from_seed(f"{origin}/receipts", seed)


def receipt_keys(origin: str, master_keys: MasterKeys) -> list[SigningKey]:
    """Returns the key of each known master key, the current one's first."""
    return [receipt_key(origin, key) for key in master_keys.known]


def vouch(origin: str, keys: Sequence[VerifierKey], log_key: SigningKey) -> Note:
    """Returns the note by which the log's key vouches for the receipt keys."""
    text = "".join(f"{line}\n" for line in (_KEYS_HEAD, origin, *keys))
    return Note(text, (log_key.sign(text),))


def vouched_keys(note: Note, log_keys: Iterable[VerifierKey]) -> tuple[VerifierKey, ...]:
    """Returns the receipt keys that one of the log's keys vouches for.

    A log that goes on from one that lost events vouches for that one's receipt keys, too: they can only prove a fault.
    """
    head, _, rest = note.text.partition("\n")
    origin, _, lines = rest.partition("\n")
    if head != _KEYS_HEAD or not lines:
        raise UnreadableText("receipt keys", "not in their form")
    if not note.verified(log_keys):
        raise UnverifiedNote(f"no known key vouches for the receipt keys of {origin}")
    keys = tuple(VerifierKey.parse(line) for line in lines[:-1].split("\n"))
    if any(key.name != f"{origin}/receipts" for key in keys):
        raise BadKey(f"a receipt key does not bear the name of {origin}")
    return keys


def open_receipt(note: Note, keys: Iterable[VerifierKey]) -> Receipt:
    """Returns the receipt that one of the receipt keys vouches for."""
    receipt = Receipt.parse(note.text)
    if not note.verified(key for key in keys if key.name == f"{receipt.origin}/receipts"):
        raise UnverifiedNote("no known receipt key signed the receipt")
    return receipt

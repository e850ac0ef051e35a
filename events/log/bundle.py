"""Bundles: all that a verifier needs to check one stream offline, in one canonical JSON file.

`deploy/docs/bundle.md` specifies it; this module reads and writes it and accepts nothing else.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast
from uuid import UUID

from events.canonical import canonical, read_canonical
from events.json_types import Json
from events.kinds.field_types import (
    HASH,
    RULES,
    UUID_TEXT,
    Fields,
    FieldType,
    each,
    first_fault,
    nullable,
    one_of,
    record,
    whole,
)
from events.merkle.errors import UnreadableText
from events.merkle.notes import Note
from events.merkle.proofs import MAX_HASHES, LogProof
from events.merkle.text import from_base64, to_base64
from events.merkle.tree import HASH_SIZE

FORMAT = "cabildo/bundle/v1"
LARGEST_BUNDLE = 256 * 2**20
MOST_EVENTS = 100_000

# Events whose place in the log is proved: the close of the commitments, and the first reveal, which comes after it.
CLOSING, REVEALING = "commitments_closed", "entropy_revealed"
# Events that name the newest public tree before them, so that they cannot be backdated.
DATED = ("game_started", "flag_fell", "ruled")

_TEXT = FieldType("a text", lambda value: isinstance(value, str))
_SEQ = whole(1, MOST_EVENTS)
_SIZE = whole(0, 2**53 - 1)
_FIELDS: Fields = {
    "format": one_of(FORMAT),
    "stream": UUID_TEXT,
    "events": each(_TEXT, MOST_EVENTS),
    "proof": nullable(_TEXT),
    "barriers": each(record(seq=_SEQ, proof=_TEXT), 1_000),
    "growth": each(record(old=_SIZE, size=_SIZE, hashes=each(_TEXT, MAX_HASHES)), 1_000),
    "receipt_keys": each(_TEXT, 100),
    "receipts": each(_TEXT, MOST_EVENTS),
    "roots": each(record(seq=_SEQ, checkpoint=_TEXT), 1_000),
    "rules": nullable(record(version=RULES, hash=HASH)),
    "withheld": each(record(seq=_SEQ, field=one_of("reason"), hash=HASH, why=one_of("erased", "private")), MOST_EVENTS),
}


class Barrier(NamedTuple):
    """The place of an event in the log, proved by the checkpoint that covers it; later events waited for it."""

    seq: int
    proof: LogProof


class Growth(NamedTuple):
    """A proof that a newer tree extends an older one."""

    old: int
    size: int
    hashes: tuple[bytes, ...]


class Root(NamedTuple):
    """The checkpoint of the tree that an event names as older than itself."""

    seq: int
    checkpoint: Note


class RulesData(NamedTuple):
    """The rules version of a game, and the hash of all rule tables."""

    version: str
    hash: bytes


class Withheld(NamedTuple):
    """A text that is not included; the events contain its hash."""

    seq: int
    field: str
    hash: bytes
    why: str


@dataclass(frozen=True)
class Bundle:
    """A stream with its proofs; only the form is checked."""

    stream: UUID
    events: tuple[bytes, ...]
    proof: LogProof | None = None
    barriers: tuple[Barrier, ...] = ()
    growth: tuple[Growth, ...] = ()
    receipt_keys: tuple[Note, ...] = ()
    receipts: tuple[Note, ...] = ()
    roots: tuple[Root, ...] = ()
    rules: RulesData | None = None
    withheld: tuple[Withheld, ...] = ()

    def encode(self) -> bytes:
        """Returns the bytes of the bundle's file."""
        document: Mapping[str, Json] = {
            "format": FORMAT,
            "stream": str(self.stream),
            "events": [body.decode() for body in self.events],
            "proof": None if self.proof is None else str(self.proof),
            "barriers": [{"seq": barrier.seq, "proof": str(barrier.proof)} for barrier in self.barriers],
            "growth": [
                {"old": step.old, "size": step.size, "hashes": [to_base64(each) for each in step.hashes]}
                for step in self.growth
            ],
            "receipt_keys": [str(note) for note in self.receipt_keys],
            "receipts": [str(note) for note in self.receipts],
            "roots": [{"seq": root.seq, "checkpoint": str(root.checkpoint)} for root in self.roots],
            "rules": None if self.rules is None else {"version": self.rules.version, "hash": self.rules.hash.hex()},
            "withheld": [row._asdict() | {"hash": row.hash.hex()} for row in self.withheld],
        }
        return canonical(document)

    @classmethod
    def read(cls, data: bytes) -> "Bundle":
        """Parses a bundle's file; raises UnfitJson, EventTooLarge or UnreadableText."""
        document = read_canonical(data, LARGEST_BUNDLE)
        if not isinstance(document, dict):
            raise UnreadableText("bundle", "not an object")
        fault = first_fault(_FIELDS, document)
        if fault is not None:
            raise UnreadableText("bundle", " ".join(fault))
        return _bundle(cast(dict[str, Any], document))


def _bundle(document: Mapping[str, Any]) -> Bundle:
    return Bundle(
        stream=UUID(document["stream"]),
        events=tuple(text.encode() for text in document["events"]),
        proof=None if document["proof"] is None else _proof(document["proof"]),
        barriers=tuple(Barrier(row["seq"], _proof(row["proof"])) for row in document["barriers"]),
        growth=tuple(Growth(row["old"], row["size"], _hashes(row["hashes"])) for row in document["growth"]),
        receipt_keys=_notes(document["receipt_keys"]),
        receipts=_notes(document["receipts"]),
        roots=tuple(Root(row["seq"], Note.parse(row["checkpoint"].encode())) for row in document["roots"]),
        rules=_rules(document["rules"]),
        withheld=tuple(
            Withheld(row["seq"], row["field"], bytes.fromhex(row["hash"]), row["why"]) for row in document["withheld"]
        ),
    )


def _rules(row: Mapping[str, str] | None) -> RulesData | None:
    return None if row is None else RulesData(row["version"], bytes.fromhex(row["hash"]))


def _proof(text: str) -> LogProof:
    proof = LogProof.parse(text.encode())
    if str(proof) != text or proof.extra is not None:
        raise UnreadableText("proof in a bundle", "carries what nobody vouches for")
    return proof


def _hashes(texts: Iterable[str]) -> tuple[bytes, ...]:
    return tuple(from_base64(text, "hash in a bundle", HASH_SIZE) for text in texts)


def _notes(texts: Sequence[str]) -> tuple[Note, ...]:
    return tuple(Note.parse(text.encode()) for text in texts)

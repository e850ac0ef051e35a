"""Checks that the events of a stream form one hash chain, and that receipts fit the answers they come with."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from cabildo_client.documents import AppendedMove
from cabildo_client.errors import BrokenHistory, BrokenReceipt
from cabildo_client.json_values import Json

EVENT_PREFIX: Final = b"cabildo/event/v1\n"
HASHED: Final = ("actor", "at", "data", "kind", "prev", "rules", "salt", "seq", "shape", "stream")
FIRST_SHAPE: Final = 1  # data of later shapes may be upcast from an older one, which hashes to something else
RECEIPT: Final = re.compile(
    r"cabildo/receipt/v1\n(?P<origin>[^\n]+)\nstream (?P<stream>[0-9a-f-]{36})\n"
    r"event (?P<seq>[0-9]{1,16}) (?P<hash>[0-9a-f]{64})\nhead (?P<version>[0-9]{1,16}) (?P<head>[0-9a-f]{64})\n"
    r"time (?P<at>[0-9]{1,16})\nwithin (?P<within>[0-9]{1,16})\n",
    re.ASCII,
)


def event_hash(event: Mapping[str, Json]) -> str:
    """Returns the hash of an event's canonical bytes (RFC 8785: sorted names, no spaces)."""
    return hashlib.sha256(EVENT_PREFIX + _canonical({name: event[name] for name in HASHED}).encode()).hexdigest()


def _canonical(value: Json) -> str:
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{_text(name)}:{_canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_canonical, value)) + "]"
    return _text(value)


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


class ChainCheck:
    """Follows the events of one stream; each has to name the hash of the event before it."""

    def __init__(self) -> None:
        self._seq = 0
        self._head = ""

    def restart(self) -> None:
        """Forgets the events so far: the service's database was replaced by another copy, and says so."""
        self._seq, self._head = 0, ""

    def check(self, event: Mapping[str, Any]) -> None:
        """Raises BrokenHistory for an event that does not follow, or whose own hash is another.

        The own hash is not computed where fields are withheld from the player, or the event has an upcast shape.
        """
        seq, prev, own = event["seq"], event["prev"], event["hash"]
        if self._head and (seq, prev) != (self._seq + 1, self._head):
            raise BrokenHistory(f"event {seq} does not follow event {self._seq} with the hash {self._head}")
        if seq == 1 and prev != "0" * 64:
            raise BrokenHistory("the first event names an event before it")
        whole = not event.get("withheld") and event.get("salt") is not None and event.get("shape") == FIRST_SHAPE
        if whole and event_hash(event) != own:
            raise BrokenHistory(f"the hash of event {seq} is not the hash of what it says")
        self._seq, self._head = seq, own


@dataclass(frozen=True, slots=True)
class MoveReceipt:
    """The signed promise of the service that an event is stored and will be in the public log."""

    origin: str
    stream: UUID
    seq: int
    hash: str
    version: int
    head: str
    at: int
    within: int  # seconds


def read_receipt(note: str) -> MoveReceipt:
    """Returns the content of a receipt; raises BrokenReceipt for any other text. Checks no signature."""
    text, _, signatures = note.partition("\n\n")
    found = RECEIPT.fullmatch(f"{text}\n")
    if found is None or not signatures.startswith("\u2014 "):
        raise BrokenReceipt("the receipt is not in its form")
    return MoveReceipt(
        found["origin"],
        UUID(found["stream"]),
        int(found["seq"]),
        found["hash"],
        int(found["version"]),
        found["head"],
        int(found["at"]),
        int(found["within"]),
    )


def check_receipt(answer: AppendedMove) -> MoveReceipt | None:
    """Returns the receipt of an answer, None without one; raises BrokenReceipt when it promises something else."""
    if answer.receipt is None:
        return None
    receipt, event = read_receipt(answer.receipt), answer.event
    promised = (receipt.stream, receipt.seq, receipt.hash, receipt.version, receipt.head)
    if promised != (event.stream, event.seq, event.hash, answer.version, answer.head):
        raise BrokenReceipt(f"the receipt of event {event.seq} promises another event or version")
    return receipt

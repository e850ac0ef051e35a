"""Adds the receipts that a client stored to a bundle; verification then proves any contradiction."""

import json
from collections.abc import Iterable
from dataclasses import replace

from events.errors import CabildoError
from events.log.bundle import Bundle
from events.log.receipts import Receipt
from events.merkle.errors import UnreadableText
from events.merkle.notes import Note


def parse_receipts(lines: str) -> list[Note]:
    """Parses a client's file of receipts, one JSON object a line; raises UnreadableText."""
    try:
        return [Note.parse(json.loads(line)["receipt"].encode()) for line in lines.splitlines() if line.strip()]
    except (ValueError, LookupError, TypeError, AttributeError) as fault:
        raise UnreadableText("file of receipts", f"a line is none ({fault})") from fault


def with_receipts(data: bytes, receipts: Iterable[Note]) -> bytes:
    """Returns the bundle with the receipts of its game; returns other bytes unchanged."""
    try:
        bundle = Bundle.read(data)
    except CabildoError:
        return data
    own = [note for note in receipts if Receipt.parse(note.text).stream == bundle.stream]
    merged = {str(note): note for note in (*bundle.receipts, *own)}
    return replace(bundle, receipts=tuple(merged.values())).encode()

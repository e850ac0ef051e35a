"""The receipts that a client kept, put into a bundle: what contradicts them then proves it to everybody."""

import json
from collections.abc import Iterable
from dataclasses import replace

from events.errors import CabildoError
from events.log.bundle import Bundle
from events.log.receipts import Receipt
from events.merkle.errors import UnreadableText
from events.merkle.notes import Note


def kept(lines: str) -> list[Note]:
    """Returns the receipts of a client's file, one JSON object a line; raises UnreadableText."""
    try:
        return [Note.parse(json.loads(line)["receipt"].encode()) for line in lines.splitlines() if line.strip()]
    except (ValueError, LookupError, TypeError, AttributeError) as fault:
        raise UnreadableText("file of receipts", f"a line is none ({fault})") from fault


def with_receipts(data: bytes, receipts: Iterable[Note]) -> bytes:
    """Returns the bundle with those of the receipts that are of its game; what is no bundle stays as it is."""
    try:
        bundle = Bundle.read(data)
    except CabildoError:
        return data
    own = [note for note in receipts if Receipt.parse(note.text).stream == bundle.stream]
    merged = {str(note): note for note in (*bundle.receipts, *own)}
    return replace(bundle, receipts=tuple(merged.values())).encode()

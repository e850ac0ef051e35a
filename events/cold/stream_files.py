"""Files of whole streams: their events one after the other, compressed together, without what follows from the rest.

An event carries the hash of the one before it. That hash is left out and computed again on reading, so that a stream
whose bytes were changed anywhere has another head.
"""

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from events.errors import CabildoError
from events.event_digest import NO_HASH, digest

MAGIC: Final = b"cabildo/streams/v1\n"
PREV: Final = b',"prev":"'
HASH_DIGITS: Final = 64
STREAM: Final = struct.Struct(">16sI")
LENGTH: Final = struct.Struct(">I")
LARGEST: Final = 1 << 30  # bytes of a file, uncompressed
LEVEL: Final = 9


class ColdFileDamaged(CabildoError):
    """A file of archived events is missing or is not the one that was archived."""

    def __init__(self, path: str) -> None:
        super().__init__("archived events are missing or damaged: the file {path} must be put back", path=path)
        self.path = path


class StoredBytes(NamedTuple):
    """The canonical bytes of an event, and their hash."""

    hash: bytes
    body: bytes


def pack_streams(streams: Mapping[UUID, Sequence[bytes]]) -> bytes:
    """Returns the file of some streams, given the canonical bytes of all their events."""
    parts = []
    for stream, bodies in streams.items():
        parts.append(STREAM.pack(stream.bytes, len(bodies)))
        for body in bodies:
            short = _without_prev(body)
            parts += [LENGTH.pack(len(short)), short]
    return MAGIC + zlib.compress(b"".join(parts), LEVEL)


def unpack_streams(data: bytes, path: str) -> dict[UUID, tuple[StoredBytes, ...]]:
    """Returns the events of each stream in a file, hashed again. Raises ColdFileDamaged."""
    if not data.startswith(MAGIC):
        raise ColdFileDamaged(path)
    try:
        opened = zlib.decompressobj()
        plain = opened.decompress(data[len(MAGIC) :], LARGEST)
        if not opened.eof:
            raise ColdFileDamaged(path)
        return dict(_streams(plain))
    except (zlib.error, struct.error, ValueError) as fault:
        raise ColdFileDamaged(path) from fault


def _streams(plain: bytes) -> Iterator[tuple[UUID, tuple[StoredBytes, ...]]]:
    at = 0
    while at < len(plain):
        stream, count = STREAM.unpack_from(plain, at)
        at += STREAM.size
        found, prev = [], NO_HASH
        for _ in range(count):
            (length,) = LENGTH.unpack_from(plain, at)
            at += LENGTH.size
            body = _with_prev(plain[at : at + length], prev)
            at += length
            prev = digest(body)
            found.append(StoredBytes(prev, body))
        yield UUID(bytes=stream), tuple(found)


def _without_prev(body: bytes) -> bytes:
    """Leaves out the hash of the event before; the fields behind it hold no quotation marks of their own."""
    at = body.rindex(PREV) + len(PREV)
    return body[:at] + body[at + HASH_DIGITS :]


def _with_prev(short: bytes, prev: bytes) -> bytes:
    at = short.rindex(PREV) + len(PREV)
    return short[:at] + prev.hex().encode() + short[at:]

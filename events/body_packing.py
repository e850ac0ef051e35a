"""Packs the bytes of events for the database: hexadecimal values as bytes, the rest compressed with a dictionary.

Only the bytes in the database are packed. Hashes, files and bundles are over the canonical bytes, which unpacking gives
back; what would not come back byte for byte is stored as it is. Canonical bytes begin with a brace, packed ones do not.
A dictionary is never changed; another one gets a number of its own.
"""

import re
import threading
from functools import lru_cache
from importlib.resources import files
from typing import Final

import zstandard

PACKED: Final = b"\x01"  # the number of the dictionary
DICTIONARY: Final = "moves-1.dictionary"
PACKED_KINDS: Final = frozenset(("moved",))  # nine of ten events; other kinds are read in SQL
LARGEST: Final = 65_536  # bytes, of an event
LEVEL: Final = 3
UNIT: Final = 16  # bytes: of a salt, of an id; a hash has two
MOST_UNITS: Final = 255
MOST_REPEATED: Final = 8
HEXADECIMAL: Final = re.compile(
    rb'"([0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"'
)
# Marks for what was taken out of the text, which holds no control characters: a hash, a salt, an id, or once more one
# of the first values.
HASH_MARK, SALT_MARK, ID_MARK, REPEATED = 1, 2, 3, 16
MARKS: Final = {64: HASH_MARK, 32: SALT_MARK, 36: ID_MARK}
MARKED: Final = re.compile(rb"[\x01-\x03\x10-\x17]")


class BrokenPacking(ValueError):
    """Stored bytes cannot be unpacked."""


def pack_body(kind: str, body: bytes) -> bytes:
    """Returns the bytes to store for the canonical bytes of an event."""
    if kind not in PACKED_KINDS:
        return body
    text, values = _take_out(body)
    units, rest = divmod(len(values), UNIT)
    if units > MOST_UNITS or rest or len(body) > LARGEST:
        return body
    packed = PACKED + bytes((units,)) + values + _coder().compressor.compress(text)
    return packed if len(packed) < len(body) and unpack_body(packed) == body else body


def unpack_body(stored: bytes) -> bytes:
    """Returns the canonical bytes of an event, given the stored ones; raises BrokenPacking."""
    if stored[:1] != PACKED:
        return stored
    if len(stored) == 1:
        raise BrokenPacking("an event was cut off")
    end = 2 + UNIT * stored[1]
    try:
        text = _coder().decompressor.decompress(stored[end:], max_output_size=LARGEST)
    except zstandard.ZstdError as fault:
        raise BrokenPacking("the compressed part of an event is damaged") from fault
    return _put_back(text, stored[2:end])


def _take_out(body: bytes) -> tuple[bytes, bytes]:
    """Returns the text with marks, and the values that they stand for."""
    values, seen = list[bytes](), dict[bytes, int]()

    def mark(found: re.Match[bytes]) -> bytes:
        digits = found[1]
        if digits in seen:
            return bytes((REPEATED + seen[digits],))
        if len(seen) < MOST_REPEATED:
            seen[digits] = len(seen)
        values.append(bytes.fromhex(digits.replace(b"-", b"").decode()))
        return bytes((MARKS[len(digits)],))

    return HEXADECIMAL.sub(mark, body), b"".join(values)


def _put_back(text: bytes, values: bytes) -> bytes:
    at, seen = 0, list[bytes]()

    def value(found: re.Match[bytes]) -> bytes:
        nonlocal at
        mark = found[0][0]
        if mark >= REPEATED:
            return seen[mark - REPEATED]
        size = 2 * UNIT if mark == HASH_MARK else UNIT
        digits = values[at : at + size].hex()
        at += size
        if mark == ID_MARK:
            digits = f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
        seen.append(f'"{digits}"'.encode())
        return seen[-1]

    try:
        return MARKED.sub(value, text)
    except IndexError as fault:
        raise BrokenPacking("an event lacks a value") from fault


class Coder(threading.local):
    """Compressor and decompressor of a thread."""

    def __init__(self) -> None:
        dictionary = _dictionary()
        parameters = zstandard.ZstdCompressionParameters.from_level(
            LEVEL,
            format=zstandard.FORMAT_ZSTD1_MAGICLESS,
            write_content_size=False,
            write_checksum=False,
            write_dict_id=False,
        )
        self.compressor = zstandard.ZstdCompressor(dict_data=dictionary, compression_params=parameters)
        self.decompressor = zstandard.ZstdDecompressor(dict_data=dictionary, format=zstandard.FORMAT_ZSTD1_MAGICLESS)


@lru_cache(maxsize=1)
def _dictionary() -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict((files("events") / "dictionaries" / DICTIONARY).read_bytes())


@lru_cache(maxsize=1)
def _coder() -> Coder:
    return Coder()

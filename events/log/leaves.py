"""Reads the log index as leaves of the Merkle tree and checks every hash against its entry."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.errors import CabildoError
from events.event import ENTRY_SIZE, leaf_entry
from events.merkle.tree import HASH_SIZE

LEAVES = """
SELECT idx, stream, seq, hash, leaf,
    leaf = sha256('\\x0001'::bytea || uuid_send(stream) || int8send(seq) || hash) AND octet_length(hash) = 32
FROM log WHERE idx >= %s AND idx < %s ORDER BY idx
"""
# A page of the log as one value: a row for each leaf costs the reader more than the hashing.
HASHES = """
SELECT max(idx), count(*),
    bool_and(leaf = sha256('\\x0001'::bytea || uuid_send(stream) || int8send(seq) || hash) AND octet_length(hash) = 32),
    string_agg(leaf, '' ORDER BY idx)
FROM log WHERE idx >= %s AND idx < %s
"""
# The same with the entries in the form of a bundle: 57 bytes after their length.
PAGE = """
SELECT max(idx), count(*),
    bool_and(leaf = sha256('\\x0001'::bytea || uuid_send(stream) || int8send(seq) || hash) AND octet_length(hash) = 32),
    string_agg(leaf, '' ORDER BY idx),
    string_agg('\\x003901'::bytea || uuid_send(stream) || int8send(seq) || hash, '' ORDER BY idx)
FROM log WHERE idx >= %s AND idx < %s
"""
PAGE_SIZE = 4_096
BUNDLED = 2 + ENTRY_SIZE  # bytes of an entry in a bundle, after its length
SIZE = "SELECT coalesce(max(idx) + 1, 0) FROM log"
PLACE = "SELECT idx FROM log WHERE stream = %s AND seq = %s"


class BrokenLog(CabildoError):
    """The log index has a gap, or a leaf that does not match its event."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"log index {index}: {reason}")
        self.index = index
        self.reason = reason


class Leaf(NamedTuple):
    """The place of one event in the log."""

    idx: int
    stream: UUID
    seq: int
    event: bytes  # the event's hash
    hash: bytes  # the leaf's own

    @property
    def entry(self) -> bytes:
        return leaf_entry(self.stream, self.seq, self.event)


def log_size(connection: Connection) -> int:
    """Returns the number of events in the log."""
    row = connection.execute(SIZE).fetchone()
    return row[0] if row else 0


def leaves(connection: Connection, begin: int, end: int) -> Iterator[Leaf]:
    """Yields the leaves from `begin` to before `end`; raises BrokenLog for a gap or a wrong leaf."""
    rows = connection.execute(LEAVES, (begin, end), binary=True)
    for expected, (index, stream, seq, event, leaf, sound) in enumerate(rows, begin):
        _check(expected, index, sound)
        yield Leaf(index, stream, seq, event, leaf)


def leaf_hashes(connection: Connection, begin: int, end: int) -> Iterator[bytes]:
    """Yields the leaf hashes only, for builders of a tree; the database hashes the entries again."""
    for (hashes,) in _pages(connection, HASHES, begin, end):
        yield from cut(hashes, HASH_SIZE)


def pages(connection: Connection, begin: int, end: int) -> Iterator[Sequence[bytes]]:
    """Yields page by page the hashes and the bundle of their entries, checked against each other."""
    return _pages(connection, PAGE, begin, end)


def _pages(connection: Connection, query: LiteralString, begin: int, end: int) -> Iterator[Sequence[bytes]]:
    while begin < end:
        row = connection.execute(query, (begin, min(begin + PAGE_SIZE, end)), binary=True).fetchone()
        assert row is not None  # an aggregate has a row
        last, count, sound, *page = row
        if not sound or last != begin + count - 1:  # past the newest leaf, or wrong: reading leaf by leaf finds it
            deque(leaves(connection, begin, end), maxlen=0)
            return
        yield page
        begin = last + 1


def entries(bundle: bytes) -> list[bytes]:
    """Splits a bundle of this log into its entries, which have one length."""
    return [piece[-ENTRY_SIZE:] for piece in cut(bundle, BUNDLED)]


def cut(data: bytes, size: int) -> list[bytes]:
    """Splits bytes into pieces of one size."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def _check(expected: int, index: int, sound: bool) -> None:
    if index != expected:
        raise BrokenLog(expected, "is missing")
    if not sound:
        raise BrokenLog(index, "the leaf does not stand for its event")


def log_index(connection: Connection, stream: UUID, seq: int) -> int | None:
    """Returns the log index of an event, or None while the sequencer has not numbered it."""
    row = connection.execute(PLACE, (stream, seq)).fetchone()
    return row[0] if row else None

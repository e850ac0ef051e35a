"""Monitors a public log from its entries alone: the log only grows, and no stream skips, repeats or forks.

Entries hold ids and hashes only, so the log is public. The monitor stores each tree it has read: the next tree must
extend it.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from events.errors import CabildoError
from events.event import ENTRY_SIZE, LEAF_ENTRY
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note
from events.merkle.policy import Policy
from events.merkle.tiles import WIDTH, Tile, read_bundle
from events.merkle.tree import HASH_SIZE, RightEdge, leaf_hash

SCHEMA = """
CREATE TABLE IF NOT EXISTS seen (
    origin TEXT PRIMARY KEY, size INTEGER NOT NULL, edge BLOB NOT NULL, note BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS heads (
    origin TEXT, stream BLOB, seq INTEGER NOT NULL, PRIMARY KEY (origin, stream)
) WITHOUT ROWID;
"""
SEEN = "SELECT size, edge, note FROM seen WHERE origin = ?"
SEE = "INSERT OR REPLACE INTO seen (origin, size, edge, note) VALUES (?, ?, ?, ?)"
HEAD = "SELECT seq FROM heads WHERE origin = ? AND stream = ?"
MOVE_HEAD = "INSERT OR REPLACE INTO heads (origin, stream, seq) VALUES (?, ?, ?)"

Fetch = Callable[[str], bytes]  # raises FileMissing


class LogMisbehaves(CabildoError):
    """The log contradicts itself; the notes are the evidence."""

    def __init__(self, reason: str, sentence: str, evidence: tuple[bytes, ...] = ()) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.evidence = evidence


class FileMissing(LookupError):
    """The log has no such file."""


class MonitorResult(NamedTuple):
    """The result of one check of the log."""

    checkpoint: Checkpoint
    new: int  # entries since the last check
    witnessed: bool


class Monitor:
    """Stores the state of one or more logs in a file."""

    def __init__(self, memory: Path, policy: Policy) -> None:
        self._memory = sqlite3.connect(memory, isolation_level=None)
        self._memory.executescript(SCHEMA)
        self._policy = policy

    def close(self) -> None:
        """Closes the file."""
        self._memory.close()

    def check(self, fetch: Fetch, others: Mapping[str, bytes] | None = None) -> MonitorResult:
        """Reads the new entries; raises LogMisbehaves. `others` are checkpoints shown to other clients, by name."""
        data = fetch("checkpoint")
        judged = self._policy.judge(Note.parse(data))
        checkpoint = judged.checkpoint
        edge, before = self._known(checkpoint.origin)
        if checkpoint.size < edge.size:
            raise LogMisbehaves("shrank", f"the log shrank from {edge.size} to {checkpoint.size}", (before, data))
        elsewhere = self._elsewhere(checkpoint.origin, others or {})
        self._memory.execute("BEGIN")
        try:
            old = edge.size
            for entry in _entries(fetch, old, checkpoint.size):
                self._check_place(checkpoint.origin, edge.size, entry)
                edge.append(leaf_hash(entry))
                _compare(edge, elsewhere, data)
            if edge.root() != checkpoint.root:
                raise LogMisbehaves(
                    "fork", f"the tree of {checkpoint.size} does not grow out of {old} seen", (before, data)
                )
            _compare(edge, elsewhere, data)
            self._memory.execute(SEE, (checkpoint.origin, edge.size, b"".join(edge.hashes), data))
            self._memory.execute("COMMIT")
        finally:
            if self._memory.in_transaction:
                self._memory.execute("ROLLBACK")
        return MonitorResult(checkpoint, checkpoint.size - old, judged.quorum and self._policy.quorum is not None)

    def _known(self, origin: str) -> tuple[RightEdge, bytes]:
        row = self._memory.execute(SEEN, (origin,)).fetchone()
        if row is None:
            return RightEdge(), b""
        size, edge, note = row
        return RightEdge(size, [edge[at : at + HASH_SIZE] for at in range(0, len(edge), HASH_SIZE)]), note

    def _elsewhere(self, origin: str, others: Mapping[str, bytes]) -> dict[int, tuple[str, bytes, bytes]]:
        found = {}
        for name, data in others.items():
            other = self._policy.judge(Note.parse(data)).checkpoint
            if other.origin == origin:
                found[other.size] = (name, other.root, data)
        return found

    def _check_place(self, origin: str, index: int, entry: bytes) -> None:
        """Raises LogMisbehaves unless the entry is the next event of its stream."""
        if len(entry) != ENTRY_SIZE or entry[:1] != LEAF_ENTRY:
            raise LogMisbehaves("entry", f"entry {index} has not the form of an event")
        stream, seq = entry[1:17], int.from_bytes(entry[17:25], "big")
        row = self._memory.execute(HEAD, (origin, stream)).fetchone()
        expected = row[0] + 1 if row else 1
        if seq != expected:
            raise LogMisbehaves("stream", f"entry {index} is event {seq} of {UUID(bytes=stream)}, not {expected}")
        self._memory.execute(MOVE_HEAD, (origin, stream, seq))


def _compare(edge: RightEdge, elsewhere: Mapping[int, tuple[str, bytes, bytes]], data: bytes) -> None:
    if edge.size in elsewhere:
        name, root, note = elsewhere[edge.size]
        if root != edge.root():
            raise LogMisbehaves("split", f"{name} was shown another tree of {edge.size}", (note, data))


def _entries(fetch: Fetch, begin: int, end: int) -> Iterator[bytes]:
    for number in range(begin // WIDTH, -(-end // WIDTH)):
        first = number * WIDTH
        tile = Tile(None, number, min(WIDTH, end - first))
        yield from _bundle(fetch, tile)[max(0, begin - first) :]


def _bundle(fetch: Fetch, tile: Tile) -> list[bytes]:
    """Returns the entries of a bundle; a log may have removed a narrow one that a full one replaced."""
    try:
        return read_bundle(fetch(tile.path), tile.width)
    except FileMissing:
        if tile.width == WIDTH:
            raise
        return read_bundle(fetch(tile._replace(width=WIDTH).path), WIDTH)[: tile.width]

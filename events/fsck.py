"""Holds the whole database against its own published log: every stored byte is read and hashed again.

An administrator can switch guards off, change rows and make every hash in the database good again; what was published
he cannot change. So the tree is built from the published leaves, and each row is held against its leaf.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.errors import CabildoError
from events.event import START, leaf_entry, received
from events.leaves import log_size
from events.merkle.checkpoint import Checkpoint, open_checkpoint
from events.merkle.notes import Note, VerifierKey
from events.merkle.tiles import WIDTH, Tile, read_bundle, read_hashes, tiles_between
from events.merkle.tree import HASH_SIZE, RightEdge, Tree, leaf_hash
from events.publisher import CHECKPOINT
from events.tile_files import TileFiles

ROWS = """
SELECT log.idx, log.stream, log.seq, log.hash, event.kind, event.at, event.hash, event.body, before.hash
FROM log
LEFT JOIN events AS event ON event.stream = log.stream AND event.seq = log.seq
LEFT JOIN events AS before ON before.stream = log.stream AND before.seq = log.seq - 1
WHERE log.idx >= %s AND log.idx < %s
ORDER BY log.idx
"""
SEALS = "SELECT size, root, note FROM checkpoints WHERE origin = %s AND size > %s AND size <= %s ORDER BY size"
UNSEQUENCED = """
SELECT stream, seq FROM events
WHERE NOT EXISTS (SELECT FROM log WHERE log.stream = events.stream AND log.seq = events.seq)
AND NOT EXISTS (SELECT FROM outbox WHERE outbox.stream = events.stream AND outbox.seq = events.seq)
ORDER BY stream, seq LIMIT 100
"""

# Classes of faults, the gravest first: what `cabildo audit` ends with.
EVENT, LOG, CHECKPOINTS, TILES, LOST = "event", "log", "checkpoint", "tile", "lost"
EXIT: Mapping[str, int] = {EVENT: 11, LOG: 12, CHECKPOINTS: 13, TILES: 14, LOST: 15}


class Fault(NamedTuple):
    """Something in the database or in the published files that is not what it must be."""

    kind: str
    sentence: str


class Mark(NamedTuple):
    """How far an audit has come, and the tree so far: enough to go on later."""

    size: int = 0
    edge: tuple[bytes, ...] = ()


BEGINNING = Mark()


class Row(NamedTuple):
    """A row of the log beside the event it stands for, if that is still there."""

    idx: int
    stream: UUID
    seq: int
    logged: bytes
    kind: str | None
    at: int | None
    hash: bytes | None
    body: bytes | None
    before: bytes | None


class Step(NamedTuple):
    """What one stretch of the log came to."""

    mark: Mark
    total: int
    faults: tuple[Fault, ...]


class Audit:
    """One audit of a database against the files of one origin."""

    def __init__(self, connection: Connection[Any], origin: str, files: TileFiles, keys: Sequence[VerifierKey]) -> None:
        self._connection = connection
        self._origin = origin
        self._files = files
        self._keys = keys
        self._total = log_size(connection)
        self._published = self._shown()

    def run(self, mark: Mark = BEGINNING) -> Iterator[Step]:
        """Go through the log a tile at a time from a mark on; the last step holds what concerns the whole."""
        edge = RightEdge(mark.size, mark.edge)
        while edge.size < self._total:
            faults = tuple(self._stretch(edge, min(edge.size - edge.size % WIDTH + WIDTH, self._total)))
            yield Step(Mark(edge.size, tuple(edge.hashes)), self._total, faults)
        yield Step(Mark(edge.size, tuple(edge.hashes)), self._total, (*self._upper_tiles(), *self._whole()))

    def _stretch(self, edge: RightEdge, end: int) -> Iterator[Fault]:
        begin = edge.size
        rows = {index: Row(index, *rest) for index, *rest in self._connection.execute(ROWS, (begin, end))}
        published, faults = self._leaves(begin, end)
        yield from faults
        seals = {size: (root, note) for size, root, note in self._connection.execute(SEALS, (self._origin, begin, end))}
        for index in range(begin, end):
            row = rows.get(index)
            leaf = published.get(index)
            yield from _row_faults(index, row, leaf)
            edge.append(leaf or _leaf_of(row))
            if edge.size in seals:
                yield from self._seal_faults(edge, *seals[edge.size])

    def _leaves(self, begin: int, end: int) -> tuple[dict[int, bytes], list[Fault]]:
        """The published leaves of a stretch within one tile, and what is wrong with their files."""
        shown = min(end, self._published)
        number, first = begin // WIDTH, begin // WIDTH * WIDTH
        if shown <= begin:
            return {}, []
        tile = Tile(0, number, shown - first)
        hashes, entries = self._files.hashes(tile), self._files.read(tile._replace(level=None).path)
        if hashes is None or entries is None:
            return {}, [Fault(TILES, f"{tile.path} or its entries are missing")]
        try:
            leaves, bundle = read_hashes(hashes, tile.width), read_bundle(entries, tile.width)
        except CabildoError as fault:
            return {}, [Fault(TILES, f"{tile.path}: {fault}")]
        false = [Fault(TILES, f"{tile.path}: entry {n} has another leaf") for n, e in _pairs(leaves, bundle) if e]
        return {first + n: leaf for n, leaf in enumerate(leaves) if first + n >= begin}, false

    def _seal_faults(self, edge: RightEdge, root: bytes, note: str) -> Iterator[Fault]:
        try:
            stated = open_checkpoint(Note.parse(note.encode()), self._keys)
        except CabildoError as fault:
            yield Fault(CHECKPOINTS, f"the checkpoint of size {edge.size}: {fault}")
            return
        if stated != Checkpoint(self._origin, edge.size, edge.root()) or root != stated.root:
            yield Fault(CHECKPOINTS, f"the checkpoint of size {edge.size} states another root than the log has")

    def _upper_tiles(self) -> Iterator[Fault]:
        for tile in tiles_between(0, self._published):
            if tile.level:
                below = (Tile(tile.level - 1, tile.number * WIDTH + number) for number in range(tile.width))
                if self._files.read(tile.path) != b"".join(map(self._root, below)):
                    yield Fault(TILES, f"{tile.path} does not stand for the tiles below it")

    def _root(self, tile: Tile) -> bytes:
        data = self._files.read(tile.path) or b""
        return Tree(read_hashes(data, WIDTH)).root() if len(data) == WIDTH * HASH_SIZE else b""

    def _whole(self) -> Iterator[Fault]:
        for stream, seq in self._connection.execute(UNSEQUENCED):
            yield Fault(LOST, f"event {seq} of {stream} is neither in the log nor waiting for it")
        if self._published > self._total:
            yield Fault(LOG, f"{self._published} events were published, and the log holds {self._total}")
        data = self._files.read(CHECKPOINT)
        if data is not None and not self._is_stored(data):
            yield Fault(CHECKPOINTS, "the published checkpoint is not one that is stored")

    def _is_stored(self, data: bytes) -> bool:
        shown = Checkpoint.parse(Note.parse(data).text)
        found = self._connection.execute(SEALS, (self._origin, shown.size - 1, shown.size)).fetchone()
        return found is not None and found[1] == shown.root

    def _shown(self) -> int:
        data = self._files.read(CHECKPOINT)
        return 0 if data is None else Checkpoint.parse(Note.parse(data).text).size


def _pairs(leaves: Sequence[bytes], entries: Sequence[bytes]) -> Iterator[tuple[int, bool]]:
    return ((n, leaf_hash(entry) != leaf) for n, (leaf, entry) in enumerate(zip(leaves, entries, strict=True)))


def _row_faults(index: int, row: Row | None, published: bytes | None) -> Iterator[Fault]:
    if row is None:
        yield Fault(LOG, f"log index {index} is missing")
        return
    name = f"event {row.seq} of {row.stream}"
    fault = _event_fault(row)
    if fault is not None:
        yield Fault(EVENT, f"{name}: {fault}")
    elif published is not None and _leaf_of(row) != published:
        yield Fault(EVENT, f"{name} is not the one that was published at log index {index}")


def _event_fault(row: Row) -> str | None:
    """What is wrong with the event of a row by itself; None when nothing is."""
    if row.body is None:
        return "is gone"
    try:
        event = received(bytes(row.body))
    except CabildoError as fault:
        return f"its bytes are no event ({fault})"
    if event.hash != row.hash or event.hash != row.logged:
        return "its bytes do not have the hash that is stored for it"
    if (event.stream, event.seq, event.kind, event.at) != (row.stream, row.seq, row.kind, row.at):
        return "its columns do not say what its bytes say"
    if event.prev != (START.hash if event.seq == 1 else row.before):
        return "it does not carry the hash of the event before it"
    return None


def _leaf_of(row: Row | None) -> bytes:
    return leaf_hash(leaf_entry(row.stream, row.seq, row.logged)) if row else leaf_hash(b"")


def gravest(faults: Sequence[Fault]) -> int:
    """The exit status for what was found: 0 for nothing, else the class of the gravest fault."""
    return min((EXIT[fault.kind] for fault in faults), default=0)

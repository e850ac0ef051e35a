"""Audits the whole database against its published log: reads and hashes every stored byte again.

An administrator can disable guards, change rows and recompute every hash in the database, but cannot change published
files. So the audit builds the tree from the published leaves and compares each row with its leaf.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.body_packing import BrokenPacking, unpack_body
from events.cold.reader import cold_entries
from events.cold.stream_files import StoredBytes
from events.errors import CabildoError
from events.event import START, leaf_entry, received
from events.log.leaves import log_size
from events.log.publisher import CHECKPOINT, WITNESSED
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint, open_checkpoint
from events.merkle.notes import Note, VerifierKey
from events.merkle.tiles import WIDTH, Tile, read_bundle, read_hashes, tiles_between
from events.merkle.tree import HASH_SIZE, RightEdge, leaf_hash, root_over
from events.store.lookups import EventRow, Place, find_events
from events.store.unsequenced import unsequenced

ROWS = "SELECT idx, stream, seq, hash, leaf FROM log WHERE idx >= %s AND idx < %s ORDER BY idx"
SEALS = """
SELECT origin, size, root, edge, note FROM checkpoints WHERE size > %s AND size <= %s ORDER BY size, origin
"""
SHOWN = "SELECT root FROM checkpoints WHERE origin = %s AND size = %s"
COSIGNED = "SELECT witness, line FROM cosignatures WHERE origin = %s AND size = %s ORDER BY witness"
WAITING = """
SELECT outbox.stream, outbox.seq FROM outbox
LEFT JOIN events ON events.stream = outbox.stream AND events.seq = outbox.seq
WHERE events.hash IS DISTINCT FROM outbox.hash
ORDER BY 1, 2 LIMIT 100
"""

# Classes of faults, the gravest first: the exit statuses of `cabildo audit`.
EVENT, LOG, CHECKPOINTS, TILES, LOST = "event", "log", "checkpoint", "tile", "lost"
ARCHIVES, BOARDS, TEXTS, SEEDS = "archive", "board", "text", "seed"
CLASSES = (EVENT, LOG, CHECKPOINTS, TILES, LOST, ARCHIVES, BOARDS, TEXTS, SEEDS)
FIRST_EXIT = 11


class Fault(NamedTuple):
    """An error in the database or in the published files."""

    kind: str
    sentence: str


class Mark(NamedTuple):
    """The progress of an audit, and its tree so far, from which it can continue."""

    size: int = 0
    edge: tuple[bytes, ...] = ()


BEGINNING = Mark()


class LoggedRow(NamedTuple):
    """A row of the log with its event, if that is still there."""

    idx: int
    stream: UUID
    seq: int
    logged: bytes
    leaf: bytes
    kind: str | None = None
    at: int | None = None
    hash: bytes | None = None
    body: bytes | None = None
    before: bytes | None = None


def logged_rows(connection: Connection, begin: int, end: int) -> list[LoggedRow]:
    """Returns a stretch of the log with its events, of archived streams from their files if these are whole."""
    logged = connection.execute(ROWS, (begin, end), binary=True).fetchall()
    stored = find_events(connection, [(stream, seq - back) for _, stream, seq, *_ in logged for back in (0, 1)])
    rows = [_logged_row(LoggedRow(*row), stored) for row in logged]
    missing = [row for row in rows if row.body is None]
    wanted = [(row.stream, seq) for row in missing for seq in (row.seq - 1, row.seq)]
    cold = cold_entries(connection, wanted, skip_damaged=True) if missing else {}
    return [_thawed(row, cold) for row in rows] if cold else rows


def _logged_row(row: LoggedRow, stored: Mapping[Place, EventRow]) -> LoggedRow:
    """Returns an entry of the log with its event and the hash of the one before."""
    event, before = stored.get((row.stream, row.seq)), stored.get((row.stream, row.seq - 1))
    return row._replace(before=before and before.hash, **(event._asdict() if event else {}))


def _thawed(row: LoggedRow, cold: Mapping[tuple[UUID, int], StoredBytes]) -> LoggedRow:
    """Returns a row with its archived event; its columns are those that the bytes say."""
    found, before = cold.get((row.stream, row.seq)), cold.get((row.stream, row.seq - 1))
    if row.body is not None or found is None:
        return row
    said = json.loads(found.body)
    columns = {"kind": said["kind"], "at": said["at"], "hash": found.hash, "body": found.body}
    return row._replace(**columns, before=before.hash if before else None)


class AuditStep(NamedTuple):
    """The faults in one stretch of the log."""

    mark: Mark
    total: int
    faults: tuple[Fault, ...]


class Stretch(NamedTuple):
    """The faults in one stretch of a part of the audit, and the mark from which the part continues."""

    after: str
    done: int
    total: int
    faults: tuple[Fault, ...]


# One part of an audit: runs stretch by stretch from a mark, or from the beginning.
Part = Callable[[str], Iterator[Stretch]]


class Audit:
    """An audit of a database against the files of one origin."""

    def __init__(self, connection: Connection, origin: str, files: TileFiles, keys: Sequence[VerifierKey]) -> None:
        self._connection = connection
        self._origin = origin
        self._files = files
        self._keys = keys
        self._total = log_size(connection)
        self._published = self._published_size()

    def part(self, after: str) -> Iterator[Stretch]:
        """Yields the faults of the log, as one part of a full audit."""
        size, _, edge = after.partition(" ")
        mark = Mark(int(size), tuple(map(bytes.fromhex, edge.split()))) if after else BEGINNING
        for step in self.run(mark):
            mark_text = " ".join((str(step.mark.size), *(each.hex() for each in step.mark.edge)))
            yield Stretch(mark_text, step.mark.size, step.total, step.faults)

    def run(self, mark: Mark = BEGINNING) -> Iterator[AuditStep]:
        """Audits the log tile by tile from a mark on; the last step holds the faults of the whole."""
        edge = RightEdge(mark.size, mark.edge)
        while edge.size < self._total:
            faults = tuple(self._stretch(edge, min(edge.size - edge.size % WIDTH + WIDTH, self._total)))
            yield AuditStep(Mark(edge.size, tuple(edge.hashes)), self._total, faults)
        yield AuditStep(Mark(edge.size, tuple(edge.hashes)), self._total, (*self._upper_tiles(), *self._whole()))

    def _stretch(self, edge: RightEdge, end: int) -> Iterator[Fault]:
        begin = edge.size
        rows = {row.idx: row for row in logged_rows(self._connection, begin, end)}
        published, faults = self._leaves(begin, end)
        yield from faults
        seals: dict[int, list[Any]] = {}
        for origin, size, *stored in self._connection.execute(SEALS, (begin, end)):
            seals.setdefault(size, []).append((origin, *stored))
        for index in range(begin, end):
            row = rows.get(index)
            leaf = published.get(index)
            yield from _row_faults(index, row, leaf)
            edge.append(leaf or _leaf_of(row))
            for stored in seals.get(edge.size, ()):
                yield from self._seal_faults(edge, *stored)

    def _leaves(self, begin: int, end: int) -> tuple[dict[int, bytes], list[Fault]]:
        """Returns the published leaves of a stretch within one tile, and the faults of their files."""
        published = min(end, self._published)
        number, first = begin // WIDTH, begin // WIDTH * WIDTH
        if published <= begin:
            return {}, []
        tile = Tile(0, number, published - first)
        hashes, entries = self._files.hashes(tile), self._files.read(tile._replace(level=None).path)
        if hashes is None or entries is None:
            return {}, [Fault(TILES, f"{tile.path} or its entries are missing")]
        try:
            leaves, bundle = read_hashes(hashes, tile.width), read_bundle(entries, tile.width)
        except CabildoError as fault:
            return {}, [Fault(TILES, f"{tile.path}: {fault}")]
        false = [Fault(TILES, f"{tile.path}: entry {n} has another leaf") for n, e in _pairs(leaves, bundle) if e]
        return {first + n: leaf for n, leaf in enumerate(leaves) if first + n >= begin}, false

    def _seal_faults(self, tree: RightEdge, origin: str, root: bytes, edge: bytes, text: str) -> Iterator[Fault]:
        name = f"the checkpoint of size {tree.size} of {origin}"
        try:
            stated = open_checkpoint(Note.parse(text.encode()), self._keys)
        except CabildoError as fault:
            yield Fault(CHECKPOINTS, f"{name}: {fault}")
            return
        if stated != Checkpoint(origin, tree.size, tree.root()) or root != stated.root:
            yield Fault(CHECKPOINTS, f"{name} states another root than the log has")
        if edge != b"".join(tree.hashes):
            yield Fault(CHECKPOINTS, f"{name} is stored with another edge than the log has")
        for witness, line in self._connection.execute(COSIGNED, (origin, tree.size)):
            yield from self._line_faults(name, text, witness, line)

    def _line_faults(self, name: str, text: str, witness: str, line: str) -> Iterator[Fault]:
        """Yields the faults of a stored cosignature; cosignatures of unknown witnesses cannot be checked."""
        try:
            note = Note.parse((text + line).encode())
            note.verified(self._keys)
        except CabildoError as fault:
            yield Fault(CHECKPOINTS, f"{name}, cosigned by {witness}: {fault}")
            return
        if note.signatures[-1].name != witness:
            yield Fault(CHECKPOINTS, f"{name}: the cosignature of {witness} is another's")

    def _upper_tiles(self) -> Iterator[Fault]:
        for tile in tiles_between(0, self._published):
            if tile.level:
                below = (Tile(tile.level - 1, tile.number * WIDTH + number) for number in range(tile.width))
                if self._files.read(tile.path) != b"".join(map(self._root, below)):
                    yield Fault(TILES, f"{tile.path} does not stand for the tiles below it")

    def _root(self, tile: Tile) -> bytes:
        data = self._files.read(tile.path) or b""
        return root_over(read_hashes(data, WIDTH)) if len(data) == WIDTH * HASH_SIZE else b""

    def _whole(self) -> Iterator[Fault]:
        for stream, seq in unsequenced(self._connection):
            yield Fault(LOST, f"event {seq} of {stream} is neither in the log nor waiting for it")
        for stream, seq in self._connection.execute(WAITING):
            yield Fault(LOG, f"event {seq} of {stream} waits for its place under another hash")
        if self._published > self._total:
            yield Fault(LOG, f"{self._published} events were published, and the log holds {self._total}")
        for name in (CHECKPOINT, WITNESSED):
            data = self._files.read(name)
            if data is not None and not self._is_stored(data):
                yield Fault(CHECKPOINTS, f"the published {name} is not one that is stored")

    def _is_stored(self, data: bytes) -> bool:
        try:
            published = open_checkpoint(Note.parse(data), self._keys)
        except CabildoError:
            return False
        found = self._connection.execute(SHOWN, (self._origin, published.size)).fetchone()
        return found is not None and found[0] == published.root

    def _published_size(self) -> int:
        data = self._files.read(CHECKPOINT)
        return 0 if data is None else Checkpoint.parse(Note.parse(data).text).size


def _pairs(leaves: Sequence[bytes], entries: Sequence[bytes]) -> Iterator[tuple[int, bool]]:
    return ((n, leaf_hash(entry) != leaf) for n, (leaf, entry) in enumerate(zip(leaves, entries, strict=True)))


def _row_faults(index: int, row: LoggedRow | None, published: bytes | None) -> Iterator[Fault]:
    if row is None:
        yield Fault(LOG, f"log index {index} is missing")
        return
    name = f"event {row.seq} of {row.stream}"
    fault = _event_fault(row)
    if fault is not None:
        yield Fault(EVENT, f"{name}: {fault}")
    elif published is not None and _leaf_of(row) != published:
        yield Fault(EVENT, f"{name} is not the one that was published at log index {index}")
    if row.leaf != _leaf_of(row):
        yield Fault(LOG, f"log index {index}: the leaf does not stand for its event")


def _event_fault(row: LoggedRow) -> str | None:
    """Returns the reason why the event of a row is wrong by itself, or None."""
    if row.body is None:
        return "is gone"
    try:
        event = received(unpack_body(bytes(row.body)))
    except (CabildoError, BrokenPacking) as fault:
        return f"its bytes are no event ({fault})"
    if event.hash != row.hash or event.hash != row.logged:
        return "its bytes do not have the hash that is stored for it"
    if (event.stream, event.seq, event.kind, event.at) != (row.stream, row.seq, row.kind, row.at):
        return "its columns do not say what its bytes say"
    if event.prev != (START.hash if event.seq == 1 else row.before):
        return "it does not carry the hash of the event before it"
    return None


def _leaf_of(row: LoggedRow | None) -> bytes:
    return leaf_hash(leaf_entry(row.stream, row.seq, row.logged)) if row else leaf_hash(b"")


def gravest(faults: Sequence[Fault]) -> int:
    """Returns the exit status: 0 without faults, else the class of the gravest fault."""
    return FIRST_EXIT + min(CLASSES.index(fault.kind) for fault in faults) if faults else 0

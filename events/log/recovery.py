"""Recovers a restored database: writes published events from the archive to their old places in the log."""

from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

from psycopg import Connection

from events.body_packing import pack_body
from events.errors import CabildoError
from events.event import received
from events.log.event_archive import Archive
from events.log.leaves import leaf_hashes, log_size
from events.log.publisher import CHECKPOINT, COSIGN
from events.log.sealer import STORE
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note
from events.merkle.tiles import WIDTH, Tile, read_bundle
from events.merkle.tree import RightEdge

FOUND = "SELECT hash FROM events WHERE stream = %s AND seq = %s"
INSERT = "INSERT INTO events (stream, seq, kind, at, hash, body) VALUES (%s, %s, %s, %s, %s, %s)"
ADOPT = "SELECT adopt(%s, %s, %s, %s)"


class CannotRecover(CabildoError):
    """The published events cannot be recovered; the log must continue under a new name."""


class PublishedEntry(NamedTuple):
    """An entry of the public log with the bytes of its event."""

    idx: int
    stream: UUID
    seq: int
    hash: bytes
    body: bytes


def recover(connection: Connection, files: TileFiles, archive: Archive) -> int:
    """Inserts every published event that the log lacks, all or none; returns their number. The gate must be closed."""
    data = files.read(CHECKPOINT)
    if data is None:
        raise CannotRecover("there is no published checkpoint")
    note = Note.parse(data)
    checkpoint = Checkpoint.parse(note.text)
    with connection.transaction():
        begin = log_size(connection)
        for published in _missing(files, archive, begin, checkpoint.size):
            _adopt(connection, published)
        edge = RightEdge()
        for leaf in leaf_hashes(connection, 0, checkpoint.size):
            edge.append(leaf)
        if edge.root() != checkpoint.root:
            raise CannotRecover("the log here is not the beginning of the one that was published")
        _store_checkpoint(connection, checkpoint, note, edge)
    return checkpoint.size - begin


def _missing(files: TileFiles, archive: Archive, begin: int, end: int) -> Iterator[PublishedEntry]:
    for number in range(begin // WIDTH, -(-end // WIDTH)):
        first = number * WIDTH
        tile = Tile(None, number, min(WIDTH, end - first))
        entries = read_bundle(files.read(tile.path) or b"", tile.width)
        for index, (entry, body) in enumerate(zip(entries, archive.read(tile), strict=True), first):
            if index >= begin:
                yield PublishedEntry(
                    index, UUID(bytes=entry[1:17]), int.from_bytes(entry[17:25], "big"), entry[25:], body
                )


def _adopt(connection: Connection, published: PublishedEntry) -> None:
    event = received(published.body)
    name = f"event {published.seq} of {published.stream}"
    if (event.stream, event.seq, event.hash) != published[1:4]:
        raise CannotRecover(f"the archive holds something else for {name}")
    found = connection.execute(FOUND, (event.stream, event.seq)).fetchone()
    if found is None:
        connection.execute(
            INSERT, (event.stream, event.seq, event.kind, event.at, event.hash, pack_body(event.kind, event.body))
        )
    elif bytes(found[0]) != event.hash:
        raise CannotRecover(f"{name} was written again, differently, after the restore")
    connection.execute(ADOPT, (published.idx, event.stream, event.seq, event.hash))


def _store_checkpoint(connection: Connection, checkpoint: Checkpoint, note: Note, edge: RightEdge) -> None:
    """Stores the public checkpoint as sealed, so that no second root is signed for its size."""
    own = tuple(line for line in note.signatures if line.name == checkpoint.origin)
    values = (checkpoint.origin, checkpoint.size, checkpoint.root, b"".join(edge.hashes), str(Note(note.text, own)))
    connection.execute(STORE, values)
    for line in note.signatures:
        if line not in own:
            connection.execute(COSIGN, (checkpoint.origin, checkpoint.size, line.name, line.line))

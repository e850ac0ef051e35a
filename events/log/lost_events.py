"""Finds published events that the database does not hold (any more), by the entries of the published log."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.cold.reader import find_cold
from events.event import START, Head
from events.log.branch import LostEvents
from events.log.leaves import leaf_hashes, log_size
from events.log.publisher import CHECKPOINT
from events.log.recovery import CannotRecover
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note
from events.merkle.tiles import WIDTH, Tile, read_bundle
from events.merkle.tree import RightEdge, leaf_hash
from events.store.lookups import Place, find_events

MOST_LOST: Final = 10_000  # streams in one statement
NUMBERED: Final = """
SELECT stream, seq, hash FROM unnest(%s::uuid[], %s::bigint[]) AS published (stream, seq) JOIN log USING (stream, seq)
"""
KEPT: Final = "SELECT seq, hash FROM events WHERE stream = %s AND seq = %s"


class PublishedLoss(NamedTuple):
    """The newest published tree, how many of its entries the log of the database begins with, and what is lost."""

    published: Checkpoint
    common: int
    lost: Sequence[LostEvents]


def find_lost_events(connection: Connection, files: TileFiles) -> PublishedLoss:
    """Compares the published log with the database. Raises CannotRecover where the files prove nothing."""
    data = files.read(CHECKPOINT)
    if data is None:
        raise CannotRecover("there is no published checkpoint")
    published = Checkpoint.parse(Note.parse(data).text)
    edge, common, agrees = RightEdge(), 0, True
    stored = leaf_hashes(connection, 0, min(log_size(connection), published.size))
    lost: dict[UUID, tuple[int, Head]] = {}  # the first and the newest lost event of each stream
    for bundle in _bundles(files, published.size):
        for entry in bundle:
            leaf = leaf_hash(entry)
            edge.append(leaf)
            agrees = agrees and next(stored, None) == leaf
            common += agrees
        if not agrees:
            _note_missing(connection, bundle, lost)
    if edge.root() != published.root:
        raise CannotRecover("the published entries do not lead to the published checkpoint")
    parts = tuple(_part(connection, stream, *found) for stream, found in sorted(lost.items()))
    return PublishedLoss(published, common, parts)


def _bundles(files: TileFiles, size: int) -> Iterator[list[bytes]]:
    for first in range(0, size, WIDTH):
        tile = Tile(None, first // WIDTH, min(WIDTH, size - first))
        yield read_bundle(files.read(tile.path) or b"", tile.width)


def _note_missing(connection: Connection, bundle: Sequence[bytes], lost: dict[UUID, tuple[int, Head]]) -> None:
    published = {(UUID(bytes=entry[1:17]), int.from_bytes(entry[17:25], "big")): entry[25:] for entry in bundle}
    stored = {place: event.hash for place, event in find_events(connection, [*published]).items()}
    if absent := [place for place, hash in published.items() if stored.get(place) != hash]:
        stored |= _archived(connection, absent)
    for (stream, seq), hash in published.items():
        if stored.get((stream, seq)) != hash:
            first, newest = lost.get(stream, (seq, START))
            lost[stream] = min(first, seq), max(newest, Head(seq, hash))
    if len(lost) > MOST_LOST:
        raise CannotRecover(f"more than {MOST_LOST} games and studies lost events: restore a newer copy")


def _archived(connection: Connection, places: Sequence[Place]) -> dict[Place, bytes]:
    """Returns the hashes of those events that the log has and that are in an archive."""
    cold = find_cold(connection, [stream for stream, _ in places])
    kept = [place for place in places if place[0] in cold]
    keys = [stream for stream, _ in kept], [seq for _, seq in kept]
    return {(stream, seq): bytes(hash) for stream, seq, hash in connection.execute(NUMBERED, keys)}


def _part(connection: Connection, stream: UUID, first: int, last: Head) -> LostEvents:
    row = connection.execute(KEPT, (stream, first - 1)).fetchone()
    return LostEvents(stream, START if row is None else Head(row[0], bytes(row[1])), last)

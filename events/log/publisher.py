"""Publishes sealed checkpoints: tiles and bundles first, then cosignatures, then the checkpoint itself."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

import structlog
from psycopg import Connection

from events.errors import CabildoError
from events.files.file_store import PublishedDiffers
from events.log.event_archive import Archive
from events.log.leaves import BUNDLED, cut, entries, pages
from events.log.reconciliation import CLAIM, extends
from events.log.sealer import Seal, newest_seal, seals_after
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note, Signature
from events.merkle.tiles import WIDTH, Tile, TiledTree, read_hashes, read_path, tiles_between, write_bundle
from events.merkle.tree import HASH_SIZE, consistency_proof, root_over
from events.store.failpoints import failpoint

CHECKPOINT = "checkpoint"
WITNESSED = "checkpoint.witnessed"
ATTEMPTS = 5  # at a conditional write, while other keepers write too
CATCH_UP = 64  # checkpoints published one by one; when more are waiting, only the newest

COSIGN = """
INSERT INTO cosignatures (origin, size, witness, line) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING
"""
COSIGNATURES = "SELECT line FROM cosignatures WHERE origin = %s AND size = %s ORDER BY witness"

log = structlog.get_logger("events.log.publisher")
before_claim = failpoint("publish.before_claim")
after_claim = failpoint("publish.after_claim")
before_checkpoint = failpoint("publish.before_checkpoint")
after_checkpoint = failpoint("publish.after_checkpoint")

# Asks for cosignatures of a checkpoint; the function gives the consistency proof from an older size.
Cosigners = Callable[[Note, Callable[[int], list[bytes]]], Iterable[Signature]]
IsWitnessed = Callable[[Note], bool]


class AnotherHistoryPublished(CabildoError):
    """A checkpoint is public that is not the beginning of this log; nothing is published over it."""

    def __init__(self, seen: str) -> None:
        super().__init__(f"{seen}; nothing is published over it: see cabildo log status, then cabildo log recover")
        self.seen = seen


class PublishingRaced(CabildoError):
    """Other keepers kept writing the same file."""

    def __init__(self, store: str, path: str) -> None:
        super().__init__(f"other keepers write {path} in {store} at the same time")
        self.path = path


def no_cosignatures(_note: Note, _proof: Callable[[int], list[bytes]]) -> Iterable[Signature]:
    """Returns no cosignatures, for a log without witnesses."""
    return ()


class Publisher:
    """Publishes the files of one origin; after a crash it repeats itself without harm."""

    def __init__(
        self,
        origin: str,
        files: TileFiles,
        cosigners: Cosigners = no_cosignatures,
        is_witnessed: IsWitnessed | None = None,
        archive: Archive | None = None,
    ) -> None:
        self.files = files
        self._origin = origin
        self._cosigners = cosigners
        self._is_witnessed = is_witnessed
        self._archive = archive
        self._root_below = lru_cache(maxsize=4 * WIDTH)(self._read_root_below)

    def published(self) -> Checkpoint | None:
        """Returns the public checkpoint, or None before the first."""
        data = self.files.read(CHECKPOINT)
        return None if data is None else Checkpoint.parse(Note.parse(data).text)

    def publish(self, connection: Connection) -> Checkpoint | None:
        """Publishes the sealed checkpoints that are not public yet; returns the public checkpoint."""
        checkpoint = self.published()
        later = seals_after(connection, self._origin, -1 if checkpoint is None else checkpoint.size, CATCH_UP + 1)
        if len(later) > CATCH_UP and (newest := newest_seal(connection, self._origin)):
            later = [newest]
        for sealed in later:
            self._claim(connection, sealed)
            self._write_tiles(connection, 0 if checkpoint is None else checkpoint.size, sealed.size)
            before = 0 if checkpoint is None else checkpoint.size
            if self._archive is not None:
                self._archive.keep(connection, before, sealed.size)
            checkpoint = self._show(connection, sealed)
            self._remove_replaced(before, sealed.size)
        return checkpoint

    def witness_again(self, connection: Connection) -> bool:
        """Requests missing cosignatures of the public checkpoint; returns whether it has its quorum now."""
        newest = newest_seal(connection, self._origin)
        checkpoint = self.files.read(CHECKPOINT)
        if newest is None or checkpoint is None or self.published() != Checkpoint.parse(newest.note.text):
            return False
        if self.files.read(WITNESSED) != checkpoint:
            self._show(connection, newest)
        return self.files.read(WITNESSED) == self.files.read(CHECKPOINT)

    def tree(self, size: int) -> TiledTree:
        """Returns the published tree of a size, read from its tiles."""
        return TiledTree(size, self._tile)

    def _claim(self, connection: Connection, sealed: Seal) -> None:
        """Announces a checkpoint to the other keepers before anything of it is shown, tiles and witnesses included.

        Each claim extends the one before and what is public; of two keepers with different histories one is refused.
        """
        before_claim()
        self._extend(connection, CHECKPOINT, None)
        self._extend(connection, CLAIM, sealed.note)
        after_claim()

    def _show(self, connection: Connection, sealed: Seal) -> Checkpoint:
        note = self._cosigned(connection, sealed)
        before_checkpoint()
        self._extend(connection, CLAIM, None)  # another keeper may have claimed since
        shown = self._extend(connection, CHECKPOINT, note)
        after_checkpoint()
        if self._is_witnessed is not None and self._is_witnessed(note):
            self._extend(connection, WITNESSED, note)
        return shown

    def _extend(self, connection: Connection, path: str, note: Note | None) -> Checkpoint:
        """Replaces a checkpoint by one of the same log that is not older; returns the checkpoint that is there then.

        Raises AnotherHistoryPublished for one of another history, which stays; with no note it only looks.
        """
        for _ in range(ATTEMPTS):
            present = self.files.read_version(path)
            if present is not None and not extends(connection, self._origin, present.data):
                raise AnotherHistoryPublished(f"{path} in {self.files.name} is of another history")
            older = Checkpoint.parse(Note.parse(present.data).text) if present else Checkpoint(self._origin, -1, b"")
            fresh = older if note is None else Checkpoint.parse(note.text)
            if note is None or older.size > fresh.size:
                return older
            if self.files.replace_if(path, str(note).encode(), present.version if present else None):
                return fresh
        raise PublishingRaced(self.files.name, path)

    def _cosigned(self, connection: Connection, sealed: Seal) -> Note:
        note, tree = sealed.note, self.tree(sealed.size)
        for line in self._cosigners(note, lambda old: consistency_proof(old, sealed.size, tree.node)):
            connection.execute(COSIGN, (self._origin, sealed.size, line.name, line.line))
        return with_cosignatures(connection, self._origin, sealed)

    def _write_tiles(self, connection: Connection, before: int, size: int) -> None:
        """Writes tiles level by level from below; bundles and the tiles of their hashes come first."""
        for level, tiles in groupby(tiles_between(before, size), attrgetter("level")):
            if level is None:
                self.files.keep_all(_lowest(connection, list(tiles)))
            elif level:
                self.files.keep_all((tile.path, self.content(connection, tile)) for tile in tiles)

    def _remove_replaced(self, before: int, size: int) -> None:
        """Removes narrow tiles once the public checkpoint covers the full one: readers then fall back to it."""
        for tile in tiles_between(before, size):
            if tile.width == WIDTH and not self.files.remove_narrower(tile):
                log.error("narrow tiles differ from the full one", tile=tile.path)

    def content(self, connection: Connection, tile: Tile) -> bytes:
        """Computes the content of a tile or bundle from the log."""
        begin = tile.number * WIDTH
        if tile.level:
            return b"".join(self._root_below(tile.level, number) for number in range(begin, begin + tile.width))
        found = pages(connection, begin, begin + tile.width)
        if tile.level is None:
            return write_bundle([entry for _, bundle in found for entry in entries(bundle)])
        return b"".join(hashes for hashes, _ in found)

    def _read_root_below(self, level: int, number: int) -> bytes:
        """Returns the root of a full tile one level down, which is one hash in the tile above it."""
        return root_over(read_hashes(self._tile(Tile(level - 1, number)), WIDTH))

    def _tile(self, tile: Tile) -> bytes:
        data = self.files.hashes(tile)
        if data is None:
            raise PublishedDiffers(tile.path)
        return data


def withdraw_claim(files: TileFiles) -> None:
    """Gives up what a keeper claimed and did not publish; no keeper may run.

    After a recovery the database ends where the public checkpoint does. Tiles beyond it were never covered by one.
    """
    public, claimed = files.read(CHECKPOINT), files.read_version(CLAIM)
    size = Checkpoint.parse(Note.parse(public).text).size if public else 0
    if claimed is None or Checkpoint.parse(Note.parse(claimed.data).text).size <= size:
        return
    covered = {tile._replace(width=WIDTH).path: tile.width for tile in tiles_between(0, size)}
    for path in list(files.paths("tile")):
        tile = read_path(path)
        if tile.width > covered.get(tile._replace(width=WIDTH).path, 0):
            files.remove(path)
    if public is None:
        files.remove(CLAIM)
    elif not files.replace_if(CLAIM, public, claimed.version):
        raise PublishingRaced(files.name, CLAIM)


def _lowest(connection: Connection, bundles: Sequence[Tile]) -> Iterator[tuple[str, bytes]]:
    """Yields neighbouring bundles of entries and the tiles of their hashes, from one read of the log."""
    waiting, first, last = iter(bundles), bundles[0], bundles[-1]
    for hashes, page in pages(connection, first.number * WIDTH, last.number * WIDTH + last.width):
        for leaves, bundle in zip(cut(hashes, WIDTH * HASH_SIZE), cut(page, WIDTH * BUNDLED), strict=True):
            tile = next(waiting)
            yield tile.path, bundle
            yield tile._replace(level=0).path, leaves


def with_cosignatures(connection: Connection, origin: str, sealed: Seal) -> Note:
    """Returns the checkpoint with all its signature lines."""
    lines = "".join(line for (line,) in connection.execute(COSIGNATURES, (origin, sealed.size)))
    return Note.parse((sealed.text + lines).encode())

"""The published files of a log, in the layout in which they are served."""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from events.files.directory_store import DirectoryStore
from events.files.file_store import FileStore, VersionedFile
from events.merkle.errors import UnreadableText
from events.merkle.tiles import WIDTH, Tile, read_path
from events.merkle.tree import HASH_SIZE
from events.store.failpoints import failpoint

IDENTITY: Final = "store-id"
NARROW: Final = ".p/"
before_removal = failpoint("narrow_tiles.before_removal")


class TileFiles:
    """The files of one log, in a directory or in another store."""

    def __init__(self, place: Path | FileStore) -> None:
        self._store: FileStore = DirectoryStore(place) if isinstance(place, Path) else place

    @property
    def name(self) -> str:
        """The place of the files, for messages."""
        return self._store.name

    def read(self, path: str) -> bytes | None:
        """Returns the file's bytes, or None when there is none."""
        return self._store.read(path)

    def read_version(self, path: str) -> VersionedFile | None:
        """Returns the newest bytes of a file and their version, or None when there is none."""
        return self._store.read_version(path)

    def hashes(self, tile: Tile) -> bytes | None:
        """Returns the hashes of a tile, from a wider one if need be, or None when there is none."""
        data = self.read_wider(tile)
        return None if data is None else data[1][: tile.width * HASH_SIZE]

    def read_wider(self, tile: Tile) -> tuple[Tile, bytes] | None:
        """Returns a tile or bundle of at least this width that is there, and its bytes; None when there is none."""
        for wide in self._wider(tile):
            if (data := self.read(wide.path)) is not None:
                return wide, data
        return None

    def _wider(self, tile: Tile) -> Iterator[Tile]:
        """Yields where the entries of a tile may stand: mostly at the first place or the second."""
        yield tile
        full = tile._replace(width=WIDTH)
        yield full
        folder = f"{full.path}{NARROW}"
        names = (path.removeprefix(folder) for path in self._store.paths(folder))
        widths = sorted(int(name) for name in names if name.isascii() and name.isdigit())
        yield from (tile._replace(width=width) for width in widths if tile.width < width < WIDTH)

    def keep_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Writes immutable files; accepts the same bytes again; raises PublishedDiffers for others."""
        self._store.keep_all(files)

    def replace_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Replaces files; readers see the old or the new content, never a part.

        The files of one call become visible in groups.
        """
        self._store.replace_all(files)

    def replace(self, path: str, data: bytes) -> None:
        """Replaces one file."""
        self._store.replace_all([(path, data)])

    def replace_if(self, path: str, data: bytes, version: str | None) -> bool:
        """Replaces a file that still has a version (None: that does not exist); returns whether it did."""
        return self._store.replace_if(path, data, version)

    def paths(self, folder: str) -> Iterator[str]:
        """Yields the paths of all files below a folder."""
        return self._store.paths(folder)

    def remove(self, path: str) -> None:
        """Removes a file; accepts that there is none."""
        self._store.remove(path)

    def identity(self) -> str:
        """Returns the name by which the database knows these files: made at the first call, moved along with them."""
        while not (found := self.known_identity()):
            self._store.replace_if(IDENTITY, f"{secrets.token_hex(16)}\n".encode(), None)
        return found

    def known_identity(self) -> str:
        """Returns the same, or nothing before the first call."""
        return (self._store.read(IDENTITY) or b"").decode("ascii", "replace").strip()

    def remove_narrower(self, tile: Tile) -> bool:
        """Removes the narrow files that a full tile replaced; returns False for files that differ from it, and stay."""
        full, same = self.read(tile.path), True
        if tile.width != WIDTH or full is None:
            return same
        for path in list(self._store.paths(f"{tile.path}{NARROW}")):
            if full.startswith(self.read(path) or b""):
                before_removal()
                self._store.remove(path)
            else:
                same = False
        return same

    def tiles_with_narrower(self) -> Iterator[Tile]:
        """Yields the full tiles beside which narrow ones are left, one directory after the other."""
        last = ""
        for path in self._store.paths("tile"):
            full, narrow, _ = path.partition(NARROW)
            if narrow and full != last:
                last = full
                with suppress(UnreadableText):
                    if self.read(full) is not None:
                        yield read_path(full)

    def sweep(self) -> None:
        """Removes temporary files left by a crash; only while no other process writes."""
        self._store.sweep()

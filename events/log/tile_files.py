"""The published files of a log: each is written atomically, survives a crash, and never changes."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from events.errors import CabildoError
from events.merkle.errors import UnreadableText
from events.merkle.tiles import WIDTH, Tile, read_path
from events.merkle.tree import HASH_SIZE
from events.store.failpoints import failpoint

_NEW = ".new-"
_TOGETHER = 64  # files written together, with far fewer disk flushes than one by one

before_write = failpoint("publish.before_write")
before_rename = failpoint("publish.before_rename")
after_rename = failpoint("publish.after_rename")
before_removal = failpoint("narrow_tiles.before_removal")


class PublishedDiffers(CabildoError):
    """A published file does not match the log; it is not overwritten."""

    def __init__(self, path: str) -> None:
        super().__init__(f"the published file {path} differs from the log")
        self.path = path


class PendingFile(NamedTuple):
    """A file under a temporary name, and its final name."""

    number: int
    name: str
    target: Path


class TileFiles:
    """A directory in the layout in which it is served."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def read(self, path: str) -> bytes | None:
        """Returns the file's bytes, or None when there is none."""
        try:
            return (self.directory / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def hashes(self, tile: Tile) -> bytes | None:
        """Returns the hashes of a tile, from a wider one if need be, or None when there is none."""
        widths = (tile.width, WIDTH, *range(tile.width + 1, WIDTH))
        found = (self.read(tile._replace(width=width).path) for width in widths)
        data = next((each for each in found if each is not None), None)
        return None if data is None else data[: tile.width * HASH_SIZE]

    def keep_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Writes immutable files; accepts the same bytes again; raises PublishedDiffers for others."""
        self.replace_all((path, data) for path, data in files if not self._keeps(path, data))

    def replace_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Replaces files; readers see the old or the new content, never a part.

        The files of one call become visible in groups.
        """
        waiting = iter(files)
        while self._replace_some(islice(waiting, _TOGETHER)):
            pass

    def replace(self, path: str, data: bytes) -> None:
        """Replaces one file."""
        self.replace_all([(path, data)])

    def _keeps(self, path: str, data: bytes) -> bool:
        """Returns whether the file is there, and flushes it: a crash may have come before its name was durable."""
        present = self.read(path)
        if present not in (None, data):
            raise PublishedDiffers(path)
        if present is not None:
            sync((self.directory / path).parent)
        return present is not None

    def _replace_some(self, files: Iterable[tuple[str, bytes]]) -> bool:
        """Writes one group of files, flushed before and after renaming; returns False when there are none left."""
        with ExitStack() as passing:
            written = [passing.enter_context(self._written(*file)) for file in files]
            for number, _, _ in written:
                os.fsync(number)
            for _, name, target in written:
                before_rename()
                Path(name).replace(target)
                after_rename()
        for directory in {target.parent for _, _, target in written}:
            sync(directory)
        return bool(written)

    @contextmanager
    def _written(self, path: str, data: bytes) -> Iterator[PendingFile]:
        """Writes a temporary file; removes it unless it was renamed."""
        before_write()
        target = self.directory / path
        _make(target.parent, self.directory)
        number, name = tempfile.mkstemp(prefix=_NEW, dir=target.parent)
        try:
            with os.fdopen(number, "wb") as file:
                os.fchmod(number, 0o644)
                file.write(data)
                file.flush()
                if hasattr(os, "posix_fadvise"):  # starts writing to disk without waiting
                    os.posix_fadvise(number, 0, 0, os.POSIX_FADV_DONTNEED)
                yield PendingFile(number, name, target)
        finally:
            Path(name).unlink(missing_ok=True)

    def remove_narrower(self, tile: Tile) -> bool:
        """Removes the narrow files that a full tile replaced; returns False for files that differ from it, and stay."""
        full, same = self.read(tile.path), True
        if tile.width != WIDTH or full is None:
            return same
        directory = self.directory / tile._replace(width=1).path
        for narrow in _files_in(directory.parent):
            if full.startswith(narrow.read_bytes()):
                before_removal()
                narrow.unlink(missing_ok=True)
            else:
                same = False
        if same:
            with suppress(OSError):  # not there, or not empty: a file is being written
                directory.parent.rmdir()
        return same

    def tiles_with_narrower(self) -> Iterator[Tile]:
        """Yields the full tiles beside which narrow ones are left, one directory after the other."""
        for place, directories, _ in os.walk(self.directory / "tile"):
            narrow = [name for name in directories if name.endswith(".p")]
            directories[:] = [name for name in directories if not name.endswith(".p")]
            for name in narrow:
                path = str((Path(place) / name).relative_to(self.directory)).removesuffix(".p")
                with suppress(UnreadableText):
                    if self.read(path) is not None:
                        yield read_path(path)

    def sweep(self) -> None:
        """Removes temporary files left by a crash; only while no other process writes."""
        for left in self.directory.rglob(f"{_NEW}*"):
            left.unlink(missing_ok=True)


def _files_in(directory: Path) -> list[Path]:
    """Returns the files of a directory, except temporary ones; none of a missing directory."""
    return [path for path in directory.glob("[0-9]*") if path.is_file()]


def _make(directory: Path, root: Path) -> None:
    """Makes directories from the root down and flushes each."""
    if directory.is_dir():
        return
    if directory != root:
        _make(directory.parent, root)
    directory.mkdir(mode=0o755, parents=directory == root, exist_ok=True)
    sync(directory.parent)


def sync(directory: Path) -> None:
    """Flushes the names in a directory."""
    opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

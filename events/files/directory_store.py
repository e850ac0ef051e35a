"""A directory of files: each is written atomically and survives a crash; processes of several nodes may share it."""

import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from events.files.file_store import FilesAway, PublishedDiffers, VersionedFile
from events.store.failpoints import failpoint

_NEW: Final = ".new-"
_LOCK: Final = ".lock"
LOCKED_WITHIN: Final = 10.0  # seconds
LOCK_AGAIN: Final = 0.02
_TOGETHER: Final = 64  # files written together, with far fewer disk flushes than one by one

before_write = failpoint("publish.before_write")
before_rename = failpoint("publish.before_rename")
after_rename = failpoint("publish.after_rename")


class PendingFile(NamedTuple):
    """A file under a temporary name, and its final name."""

    number: int
    name: str
    target: Path


class DirectoryStore:
    """Files below a directory."""

    def __init__(self, directory: Path, mode: int = 0o755) -> None:
        self.directory = directory
        self.name = str(directory)
        self._mode = mode

    def read(self, path: str) -> bytes | None:
        """Returns the file's bytes, or None when there is none; raises FilesAway for a directory that fails."""
        try:
            return (self.directory / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as fault:
            raise FilesAway(self.name, fault.strerror or type(fault).__name__) from fault

    def read_version(self, path: str) -> VersionedFile | None:
        """Returns the bytes and their hash."""
        data = self.read(path)
        return None if data is None else VersionedFile(data, _version(data))

    def keep_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Writes immutable files; accepts the same bytes again; raises PublishedDiffers for others."""
        self.replace_all((path, data) for path, data in files if not self._keeps(path, data))

    def replace_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Replaces files; readers see the old or the new content, never a part."""
        waiting = iter(files)
        while self._replace_some(islice(waiting, _TOGETHER)):
            pass

    def replace_if(self, path: str, data: bytes, version: str | None) -> bool:
        """Replaces a file that still has a version; a lock on the directory keeps other writers out meanwhile."""
        with self._alone():
            present = self.read_version(path)
            if (present.version if present else None) != version:
                return False
            self.replace_all([(path, data)])
        return True

    def remove(self, path: str) -> None:
        """Removes a file, and its folder once that is empty."""
        (self.directory / path).unlink(missing_ok=True)
        with suppress(OSError):  # not there, or not empty: a file is being written
            (self.directory / path).parent.rmdir()

    def paths(self, folder: str) -> Iterator[str]:
        """Yields the files below a folder, one folder after the other."""
        for place, folders, names in os.walk(self.directory / folder):
            folders.sort()
            for name in sorted(names):
                if not name.startswith((_NEW, _LOCK)):
                    yield str((Path(place) / name).relative_to(self.directory))

    def sweep(self) -> None:
        """Removes temporary files left by a crash; only while no other process writes."""
        for left in self.directory.rglob(f"{_NEW}*"):
            left.unlink(missing_ok=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Locks out other conditional writers, of other nodes too where the file system carries locks."""
        _make(self.directory, self.directory, self._mode)
        with (self.directory / _LOCK).open("w") as lock:
            self._wait_for(lock.fileno())
            yield

    def _wait_for(self, lock: int) -> None:
        """Locks a file; raises FilesAway while another writer holds it for too long."""
        until = time.monotonic() + LOCKED_WITHIN
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as fault:
                if time.monotonic() > until:
                    raise FilesAway(self.name, "another writer holds the lock") from fault
                time.sleep(LOCK_AGAIN)
            else:
                return

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
        _make(target.parent, self.directory, self._mode)
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


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _make(directory: Path, root: Path, mode: int) -> None:
    """Makes directories from the root down and flushes each."""
    if directory.is_dir():
        return
    if directory != root:
        _make(directory.parent, root, mode)
    directory.mkdir(mode=mode, parents=directory == root, exist_ok=True)
    sync(directory.parent)


def sync(directory: Path) -> None:
    """Flushes the names in a directory."""
    opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

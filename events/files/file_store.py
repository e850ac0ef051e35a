"""A place for files: readers see the old or the new bytes of a file; a write can be bound to what was seen before."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

import structlog

from events.errors import CabildoError

log = structlog.get_logger("events.files.file_store")


class PublishedDiffers(CabildoError):
    """A published file does not match the log; it is not overwritten."""

    def __init__(self, path: str) -> None:
        super().__init__(f"the published file {path} differs from the log")
        self.path = path


class FilesAway(CabildoError):
    """The store of the log's files does not answer in time, or refuses this program; its log tells more."""

    def __init__(self, store: str, reason: str) -> None:
        super().__init__("the files of the public log cannot be reached; try again shortly")
        log.warning("files away", store=store, reason=reason)
        self.store = store


class VersionedFile(NamedTuple):
    """The bytes of a file, and the version that a conditional write names."""

    data: bytes
    version: str


class FileStore(Protocol):
    """The files below one place. Every method may raise FilesAway."""

    name: str  # for messages; without passwords

    def read(self, path: str) -> bytes | None:
        """Returns the bytes of a file, or None when there is none."""

    def read_version(self, path: str) -> VersionedFile | None:
        """Returns the newest bytes of a file with their version, or None when there is none."""

    def keep_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Writes immutable files; accepts the same bytes again; raises PublishedDiffers for others."""

    def replace_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Replaces files, each at once; they become visible in groups."""

    def replace_if(self, path: str, data: bytes, version: str | None) -> bool:
        """Replaces a file that still has a version (None: that does not exist); returns whether it did."""

    def remove(self, path: str) -> None:
        """Removes a file; accepts that there is none."""

    def paths(self, folder: str) -> Iterator[str]:
        """Yields the paths of all files below a folder, temporary ones left out."""

    def sweep(self) -> None:
        """Removes temporary files that a crash left; only while no other process writes."""


class Bucket(NamedTuple):
    """A bucket of an object store, and the prefix of the names in it."""

    name: str
    prefix: str


def read_address(url: str) -> Bucket:
    """Parses s3://BUCKET/PREFIX; raises ValueError."""
    parts = urlsplit(url)
    if parts.scheme != "s3" or not parts.netloc or parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError("must be s3://BUCKET/PREFIX")
    return Bucket(parts.netloc, parts.path.strip("/"))

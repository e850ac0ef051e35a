"""Opens the places of files that are named by an address: a directory, or a bucket."""

import os
from functools import lru_cache
from pathlib import Path

from events.files.directory_store import DirectoryStore
from events.files.file_store import FileStore

PRIVATE = 0o700


def open_place(address: str) -> FileStore:
    """Returns the files below an absolute directory or s3://BUCKET/PREFIX; raises ValueError for another address."""
    if address.startswith("/"):
        return DirectoryStore(Path(address), mode=PRIVATE)
    return open_bucket(address.rstrip("/"), os.getpid())


@lru_cache(maxsize=16)
def open_bucket(url: str, _process: int) -> FileStore:
    """Returns the one client of a bucket in this process: it keeps connections open."""
    from events.files.object_store import ObjectStore  # a large native library, for those who use it

    return ObjectStore(url)

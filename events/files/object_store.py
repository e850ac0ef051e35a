"""A bucket of an S3-compatible object store; conditional writes keep two keepers from overwriting each other's files.

Region, endpoint and credentials come from the variables that all S3 clients read (AWS_REGION, AWS_ENDPOINT_URL,
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) or from the machine's role.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import islice
from typing import Final, TypeVar

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError, PreconditionError
from obstore.store import S3Store

from events.files.file_store import FilesAway, PublishedDiffers, VersionedFile, read_address
from events.store.failpoints import failpoint

ANSWER_WITHIN: Final = timedelta(seconds=3)  # for one request, from connecting to the last byte
CONNECT_WITHIN: Final = timedelta(seconds=2)
RETRIES: Final = 1
RETRY_WITHIN: Final = timedelta(seconds=3)  # no request is repeated later than this
AT_ONCE: Final = 8  # requests
GROUP: Final = 64  # files written together
LONGEST_FAULT: Final = 200
before_put = failpoint("publish.before_put")
after_put = failpoint("publish.after_put")
T = TypeVar("T")


class ObjectStore:
    """Files under a prefix of a bucket."""

    def __init__(self, url: str) -> None:
        bucket = read_address(url)
        self.name = url
        self._process = os.getpid()
        self._store = S3Store(
            bucket.name,
            prefix=bucket.prefix or None,
            client_options={"timeout": ANSWER_WITHIN, "connect_timeout": CONNECT_WITHIN, "allow_http": True},
            retry_config={"max_retries": RETRIES, "retry_timeout": RETRY_WITHIN},
        )

    def read(self, path: str) -> bytes | None:
        """Returns the bytes of an object, or None when there is none."""
        found = self.read_version(path)
        return None if found is None else found.data

    def read_version(self, path: str) -> VersionedFile | None:
        """Returns the bytes of an object and its entity tag."""
        try:
            found = self._asked(lambda: obstore.get(self._store, path))
            return VersionedFile(bytes(self._asked(found.bytes)), found.meta["e_tag"] or "")
        except (NotFoundError, FileNotFoundError):
            return None

    def keep_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Writes immutable objects; accepts the same bytes again; raises PublishedDiffers for others."""
        self._each(self._keep, files)

    def replace_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Replaces objects; readers see the old or the new bytes, never a part."""
        self._each(self._put, files)

    def replace_if(self, path: str, data: bytes, version: str | None) -> bool:
        """Replaces an object that still has an entity tag. An answer that was lost counts, when the bytes are there."""
        before_put()
        try:
            if version is None:
                self._asked(lambda: obstore.put(self._store, path, data, mode="create", use_multipart=False))
            else:
                self._asked(lambda: obstore.put(self._store, path, data, mode={"e_tag": version}, use_multipart=False))
        except (AlreadyExistsError, PreconditionError, NotFoundError, FileNotFoundError):
            return self.read(path) == data
        after_put()
        return True

    def remove(self, path: str) -> None:
        """Removes an object; accepts that there is none."""
        try:
            self._asked(lambda: obstore.delete(self._store, path))
        except (NotFoundError, FileNotFoundError):
            return

    def paths(self, folder: str) -> Iterator[str]:
        """Yields the names of all objects below a folder, page by page."""
        pages = iter(obstore.list(self._store, folder.strip("/") or None))
        while page := self._asked(lambda: next(pages, None)):
            yield from (found["path"] for found in page)

    def sweep(self) -> None:
        """Does nothing: a write that breaks off leaves no object."""

    def _keep(self, file: tuple[str, bytes]) -> None:
        path, data = file
        if not self.replace_if(path, data, None):
            raise PublishedDiffers(path)

    def _put(self, file: tuple[str, bytes]) -> None:
        path, data = file
        before_put()
        self._asked(lambda: obstore.put(self._store, path, data, use_multipart=False))
        after_put()

    def _each(self, write: Callable[[tuple[str, bytes]], None], files: Iterable[tuple[str, bytes]]) -> None:
        """Writes files, some at once; raises the first fault after the others of its group have ended."""
        waiting = iter(files)
        with ThreadPoolExecutor(AT_ONCE) as threads:
            while group := list(islice(waiting, GROUP)):
                list(threads.map(write, group))

    def _asked(self, request: Callable[[], T]) -> T:
        """Sends a request. Raises FilesAway when it is not answered, or refused for another reason than a version."""
        if os.getpid() != self._process:  # the library's threads are not in this process: it would wait for ever
            raise FilesAway(self.name, "opened by the process that forked this one")
        try:
            return request()
        except (AlreadyExistsError, PreconditionError, NotFoundError, FileNotFoundError):
            raise
        except (BaseError, OSError) as fault:
            raise FilesAway(self.name, str(fault).partition("\n")[0][:LONGEST_FAULT]) from fault

"""Documents of events that followers of the same streams share: bounded in bytes, and kept for a short time."""

import sys
import threading
import time
from collections.abc import Callable, Hashable
from typing import Final

from cachetools import TTLCache

from service.live.protocol import Item

MOST_BYTES: Final = 16 * 2**20  # of all streams of a process
KEPT_SECONDS: Final = 30.0  # followers ask for a document within moments of one another
OVERHEAD: Final = 300  # bytes of an entry beside its text


class DocumentCache:
    """The documents that a process made last. It keeps them for a moment, whatever the number of streams."""

    def __init__(self, most_bytes: int = MOST_BYTES, clock: Callable[[], float] = time.monotonic) -> None:
        self._lock = threading.Lock()
        self._items: TTLCache[Hashable, Item] = TTLCache(most_bytes, KEPT_SECONDS, clock, _size)

    @property
    def bytes(self) -> int:
        """The bytes that the cached documents take."""
        with self._lock:
            return int(self._items.currsize)

    def get(self, key: Hashable, make: Callable[[], Item]) -> Item:
        """Returns the document of a key; makes and keeps one that is not there."""
        with self._lock:
            item = self._items.get(key)
        if item is None:
            item = make()
            with self._lock:
                if _size(item) <= self._items.maxsize:
                    self._items[key] = item
        return item


def _size(item: Item) -> int:
    return sys.getsizeof(item.document) + OVERHEAD

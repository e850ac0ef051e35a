"""Pages of the log that all read models of a process share: an entry is read and parsed once."""

import threading
from typing import Final

from cachetools import LRUCache
from psycopg import Connection

from events.log.follow import LogRow, log_rows

MOST_PAGES: Final = 8
HASH: Final = "SELECT hash FROM log WHERE idx = %s"


class LogPages:
    """The newest pages that were read, by their first index.

    A page is used again only while its last entry is still the stored one: after a failover that lost entries, other
    entries may stand at their indexes.
    """

    def __init__(self) -> None:
        self._pages: LRUCache[tuple[int, int], list[LogRow]] = LRUCache(MOST_PAGES)
        self._reading = threading.Lock()

    def rows(self, connection: Connection, start: int, most: int) -> list[LogRow]:
        """Returns the entries from an index on."""
        with self._reading:
            page = self._pages.get((start, most))
            if page is None or not _is_stored(connection, page[-1]):
                page = log_rows(connection, start, most)
                if len(page) == most:  # a shorter page still grows
                    self._pages[start, most] = page
            return page


def _is_stored(connection: Connection, last: LogRow) -> bool:
    found = connection.execute(HASH, (last.idx,)).fetchone()
    return found is not None and bytes(found[0]) == last.hash

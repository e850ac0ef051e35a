"""The makers of games: the account that answers for a game, with all its bots taken together."""

from threading import Lock
from typing import Any, Final

from cachetools import LRUCache
from psycopg import Connection
from psycopg_pool import ConnectionPool

from service.players.names import is_id

CACHED: Final = 10_000  # hosts; the owner of a bot never changes
OWNER: Final = "SELECT owner::text FROM players WHERE id = %s AND owner IS NOT NULL"


class Makers:
    """Finds the makers of games by their hosts."""

    def __init__(self, pool: ConnectionPool[Connection[Any]]) -> None:
        self._pool = pool
        self._lock = Lock()
        self._known: LRUCache[str, str] = LRUCache(CACHED)

    def maker_of(self, host: str) -> str:
        """Returns the owner of a host that is a bot, else the host."""
        with self._lock:
            known = self._known.get(host)
        if known is not None:
            return known
        maker = self._stored(host) or host
        with self._lock:
            self._known[host] = maker
        return maker

    def _stored(self, host: str) -> str | None:
        if not is_id(host):
            return None
        with self._pool.connection() as connection:
            row = connection.execute(OWNER, (host,)).fetchone()
        return None if row is None else str(row[0])

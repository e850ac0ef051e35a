"""The server's secret seeds, encrypted at rest: one for each game, tournament and shared deal."""

from operator import attrgetter
from threading import Lock
from typing import Final
from uuid import UUID

from cachetools import LRUCache, cachedmethod
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.sealing.vault import Vault
from events.store.statements import Statement
from service.core.errors import NotThere
from service.core.sealing.sealed_columns import SEALED_SEEDS

SEED: Final = "SELECT sealed FROM seeds WHERE id = %s"
PUT_SEED: Final = "INSERT INTO seeds (id, sealed) VALUES (%s, %s)"
CACHED_SEEDS: Final = 2_000


class SeedStore:
    """Stores encrypted seeds and caches the decrypted ones by the commitment that binds them."""

    def __init__(self, pool: ConnectionPool[Connection], vault: Vault) -> None:
        self._pool = pool
        self._vault = vault
        self._lock = Lock()
        self._opened: LRUCache[object, bytes] = LRUCache(CACHED_SEEDS)

    def get(self, stream: UUID, commitment: str | None = None) -> bytes:
        """Returns the seed of a stream; a cached one under the same commitment only. Raises NotThere.

        After another copy of the database was restored, a stream may have another seed, and then another commitment.
        """
        return self._stored(stream) if commitment is None else self._bound(stream, commitment)

    def insertion(self, stream: UUID, seed: bytes) -> Statement:
        """Returns the statement that stores a seed."""
        return Statement(PUT_SEED, (stream, self._vault.seal(SEALED_SEEDS, stream, seed)))

    @cachedmethod(attrgetter("_opened"), lock=attrgetter("_lock"))
    def _bound(self, stream: UUID, _commitment: str) -> bytes:
        return self._stored(stream)

    def _stored(self, stream: UUID) -> bytes:
        with self._pool.connection() as connection:
            row = connection.execute(SEED, (stream,)).fetchone()
        if row is None:
            raise NotThere("seed of", stream)
        return self._vault.open(SEALED_SEEDS, stream, bytes(row[0]))

"""Repository of streams: loads the newest version, caches it, and validates the cache against the database."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import ClassVar, Final, Generic
from uuid import UUID

from cachetools import LRUCache
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.event import START, Event
from events.store.free_texts import shown_texts
from events.store.postgres import ALONE, PostgresStore, read_following
from events.store.protocol import Appended, IdempotencyKey
from events.store.statements import AppendFunctions, Statement
from service.core.commit_watch import CommitWatch
from service.core.errors import NotThere
from service.core.standby.read_pool import StandbyBehind, reads_from_standby
from service.core.unit_of_work import State, UnitOfWork

PAGE: Final = 1_000  # events read at once


class Repository(ABC, Generic[State]):
    """Repository of one kind of stream; caches recent states and reads only newer events."""

    noun: ClassVar[str]  # for refusals
    opening: ClassVar[str]  # the kind of the first event
    cached_states: ClassVar[int]

    def __init__(self, pool: ConnectionPool[Connection]) -> None:
        self.store = PostgresStore(pool)
        self._pool = pool
        self._commit_watch = CommitWatch(pool)
        self._lock = Lock()
        self._cache: LRUCache[UUID, State] = LRUCache(self.cached_states)

    def load(self, id: UUID) -> State:
        """Returns the newest state of a stream. Raises NotThere.

        A cached state is valid only while its head is stored: after an older or different copy of the database was
        restored, the stream is loaded again.
        """
        cached = self._cached(id)
        with self._pool.connection() as connection:
            state = None if cached is None else self._brought_up_to_date(connection, cached)
            if cached is not None and state is None:
                if reads_from_standby():
                    raise StandbyBehind
                self.forget(cached)
            state = state or self._load_stored(connection, id)
        if state.head == START:
            raise NotThere(self.noun, id)
        self.remember(state)
        return state

    def cached_at(self, id: UUID, version: int | None) -> State | None:
        """Returns the cached state of a stream if it has this version; it may be stale."""
        cached = self._cached(id)
        return cached if cached is not None and cached.head.seq == version else None

    def at(self, id: UUID, version: int) -> State:
        """Returns the state of a stream at a version or the newest before it. Raises NotThere."""
        events = tuple(self.store.read(id, 0, version))
        if not events or events[0].kind != self.opening:
            raise NotThere(self.noun, id)
        with self._pool.connection() as connection:
            return self.advance(connection, self.empty(id), events)

    def history(self, id: UUID) -> tuple[Event, ...]:
        """Returns all events of a stream."""
        return tuple(self.store.read(id))

    def texts(self, id: UUID, hashes: Iterable[str], notice: str | None) -> Mapping[str, str]:
        """Returns texts of a stream for readers, by hash: without erased ones, the notice in place of hidden ones."""
        wanted = list(hashes)
        if not wanted:
            return {}
        with self._pool.connection() as connection:
            return shown_texts(connection, id, wanted, notice)

    def append(
        self,
        unit: UnitOfWork[State],
        beside: Sequence[Statement],
        *,
        key: IdempotencyKey | None = None,
        answer: bytes = b"",
        through: AppendFunctions = ALONE,
    ) -> Appended:
        """Store the events of a unit of work with statements beside them. Raises StaleVersion on a lost race."""
        with self._commit_watch.watched():
            appended = self.store.append(
                unit.id, unit.before.head.seq, unit.events, key=key, answer=answer, also=beside, through=through
            )
        if not appended.repeated:
            self.remember(unit.now)
        return appended

    def note(self, unit: UnitOfWork[State], *, key: IdempotencyKey | None, answer: bytes) -> Appended:
        """Store the statements of a unit of work that has no events. Raises StaleVersion on a lost race."""
        with self._commit_watch.watched():
            return self.store.note(unit.id, unit.before.head, unit.beside, key=key, answer=answer)

    def remember(self, state: State) -> None:
        """Cache a state unless a newer one is cached."""
        with self._lock:
            cached = self._cache.get(state.id)
            if cached is None or cached.head.seq < state.head.seq:
                self._cache[state.id] = state

    def forget(self, state: State) -> None:
        """Drop a cached state whose head is no longer stored."""
        with self._lock:
            if self._cache.get(state.id) is state:
                del self._cache[state.id]

    @abstractmethod
    def empty(self, id: UUID) -> State:
        """Returns the state of a stream before its first event."""

    @abstractmethod
    def advance(self, connection: Connection, state: State, events: Sequence[Event]) -> State:
        """Returns the state after more events."""

    def snapshot(self, _connection: Connection, _id: UUID) -> State | None:
        """Returns the stored state; None where this kind of stream stores none."""
        return None

    def _cached(self, id: UUID) -> State | None:
        with self._lock:
            return self._cache.get(id)

    def _load_stored(self, connection: Connection, id: UUID) -> State:
        snapshot = self.snapshot(connection, id)
        state = None if snapshot is None else self._brought_up_to_date(connection, snapshot)
        return state or self._brought_up_to_date(connection, self.empty(id)) or self.empty(id)

    def _brought_up_to_date(self, connection: Connection, state: State) -> State | None:
        """Returns the state after all newer events; None when its head is not stored."""
        while (events := read_following(connection, state.id, state.head, PAGE)) is not None:
            if events and state.head == START and events[0].kind != self.opening:
                raise NotThere(self.noun, state.id)
            if events:
                state = self.advance(connection, state, events)
            if len(events) < PAGE:
                return state
        return None

"""Takes a study in hand at its newest version, and puts it back with what was written, in one transaction."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import Any, Final
from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.store.free_texts import read_texts
from events.store.postgres import PostgresStore, read
from events.store.protocol import Appended, IdempotencyKey
from events.store.stream_lock import StreamLock
from projections.studies.fold import study_of
from projections.studies.study import Study
from service.core.errors import NotThere
from service.studies.unit_of_work import Pen

KEPT_IN_HAND: Final = 200
KIND: Final = "SELECT kind FROM events WHERE stream = %s AND seq = 1"
CREATED: Final = "study_created"


class Studies:
    """All studies of a database; those touched lately are remembered, and only what came after is read."""

    def __init__(self, pool: ConnectionPool[Connection[Any]], now: Callable[[], int], turns: StreamLock) -> None:
        self.book = PostgresStore(pool)
        self._pool = pool
        self._now = now
        self._lock = Lock()
        self._turns = turns
        self._in_hand: OrderedDict[UUID, Study] = OrderedDict()

    def take(self, id: UUID) -> Study:
        """A study at its newest version; refuses with NotThere."""
        with self._lock:
            study = self._in_hand.get(id)
        with self._pool.connection() as connection:
            if study is None and connection.execute(KIND, (id,)).fetchone() != (CREATED,):
                raise NotThere("study", id)
            study = study_of(read(connection, id, study.version if study else 0), study)
        assert study is not None
        self._remember(study)
        return study

    def texts(self, study: UUID, hashes: Iterable[str]) -> Mapping[str, str]:
        """The texts that have not been erased, by hash."""
        wanted = [bytes.fromhex(text) for text in hashes]
        if not wanted:
            return {}
        with self._pool.connection() as connection:
            found = read_texts(connection, study, wanted)
        return {kept.hash.hex(): kept.text for kept in found.values()}

    def open(
        self,
        id: UUID,
        actor: str,
        decide: Callable[[Pen], None],
        key: IdempotencyKey | None,
        answer: Callable[[Pen], bytes],
    ) -> Appended:
        """Begin a study."""
        pen = Pen(id, None, self._now(), actor)
        decide(pen)
        return self._put(pen, key, answer(pen))

    def edit(
        self,
        id: UUID,
        actor: str,
        decide: Callable[[Pen], None],
        key: IdempotencyKey | None,
        answer: Callable[[Pen], bytes],
    ) -> Appended:
        """Let something be decided about a study, anew when somebody else was faster."""

        def write() -> Appended:
            pen = Pen(id, self.take(id), self._now(), actor)
            decide(pen)
            return self._put(pen, key, answer(pen)) if pen.events else Appended(answer(pen), repeated=False)

        def written() -> Appended | None:
            before = self.answered(key)
            return None if before is None else Appended(before, repeated=True)

        return self._turns.settle(id, write, written)

    def answered(self, key: IdempotencyKey | None) -> bytes | None:
        """The stored answer of a request; None when it was never made."""
        return None if key is None else self.book.answered(key)

    def _put(self, pen: Pen, key: IdempotencyKey | None, answer: bytes) -> Appended:
        before = pen.before.version if pen.before else 0
        appended = self.book.append(pen.id, before, pen.events, key=key, answer=answer, also=pen.beside)
        if not appended.repeated:
            self._remember(pen.study)
        return appended

    def _remember(self, study: Study) -> None:
        with self._lock:
            known = self._in_hand.get(study.id)
            if known is None or known.version < study.version:
                self._in_hand[study.id] = study
            self._in_hand.move_to_end(study.id)
            while len(self._in_hand) > KEPT_IN_HAND:
                self._in_hand.popitem(last=False)

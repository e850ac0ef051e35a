"""The event store in PostgreSQL: one round trip appends, the primary key decides races."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from uuid import UUID

import psycopg
from psycopg import Connection, errors
from psycopg.types.numeric import Int8
from psycopg_pool import ConnectionPool, PoolTimeout

from events.body_packing import pack_body
from events.cold.reader import cold_events, find_cold
from events.errors import (
    CommitOverdue,
    KeyReused,
    LogNotReconciled,
    OutcomeUnknown,
    StaleVersion,
    StoreAway,
    StoreReadOnly,
    StoreSilent,
    StreamArchived,
)
from events.event import START, Event, Head, stored
from events.store.bounded_connection import AnswerOverdue, ServerSilent
from events.store.failpoints import failpoint
from events.store.function_calls import call
from events.store.protocol import Appended, IdempotencyKey, check_batch
from events.store.statements import AppendFunctions, Statement
from events.store.stream_heads import read_heads
from events.store.write_errors import is_broken, is_conflict

APPEND = "SELECT append(%s, %s, %s, %s, %s, %s, %s)"
APPEND_ONCE = "SELECT append_once(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
REQUIRE_NEWEST = "SELECT require_newest(%s, %s, %s)"
KEEP_ANSWER = "SELECT keep_answer(%s, %s, %s, %s, %s)"
ANSWER = "SELECT request, answer FROM answers WHERE stream = %s AND scope = %s AND name = %s"
HEAD = "SELECT seq, hash FROM events WHERE stream = %s ORDER BY seq DESC LIMIT 1"
PAGE = "SELECT body, hash FROM events WHERE stream = %s AND seq > %s ORDER BY seq LIMIT %s"
FOLLOWING = """
SELECT CASE WHEN seq > %(seq)s THEN body END, hash FROM events
WHERE stream = %(stream)s AND seq >= %(seq)s ORDER BY seq LIMIT %(rows)s
"""
PAGE_SIZE = 1_000
NOT_RECONCILED = "CAB04"
ARCHIVED = "CAB05"
WAITED = (AnswerOverdue, ServerSilent, PoolTimeout)  # the server had its time

before_append = failpoint("append.before")
before_commit = failpoint("append.before_commit")
after_commit = failpoint("append.after_commit")


ALONE = AppendFunctions(APPEND, APPEND_ONCE)


class PostgresStore:
    """Keeps events in PostgreSQL; threads may share it."""

    def __init__(self, pool: ConnectionPool[Connection]) -> None:
        self._pool = pool

    def append(
        self,
        stream: UUID,
        expected: int,
        events: Sequence[Event],
        *,
        expected_head: bytes | None = None,
        key: IdempotencyKey | None = None,
        answer: bytes = b"",
        also: Sequence[Statement] = (),
        through: AppendFunctions = ALONE,
    ) -> Appended:
        """Appends linked events after version `expected`, all or none, once per key.

        `also` is written in the same transaction and the same round trip: the board, the row in the lobby. `through`
        appends the last event: its functions take the parameters of append(), its own, and those of the answer.
        Raises OutcomeUnknown when the connection broke, CommitOverdue when no answer came in time: repeat the request
        with its key to learn the outcome. Raises LogNotReconciled while the gate of the log is shut.
        """
        check_batch(stream, expected, events)
        with self._connection() as connection:
            if expected_head not in (None, events[0].prev):
                return resolve_conflict(connection, stream, key)
            before_append()
            answered = _execute_write(
                connection, stream, key, lambda: write(connection, events, key, answer, also, through)
            )
        if answered is not None:
            return answered
        after_commit()
        return Appended(answer, repeated=False)

    def note(
        self,
        stream: UUID,
        newest: Head,
        beside: Sequence[Statement],
        *,
        key: IdempotencyKey | None = None,
        answer: bytes = b"",
    ) -> Appended:
        """Writes statements of a stream without an event, all or none, once per key.

        Raises StaleVersion when the stream has another newest event, and LogNotReconciled.
        """
        statements = [Statement(REQUIRE_NEWEST, (stream, Int8(newest.seq), newest.hash))]
        statements += [] if key is None else [Statement(KEEP_ANSWER, (*key, answer))]
        with self._connection() as connection:
            answered = _execute_write(connection, stream, key, lambda: _send(connection, [*statements, *beside]))
        return answered or Appended(answer, repeated=False)

    def answered(self, key: IdempotencyKey) -> bytes | None:
        """Returns the stored answer of a request, or None; raises KeyReused when the key has another request."""
        with self._connection() as connection:
            return answered(connection, key)

    def head(self, stream: UUID) -> Head:
        """Returns the newest event's number and hash; START when there is none."""
        with self._connection() as connection:
            return head(connection, stream)

    def heads(self, streams: Sequence[UUID]) -> Mapping[UUID, Head]:
        """Returns the number and hash of the newest event of each stream that has one."""
        with self._connection() as connection:
            return read_heads(connection, streams)

    def read(self, stream: UUID, after: int = 0, limit: int | None = None) -> Generator[Event]:
        """Yields the events that follow version `after`, oldest first, a page in memory at a time.

        Holds a connection until the last event is read: give a slow reader pages, with a limit.
        """
        with self._connection() as connection:
            yield from read(connection, stream, after, limit)

    def following(self, stream: UUID, after: Head, limit: int) -> tuple[Event, ...] | None:
        """Returns the events after a head, oldest first; None when the stream does not have that head (any more)."""
        with self._connection() as connection:
            return read_following(connection, stream, after, limit)

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        try:
            with self._pool.connection() as connection:
                yield connection
        except WAITED as problem:
            raise StoreSilent from problem
        except errors.ReadOnlySqlTransaction as problem:
            raise StoreReadOnly from problem
        except psycopg.DatabaseError as problem:
            if is_broken(problem):
                raise StoreAway("PostgreSQL cannot be reached") from problem
            raise


def write(
    connection: Connection,
    events: Sequence[Event],
    key: IdempotencyKey | None,
    answer: bytes,
    also: Sequence[Statement],
    through: AppendFunctions = ALONE,
) -> None:
    """Sends events and their statements as one transaction."""
    sql, kept = (through.sql, ()) if key is None else (through.once, (*key, answer))
    statements = [Statement(APPEND, _parameters(event)) for event in events[:-1]]
    statements.append(Statement(sql, (*_parameters(events[-1]), *through.parameters, *kept)))
    statements.extend(also)
    if len(statements) == 1:
        before_commit()
        call(connection, *statements[0])
    else:
        _send(connection, statements)


def _parameters(event: Event) -> Sequence[object]:
    body = pack_body(event.kind, event.body)
    return event.stream, Int8(event.seq), event.prev, event.kind, Int8(event.at), event.hash, body


def _send(connection: Connection, statements: Sequence[Statement]) -> None:
    """Sends statements in one pipeline: everything before one sync is one transaction."""
    refusal: psycopg.Error | None = None
    try:
        with connection.pipeline():
            refusal = _queue(connection, statements)
    except errors.PipelineAborted as aborted:
        raise refusal or aborted from None
    if refusal is not None:
        raise refusal


def _queue(connection: Connection, statements: Sequence[Statement]) -> psycopg.Error | None:
    """Queues statements in the pipeline; returns the server's error when one arrives that soon."""
    try:
        for statement in statements:
            connection.execute(*statement, prepare=True)
        before_commit()
    except BaseException as problem:
        if isinstance(problem, psycopg.Error) and problem.sqlstate:
            return problem  # the server skips what follows
        connection.close()  # libpq saw no error: leaving the pipeline would commit the half that was sent
        raise
    return None


def _execute_write(
    connection: Connection, stream: UUID, key: IdempotencyKey | None, send: Callable[[], None]
) -> Appended | None:
    """Executes the write. On a version conflict returns the stored answer or raises StaleVersion."""
    try:
        send()
    except psycopg.DatabaseError as problem:
        if is_conflict(problem):
            return resolve_conflict(connection, stream, key)
        if isinstance(problem, WAITED):
            raise CommitOverdue from problem
        if is_broken(problem):
            raise OutcomeUnknown("the connection broke while events were written") from problem
        if problem.sqlstate == NOT_RECONCILED:
            raise (StoreReadOnly if _is_standby(connection) else LogNotReconciled) from problem
        if problem.sqlstate == ARCHIVED:
            raise StreamArchived(stream) from problem
        raise
    return None


def _is_standby(connection: Connection) -> bool:
    row = connection.execute("SELECT pg_is_in_recovery()").fetchone()
    return bool(row and row[0])


def resolve_conflict(connection: Connection, stream: UUID, key: IdempotencyKey | None) -> Appended:
    """Resolves a conflict: returns the answer stored for the key, or raises StaleVersion."""
    if key is not None and (before := answered(connection, key)) is not None:
        return Appended(before, repeated=True)
    raise StaleVersion(stream, *head(connection, stream))


def answered(connection: Connection, key: IdempotencyKey) -> bytes | None:
    """Returns the stored answer of a request, or None when there is none."""
    row = connection.execute(ANSWER, (key.stream, key.scope, key.name), binary=True).fetchone()
    if row is None:
        return None
    request, answer = row
    if request != key.request:
        raise KeyReused(key.scope, key.name)
    return bytes(answer)


def head(connection: Connection, stream: UUID) -> Head:
    """Returns the newest event's number and hash; START when there is none."""
    row = connection.execute(HEAD, (stream,), binary=True).fetchone()
    if row is None:
        cold = find_cold(connection, [stream]).get(stream)
        return cold.head if cold else START
    return Head(*row)


def read(connection: Connection, stream: UUID, after: int = 0, limit: int | None = None) -> Generator[Event]:
    """Yields the events after version `after`, of an archived stream from its file.

    Raises FilesAway and ColdFileDamaged where that file cannot be read.
    """
    found = False
    for event in _read_rows(connection, stream, after, limit):
        found = True
        yield event
    if not found:
        last = None if limit is None else after + limit
        yield from (stored(body, event_hash) for event_hash, body in cold_events(connection, stream)[after:last])


def _read_rows(connection: Connection, stream: UUID, after: int, limit: int | None) -> Generator[Event]:
    """Yields the events in the database after a version; a server-side cursor holds the rest."""
    if limit is not None and limit <= PAGE_SIZE:
        for body, event_hash in connection.execute(PAGE, (stream, after, limit), binary=True):
            yield stored(body, event_hash)
        return
    with connection.transaction(), connection.cursor("events", binary=True) as cursor:
        cursor.itersize = PAGE_SIZE
        cursor.execute(PAGE, (stream, after, limit))
        for body, event_hash in cursor:
            yield stored(body, event_hash)


def read_following(connection: Connection, stream: UUID, after: Head, limit: int) -> tuple[Event, ...] | None:
    """Returns the events after a head, oldest first; None when the stream does not have that head (any more)."""
    most = limit + (after != START)
    rows = connection.execute(FOLLOWING, {"stream": stream, "seq": after.seq, "rows": most}, binary=True).fetchall()
    if not rows:
        first = max(0, after.seq - 1)
        cold = cold_events(connection, stream)[first : first + most]
        rows = [(body, event_hash) for event_hash, body in cold]
    if after != START and (not rows or bytes(rows[0][1]) != after.hash):
        return None
    return tuple(stored(body, event_hash) for body, event_hash in rows[after != START :])

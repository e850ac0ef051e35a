"""Calls database functions with little overhead: prepared once per connection, no cursor, no result read."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from operator import attrgetter
from typing import Any, Final, cast
from uuid import UUID
from weakref import WeakKeyDictionary

from psycopg import Connection, OperationalError
from psycopg.errors import InvalidSqlStatementName, error_from_result
from psycopg.generators import execute
from psycopg.pq import DiagnosticField, ExecStatus, Format
from psycopg.pq.abc import PGresult
from psycopg.types.numeric import Int8

DONE: Final = frozenset((ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK))


def _digits(number: int) -> bytes:
    return b"%d" % number


def _nothing(_value: None) -> None:
    return None


_WRITTEN: Final[Mapping[type, tuple[Callable[[Any], bytes | None], Format]]] = {
    bytes: (bytes, Format.BINARY),
    str: (str.encode, Format.BINARY),
    UUID: (attrgetter("bytes"), Format.BINARY),
    int: (_digits, Format.TEXT),  # the function's signature decides the width
    Int8: (_digits, Format.TEXT),
    type(None): (_nothing, Format.TEXT),
}
_NUMBERS: Final = count()  # a name is never reused: a connection may have dropped only some of its statements
_PREPARED: Final[WeakKeyDictionary[Connection, dict[str, bytes]]] = WeakKeyDictionary()


def call(connection: Connection, sql: str, parameters: Sequence[Any]) -> None:
    """Executes and commits a call with a %s for each parameter; raises the errors of psycopg."""
    if connection.prepare_threshold is None:  # behind a pooler, a statement is prepared in another session
        _execute_unprepared(connection, sql, parameters)
        return
    known = _PREPARED.setdefault(connection, {})
    try:
        _execute(connection, known.get(sql) or _prepare(connection, sql, known), parameters)
    except InvalidSqlStatementName:  # after a rollback, psycopg drops all prepared statements
        known.clear()
        _execute(connection, _prepare(connection, sql, known), parameters)


def _execute_unprepared(connection: Connection, sql: str, parameters: Sequence[Any]) -> None:
    values, formats = _written(parameters)
    connection.pgconn.send_query_params(_numbered(sql), values, None, formats)
    _check(_answer(connection))


def _execute(connection: Connection, name: bytes, parameters: Sequence[Any]) -> None:
    values, formats = _written(parameters)
    connection.pgconn.send_query_prepared(name, values, formats)
    _check(_answer(connection))


def _written(parameters: Sequence[Any]) -> tuple[Sequence[bytes], Sequence[Format]]:
    ways = [_WRITTEN[type(value)] for value in parameters]
    written = [write(value) for (write, _), value in zip(ways, parameters, strict=True)]
    return cast("Sequence[bytes]", written), [form for _, form in ways]  # or None, missing in psycopg's annotation


def _prepare(connection: Connection, sql: str, known: dict[str, bytes]) -> bytes:
    name = b"call_%d" % next(_NUMBERS)
    connection.pgconn.send_prepare(name, _numbered(sql))
    _check(_answer(connection))
    known[sql] = name
    return name


def _numbered(sql: str) -> bytes:
    first, *rest = sql.split("%s")
    return (first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))).encode()


def _answer(connection: Connection) -> PGresult:
    results: list[PGresult] = connection.wait(execute(connection.pgconn))  # bounded as all waits are
    return results[-1]


def _check(result: PGresult) -> None:
    if result.status in DONE:
        return
    if result.error_field(DiagnosticField.SQLSTATE) is None:  # the error is not from the server
        raise OperationalError(result.get_error_message())
    raise error_from_result(result)

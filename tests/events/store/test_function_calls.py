"""Calls without a cursor say and refuse the same as those with one."""

from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import Connection, errors
from psycopg.types.numeric import Int8

from events.store.function_calls import call

ECHO = "CREATE TABLE echoes (number integer, big bigint, name text, id uuid, raw bytea)"
SAY = "INSERT INTO echoes VALUES (%s, %s, %s, %s, %s)"
ID = UUID("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")


@pytest.fixture
def connection(database: str) -> Any:
    with psycopg.connect(database, autocommit=True) as one:
        one.execute(ECHO)
        yield one


@pytest.mark.parametrize(
    "said",
    [
        (7, Int8(2**62), "Ágnes \u2603", ID, b"\x00\xff"),
        (-(2**31), 0, "", ID, b""),
        (None, None, None, None, None),
    ],
)
def test_what_is_said_arrives(connection: Connection, said: tuple[Any, ...]) -> None:
    for _ in range(2):  # prepared the first time
        call(connection, SAY, said)
    assert connection.execute("SELECT * FROM echoes").fetchall() == [said, said]


def test_a_refusal_is_the_same_error_as_any_other_way(connection: Connection) -> None:
    connection.execute("ALTER TABLE echoes ADD UNIQUE (number)")
    call(connection, SAY, (1, 2, "a", ID, b""))
    with pytest.raises(errors.UniqueViolation) as refused:
        call(connection, SAY, (1, 2, "b", ID, b""))
    assert refused.value.diag.table_name == "echoes"
    with pytest.raises(errors.CharacterNotInRepertoire):
        call(connection, SAY, (2, 2, "a\0b", ID, b""))  # and not its prefix
    with pytest.raises(errors.SyntaxError):
        call(connection, "SAY %s", (1,))
    call(connection, SAY, (3, 2, "c", ID, b""))


def test_a_call_is_prepared_anew_after_a_rollback(connection: Connection) -> None:
    call(connection, SAY, (1, 2, "a", ID, b""))
    with connection.transaction(force_rollback=True):
        connection.execute("SELECT 1", prepare=True)
    connection.execute("SELECT 2")  # the connection dropped its prepared statements
    call(connection, SAY, (2, 2, "b", ID, b""))
    assert connection.execute("SELECT number FROM echoes ORDER BY number").fetchall() == [(1,), (2,)]


def test_no_name_is_given_twice_when_a_part_was_let_go_of(connection: Connection) -> None:
    call(connection, SAY, (1, 2, "a", ID, b""))
    with connection.transaction(force_rollback=True):
        connection.execute("SELECT 1", prepare=True)
    connection.execute("SELECT 2")
    other = f"{SAY} "  # the same in another spelling is another call
    for number, sql in enumerate((other, SAY, other), 2):
        call(connection, sql, (number, 2, "b", ID, b""))
    assert connection.execute("SELECT count(*) FROM echoes").fetchone() == (4,)


def test_a_connection_that_is_cut_says_so(connection: Connection, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", (connection.info.backend_pid,))
    with pytest.raises(psycopg.OperationalError):
        call(connection, SAY, (1, 2, "a", ID, b""))
    assert connection.broken

"""Turns at a stream: the first try takes none, losers go one after another, across processes; nobody waits for ever."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from uuid import UUID

import psycopg
import pytest
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.errors import CabildoError, StaleVersion
from events.store import stream_lock as turns_module
from events.store.connections import connect, open_pool
from events.store.postgres import PostgresStore
from events.store.protocol import Appended
from events.store.stream_lock import TRIES, StreamLock
from tests.support.events.examples import a_stream, next_move, start_game
from tests.support.running_program import eventually

PROCESSES, EACH = 4, 8
HELD = """
SELECT pid FROM pg_locks JOIN pg_database ON database = pg_database.oid
WHERE datname = current_database() AND locktype = 'advisory'
"""
BREAK = f"SELECT pg_terminate_backend(pid) FROM ({HELD}) AS held"
Pool = ConnectionPool[Connection]


@pytest.fixture(scope="module")
def pool(module_database: str) -> Iterator[Pool]:
    """Connections for a turn and a write of each of some processes."""
    with open_pool(module_database, size=2 * PROCESSES) as connections:
        yield connections


@pytest.fixture(scope="module")
def watcher(module_database: str) -> Iterator[Connection]:
    """Reads the held locks."""
    with connect(module_database) as connection:
        yield connection


@pytest.fixture
def turns(pool: Pool) -> StreamLock:
    return StreamLock(pool)


class Loser:
    """A writer that loses so many races."""

    def __init__(self, stream: UUID, loses: int) -> None:
        self.stream, self.loses, self.tries = stream, loses, 0

    def attempt(self) -> str:
        self.tries += 1
        if self.tries <= self.loses:
            raise StaleVersion(self.stream, 1, bytes(32))
        return "written"


def nothing() -> None:
    """The request was never stored."""


def test_writers_of_several_processes_all_write(pool: Pool) -> None:
    event_store = PostgresStore(pool)
    stream, begun = start_game(event_store)
    begins = threading.Barrier(PROCESSES)

    def write() -> Appended:
        newest = event_store.head(stream)
        return event_store.append(stream, newest.seq, next_move(stream, newest))

    def write_some(turns: StreamLock) -> None:
        begins.wait(60)
        for _ in range(EACH):
            turns.settle(stream, write, nothing)

    with ThreadPoolExecutor(PROCESSES) as processes:  # processes differ by their turns, not by their memory
        list(processes.map(write_some, (StreamLock(pool) for _ in range(PROCESSES))))
    assert event_store.head(stream).seq == begun.seq + PROCESSES * EACH


def test_the_first_try_takes_no_turn_and_the_second_does(turns: StreamLock, watcher: Connection) -> None:
    stream, held = a_stream(), list[int]()
    loser = Loser(stream, 1)

    def attempt() -> str:
        held.append(len(watcher.execute(HELD).fetchall()))
        return loser.attempt()

    assert turns.settle(stream, attempt, nothing) == "written"
    assert held == [0, 1]
    assert not watcher.execute(HELD).fetchall()


def test_a_newcomer_does_not_overtake_whoever_waits_in_the_same_process(turns: StreamLock) -> None:
    stream, newcomer = a_stream(), Loser(a_stream(), 0)
    with ThreadPoolExecutor(1) as others, turns.at(stream):
        written = others.submit(turns.settle, stream, newcomer.attempt, nothing)
        assert eventually(lambda: turns._waiting == [stream, stream])
        assert newcomer.tries == 0
    assert (written.result(), newcomer.tries) == ("written", 1)


def test_whoever_loses_again_and_again_is_told_so(turns: StreamLock) -> None:
    stream = a_stream()
    loser = Loser(stream, 2 * TRIES)
    with pytest.raises(StaleVersion):
        turns.settle(stream, loser.attempt, nothing)
    assert loser.tries == 1 + TRIES


def test_who_said_what_it_saw_is_told_at_once(turns: StreamLock) -> None:
    stream = a_stream()
    loser = Loser(stream, 1)
    with pytest.raises(StaleVersion):
        turns.settle(stream, loser.attempt, nothing, insists=False)
    assert loser.tries == 1


def test_a_request_that_was_stored_meanwhile_is_never_refused(turns: StreamLock) -> None:
    def refuse() -> str:
        raise CabildoError("there is nothing left to delete")

    assert turns.settle(a_stream(), refuse, lambda: "deleted") == "deleted"


def test_a_turn_ends_when_it_was_of_no_use(turns: StreamLock) -> None:
    stream = a_stream()
    with pytest.raises(ZeroDivisionError), turns.at(stream):
        raise ZeroDivisionError
    with turns.at(stream):
        pass


def test_a_connection_that_breaks_holds_nobody_up_and_fails_nobody(turns: StreamLock, module_database: str) -> None:
    stream = a_stream()
    with turns.at(stream), psycopg.connect(module_database) as superuser:
        assert superuser.execute(BREAK).fetchall() == [(True,)]
    with turns.at(stream):
        pass


def test_a_writer_goes_on_without_the_lock_of_a_hung_process(
    turns: StreamLock, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns_module, "LOCK_TIMEOUT", "SET LOCAL lock_timeout = '20ms'")
    stream, another_process = a_stream(), StreamLock(pool)
    with another_process.at(stream):
        assert turns.settle(stream, Loser(stream, 1).attempt, nothing) == "written"


def test_stream_locked_by_a_hung_process_holds_up_no_other_stream(
    turns: StreamLock, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns_module, "LOCK_TIMEOUT", "SET LOCAL lock_timeout = '600s'")
    hung, another_process = a_stream(), StreamLock(pool)
    with ThreadPoolExecutor(3) as others:
        with another_process.at(hung):
            waiting = [others.submit(turns.settle, hung, Loser(hung, 1).attempt, nothing) for _ in range(3)]
            assert eventually(lambda: turns._waiting == [hung] * 3)
            stream = a_stream()
            assert turns.settle(stream, Loser(stream, 1).attempt, nothing) == "written"
            assert not any(writer.done() for writer in waiting)
        assert [writer.result() for writer in waiting] == ["written"] * 3
    assert turns._turns == {}


def test_writer_goes_on_without_a_lock_when_all_connections_lock(
    turns: StreamLock, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns_module, "LONGEST_WAIT", 0.02)
    stream = a_stream()
    with ExitStack() as held:
        for _ in range(pool.max_size // 2):
            held.enter_context(turns.at(a_stream()))
        assert turns.settle(stream, Loser(stream, 1).attempt, nothing) == "written"

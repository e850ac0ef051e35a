"""Followers: every entry once and in order, woken at once, never dependent on being woken."""

import threading
import time
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import Connection

from events.log.follow import LoggedEvent, follow
from events.log.sequencer import sequence_once
from events.store.connections import connect
from events.store.postgres import PostgresStore
from tests.support.events.examples import start_game


@pytest.fixture
def stop() -> Iterator[threading.Event]:
    """Stops the follower when the test ends."""
    event = threading.Event()
    yield event
    event.set()


def numbers(entries: list[LoggedEvent]) -> list[int]:
    return [entry.idx for entry in entries]


def test_a_follower_reads_on_from_a_number(
    event_store: PostgresStore, service: Connection, database: str, stop: threading.Event
) -> None:
    start_game(event_store, moves=4)
    sequence_once(service)
    pages = follow(lambda: connect(database), 1, stop, page=3, poll=0.05)
    assert [numbers(next(pages)) for _ in range(3)] == [[1, 2, 3], [4], []]
    start_game(event_store)
    sequence_once(service)
    assert numbers(next(pages)) == [5]


def test_the_sequencer_wakes_a_follower_long_before_it_would_look_again(
    event_store: PostgresStore, service: Connection, database: str, stop: threading.Event
) -> None:
    pages = follow(lambda: connect(database), 0, stop, poll=30)
    assert next(pages) == []
    start_game(event_store)
    threading.Timer(0.1, sequence_once, [service]).start()
    begun = time.monotonic()
    assert numbers(next(pages)) == [0]
    assert time.monotonic() - begun < 10


def test_a_lost_wake_up_is_made_up_for_by_looking_again(
    event_store: PostgresStore, service: Connection, database: str, stop: threading.Event
) -> None:
    pages = follow(lambda: connect(database), 0, stop, poll=0.05)
    assert next(pages) == []
    start_game(event_store)
    service.execute("SELECT sequence(10)")  # sequenced without a notification
    assert numbers(next(pages)) == [0]


def test_a_lost_connection_loses_nothing_and_doubles_nothing(
    event_store: PostgresStore, service: Connection, database: str, stop: threading.Event
) -> None:
    connections: list[Connection] = []

    def open_another() -> Connection:
        connections.append(connect(database))
        return connections[-1]

    seen: list[int] = []
    pages = follow(open_another, 0, stop, poll=0.02)
    for _ in range(3):
        start_game(event_store, moves=2)
        sequence_once(service)
        seen += numbers(next(pages))
        cut(database, connections[-1].info.backend_pid)
        while next(pages) or connections[-1].closed:
            assert len(connections) < 10
    assert seen == list(range(9))
    assert len(connections) == 4


def cut(database: str, backend: int) -> None:
    """Terminates the server process of a connection."""
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(%s, 5000)", (backend,))


def test_a_follower_that_is_told_to_stop_stops(database: str, stop: threading.Event) -> None:
    pages = follow(lambda: connect(database), 0, stop, poll=0.01)
    assert next(pages) == []
    stop.set()
    assert list(pages) == []

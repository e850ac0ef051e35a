"""Projections: every entry once, rows and position together, parked by poison, never done by two at once."""

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
import pytest
from psycopg import Connection

from events.event import Head
from events.log.sequencer import sequence_once
from events.store.connections import connect, open_pool
from events.store.postgres import PostgresStore
from projections.read_models.projector import advance, resume, statuses
from projections.read_models.registry import READ_MODELS, advance_all
from projections.read_models.streams import Streams
from tests.support.events.examples import next_move, start_game
from tests.support.projections.kind_counter import TABLE, Tally, tallies


@pytest.fixture
def event_store(database: str) -> Iterator[PostgresStore]:
    """An empty event store, and the table of the tally."""
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute(TABLE.encode())
    with open_pool(database) as pool:
        yield PostgresStore(pool)


@pytest.fixture
def service(database: str, event_store: PostgresStore) -> Iterator[Connection]:
    """A connection in the service's role."""
    with connect(database) as connection:
        yield connection


def test_every_entry_is_applied_once(event_store: PostgresStore, service: Connection) -> None:
    start_game(event_store, moves=3)
    sequence_once(service)
    assert [advance(service, Tally()) for _ in range(2)] == [4, 0]
    start_game(event_store, moves=1)
    sequence_once(service)
    assert advance(service, Tally()) == 2
    assert tallies(service) == {"game_created": 2, "moved": 4}


def test_a_batch_is_bounded(event_store: PostgresStore, service: Connection) -> None:
    start_game(event_store, moves=4)
    sequence_once(service)
    assert [advance(service, Tally(), most=2) for _ in range(4)] == [2, 2, 1, 0]
    assert sum(tallies(service).values()) == 5


def test_events_without_a_number_are_not_seen(event_store: PostgresStore, service: Connection) -> None:
    start_game(event_store)
    assert advance(service, Tally()) == 0


def test_rows_and_position_are_kept_or_lost_together(
    event_store: PostgresStore, service: Connection, database: str
) -> None:
    start_game(event_store, moves=2)
    sequence_once(service)
    with connect(database) as doomed:
        doomed.execute("BEGIN")
        assert advance(doomed, Tally()) == 3
        doomed.close()
    while advance(service, Tally()) == 0:  # until the server has noticed
        assert tallies(service) == {}
    assert tallies(service) == {"game_created": 1, "moved": 2}


def test_while_one_process_applies_another_leaves_it_alone(
    event_store: PostgresStore, service: Connection, database: str
) -> None:
    advance(service, Tally())
    start_game(event_store, moves=2)
    sequence_once(service)
    with connect(database) as other:
        other.execute("BEGIN")
        assert advance(other, Tally(), most=1) == 1
        assert advance(service, Tally()) == 0
        other.execute("COMMIT")
    assert advance(service, Tally()) == 2
    assert sum(tallies(service).values()) == 3


def test_many_processes_at_once_apply_every_entry_once(
    event_store: PostgresStore, service: Connection, database: str
) -> None:
    start_game(event_store, moves=199)
    sequence_once(service)
    advance(service, Tally(), most=1)

    def follow() -> None:
        with connect(database) as connection:
            while sum(tallies(connection).values()) < 200:
                advance(connection, Tally(), most=7)

    threads = [threading.Thread(target=follow) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tallies(service) == {"game_created": 1, "moved": 199}


def test_a_poisonous_entry_parks_the_projection_and_is_not_skipped(
    event_store: PostgresStore, service: Connection
) -> None:
    start_game(event_store, moves=4)
    sequence_once(service)
    assert [advance(service, Tally(poison=3)) for _ in range(3)] == [3, 0, 0]
    assert tallies(service) == {"game_created": 1, "moved": 2}
    (status,) = statuses(service)
    assert (status.name, status.next_idx, status.behind) == ("tally", 3, 2)
    assert status.poison == "ValueError: this one chokes me"
    assert advance(service, Tally()) == 0
    assert [resume(service, "tally"), resume(service, "tally")] == [True, False]
    assert advance(service, Tally()) == 2
    assert tallies(service) == {"game_created": 1, "moved": 4}


def test_an_entry_that_the_database_refuses_is_poison_too(event_store: PostgresStore, service: Connection) -> None:
    class Wrong(Tally):
        def apply(self, connection: Connection, entries: Sequence[Any]) -> None:
            super().apply(connection, entries)
            if any(entry.idx == 2 for entry in entries):
                connection.execute("INSERT INTO tallies VALUES (NULL, NULL)")

    start_game(event_store, moves=4)
    sequence_once(service)
    assert advance(service, Wrong()) == 2
    assert "NotNullViolation" in str(statuses(service)[0].poison)
    assert sum(tallies(service).values()) == 2


def test_an_event_of_a_newer_program_is_waited_for_not_parked(
    event_store: PostgresStore, service: Connection, database: str
) -> None:
    stream, head = start_game(event_store)
    (event,) = next_move(stream, head)
    newer = event._replace(body=event.body.replace(b'"shape":1', b'"shape":2'))
    event_store.append(stream, 1, [newer])
    sequence_once(service)
    assert [advance(service, Tally()) for _ in range(2)] == [1, 0]
    (status,) = statuses(service)
    assert (status.poison, status.behind) == (None, 1)


def test_an_event_that_cannot_be_read_is_poison(event_store: PostgresStore, service: Connection) -> None:
    stream, head = start_game(event_store)
    (event,) = next_move(stream, head)
    event_store.append(stream, 1, [event._replace(body=b"{}")])
    sequence_once(service)
    assert advance(service, Tally()) == 1
    assert "KeyError" in str(statuses(service)[0].poison)


@pytest.mark.parametrize("fault", [AssertionError, RecursionError, ZeroDivisionError])
def test_fault_of_the_program_parks_its_read_model_alone(
    event_store: PostgresStore, service: Connection, fault: type[Exception]
) -> None:
    start_game(event_store)
    sequence_once(service)
    assert advance(service, Tally(poison=0, fault=fault)) == 0
    assert statuses(service)[0].poison == f"{fault.__name__}: this one chokes me"


def test_rows_of_another_version_wait_for_a_rebuild(event_store: PostgresStore, service: Connection) -> None:
    start_game(event_store)
    sequence_once(service)
    advance(service, Tally(version=1))
    start_game(event_store)
    sequence_once(service)
    assert advance(service, Tally(version=2)) == 0
    assert advance(service, Tally(version=1)) == 1


def test_lag_is_told_in_entries_and_seconds(event_store: PostgresStore, service: Connection) -> None:
    start_game(event_store, moves=3)
    sequence_once(service)
    advance(service, Tally(), most=1)
    (status,) = statuses(service)
    assert (status.next_idx, status.behind, status.shadow) == (1, 3, False)
    assert status.seconds != 0.0
    advance(service, Tally())
    (status,) = statuses(service)
    assert (status.behind, status.seconds) == (0, 0.0)


def test_a_projection_that_is_level_still_gives_signs_of_life(event_store: PostgresStore, service: Connection) -> None:
    advance(service, Tally())
    service.execute("UPDATE projections SET seen = seen - interval '1 hour'")
    before = statuses(service)[0].seen
    advance(service, Tally())
    assert statuses(service)[0].seen > before


def test_the_directory_of_streams_knows_every_stream(event_store: PostgresStore, service: Connection) -> None:
    heads = dict(start_game(event_store, moves=moves) for moves in range(3))
    sequence_once(service)
    while advance_all(service):
        pass
    rows = service.execute("SELECT stream, kind, version, head, last_kind, last_at - started FROM streams").fetchall()
    assert {stream: Head(version, bytes(head)) for stream, _, version, head, _, _ in rows} == heads
    assert {kind for _, kind, *_ in rows} == {"game"}
    assert sorted((last, age) for *_, last, age in rows) == [("game_created", 0), ("moved", 1), ("moved", 2)]


def test_read_models_are_listed_by_name() -> None:
    assert isinstance(READ_MODELS["streams"], Streams)

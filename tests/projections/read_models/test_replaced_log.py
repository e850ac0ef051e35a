"""Read models that have read events that are no more: noticed and built again, or parked before the gap."""

from collections.abc import Iterator
from uuid import UUID

import pytest
from psycopg import Connection

from events.chain import link
from events.event import START, Event
from events.store.connections import connect
from events.store.postgres import head, write
from projections.read_models.projector import statuses
from projections.read_models.rebuild import rebuild
from projections.read_models.registry import MODELS, advance_all
from tests.support.events.filled_store import aborted, created, ignoring_guards, resigned, sequence, stream_of


@pytest.fixture
def service(database: str) -> Iterator[Connection]:
    """A connection in the service's role."""
    with connect(database) as connection:
        yield connection


def begun(connection: Connection, number: int) -> UUID:
    """A game with an event after its first."""
    write(connection, link(stream_of(number), START, [created(), resigned()]), None, b"", ())
    sequence(connection)
    return stream_of(number)


def ended(connection: Connection, stream: UUID) -> tuple[Event, ...]:
    events = link(stream, head(connection, stream), [aborted()])
    write(connection, events, None, b"", ())
    sequence(connection)
    return events


def lose(database: str, from_index: int, *tables: str) -> None:
    """Takes entries out of the log, with their events."""
    with ignoring_guards(database) as administrator:
        lost = "DELETE FROM events USING log WHERE events.stream = log.stream AND events.seq = log.seq AND idx >= %s"
        administrator.execute(lost, (from_index,))
        for table in tables:
            administrator.execute(f"DELETE FROM {table} WHERE idx >= %s".encode(), (from_index,))


def level(connection: Connection) -> bool:
    """Whether every read model has read exactly the log."""
    return all(status.behind == 0 for status in statuses(connection))


def assert_follows_from_the_log(connection: Connection) -> None:
    while advance_all(connection):
        pass
    assert level(connection)
    for model in MODELS:  # raises ProjectionDiffers
        assert rebuild(connection, model, lambda _done, _size: None).compared


def test_a_shorter_log_is_noticed(service: Connection, database: str) -> None:
    stream = begun(service, 1)
    ended(service, stream)
    begun(service, 2)
    while advance_all(service):
        pass
    lose(database, 2, "log")
    assert_follows_from_the_log(service)


def test_another_log_of_the_same_length_is_noticed(service: Connection, database: str) -> None:
    stream = begun(service, 1)
    ended(service, stream)
    while advance_all(service):
        pass
    lose(database, 2, "log")
    other = link(stream, head(service, stream), [resigned(seat=1)])
    write(service, other, None, b"", ())
    sequence(service)
    assert level(service)  # by the numbers alone
    assert_follows_from_the_log(service)


def test_another_longer_log_is_noticed(service: Connection, database: str) -> None:
    stream = begun(service, 1)
    ended(service, stream)
    while advance_all(service):
        pass
    lose(database, 1, "log")
    for number in (2, 3):
        begun(service, number)
    assert_follows_from_the_log(service)


def test_a_model_stops_before_an_event_that_is_not_stored(service: Connection, database: str) -> None:
    stream = begun(service, 1)
    while advance_all(service):
        pass
    ended(service, stream)
    lose(database, 2)
    begun(service, 2)
    advance_all(service)
    assert {(status.next_idx, status.poison) for status in statuses(service)} == {
        (2, "the event of log index 2 is not stored")
    }

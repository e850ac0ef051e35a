"""Books and connections for the tests of the event store."""

from collections.abc import Iterator

import pytest
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.store.connections import connect, open_pool
from events.store.memory import MemoryStore
from events.store.postgres import PostgresStore
from events.store.protocol import EventStore


@pytest.fixture
def pool(database: str) -> Iterator[ConnectionPool[Connection]]:
    """Connections of the service to a database of this test's own."""
    with open_pool(database) as connections:
        yield connections


@pytest.fixture
def event_store(pool: ConnectionPool[Connection]) -> PostgresStore:
    """An empty event store in PostgreSQL."""
    return PostgresStore(pool)


@pytest.fixture
def service(database: str) -> Iterator[Connection]:
    """A connection in the service's role."""
    with connect(database) as connection:
        yield connection


@pytest.fixture(params=["postgresql", "memory"])
def any_book(request: pytest.FixtureRequest) -> EventStore:
    """An empty event store of each make."""
    if request.param == "memory":
        return MemoryStore()
    found: PostgresStore = request.getfixturevalue("event_store")
    return found

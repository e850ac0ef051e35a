"""Books and connections for the tests of the event store."""

from collections.abc import Iterator
from typing import Any

import pytest
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.store.connections import connect, open_pool
from events.store.memory import MemoryBook
from events.store.postgres import PostgresBook
from events.store.protocol import Book


@pytest.fixture
def pool(database: str) -> Iterator[ConnectionPool[Connection[Any]]]:
    """Connections of the service to a database of this test's own."""
    with open_pool(database) as connections:
        yield connections


@pytest.fixture
def book(pool: ConnectionPool[Connection[Any]]) -> PostgresBook:
    """An empty book in PostgreSQL."""
    return PostgresBook(pool)


@pytest.fixture
def service(database: str) -> Iterator[Connection[Any]]:
    """A connection in the service's role."""
    with connect(database) as connection:
        yield connection


@pytest.fixture(params=["postgresql", "memory"])
def any_book(request: pytest.FixtureRequest) -> Book:
    """An empty book of each make."""
    if request.param == "memory":
        return MemoryBook()
    found: PostgresBook = request.getfixturevalue("book")
    return found

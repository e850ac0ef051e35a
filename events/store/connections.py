"""Connections to PostgreSQL: the narrow role of the service, short transactions, low latency."""

import select
from collections.abc import Callable

import psycopg
from psycopg import Connection
from psycopg_pool import ConnectionPool

Connect = Callable[[], Connection]

SERVICE_ROLE = "cabildo_service"
TRANSACTION_TIMEOUT_SINCE = 170_000
SETTINGS = """
SELECT
    set_config('role', %(role)s, false),
    set_config('idle_in_transaction_session_timeout', '30s', false),
    set_config('default_transaction_isolation', 'read committed', false)
"""
LIMIT_TRANSACTIONS = "SELECT set_config('transaction_timeout', '300s', false)"
LIMIT_LOCKS = "SELECT set_config('lock_timeout', '5s', false)"  # a hung process may hold the lock of a row
RETRY_AFTER = 0.5  # seconds


def configure(connection: Connection) -> None:
    """Sets role and transaction mode of a fresh connection: no right to change events, no open transaction."""
    connection.autocommit = True
    connection.execute(SETTINGS, {"role": SERVICE_ROLE})
    if connection.info.server_version >= TRANSACTION_TIMEOUT_SINCE:
        connection.execute(LIMIT_TRANSACTIONS)


def configure_pooled(connection: Connection) -> None:
    """Sets a fresh connection of a pool, whose statements give up waiting for a lock."""
    configure(connection)
    connection.execute(LIMIT_LOCKS)


def connect(url: str) -> Connection:
    """Returns a single connection, for listening and for processes with one thread."""
    connection = psycopg.connect(url, autocommit=True)
    configure(connection)
    return connection


def open_pool(url: str, size: int = 8, timeout: float = 5.0) -> ConnectionPool[Connection]:
    """Returns the connection pool that the threads of a process share."""
    return ConnectionPool(
        url, min_size=1, max_size=size, configure=configure_pooled, check=check_idle, timeout=timeout, open=True
    )


def check_idle(connection: Connection) -> None:
    """Checks a connection only when bytes are waiting: a connection closed by the server has some."""
    waiting = select.poll()  # select() knows no descriptor above 1023
    waiting.register(connection, select.POLLIN)
    if waiting.poll(0):
        ConnectionPool.check_connection(connection)

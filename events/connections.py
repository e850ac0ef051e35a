"""Connections to PostgreSQL as the service uses them: its narrow role, short transactions, answers at once."""

import select
from typing import Any

import psycopg
from psycopg import Connection
from psycopg_pool import ConnectionPool

SERVICE_ROLE = "cabildo_service"
TRANSACTION_TIMEOUT_SINCE = 170_000
SETTINGS = """
SELECT
    set_config('role', %(role)s, false),
    set_config('idle_in_transaction_session_timeout', '30s', false)
"""
LIMIT_TRANSACTIONS = "SELECT set_config('transaction_timeout', '300s', false)"


def configure(connection: Connection[Any]) -> None:
    """Make a fresh connection the service's: no right to change what happened, no transaction left open."""
    connection.autocommit = True
    connection.execute(SETTINGS, {"role": SERVICE_ROLE})
    if connection.info.server_version >= TRANSACTION_TIMEOUT_SINCE:
        connection.execute(LIMIT_TRANSACTIONS)


def connect(url: str) -> Connection[Any]:
    """One connection of the service's own, for listening and for processes with a single thread."""
    connection = psycopg.connect(url, autocommit=True)
    configure(connection)
    return connection


def open_pool(url: str, size: int = 8) -> ConnectionPool[Connection[Any]]:
    """The connections that the threads of a process share."""
    return ConnectionPool(url, min_size=1, max_size=size, configure=configure, check=check_idle, timeout=5, open=True)


def check_idle(connection: Connection[Any]) -> None:
    """Ask the server, but only where something waits to be read: an idle connection that was closed looks so."""
    if select.select([connection], [], [], 0)[0]:
        ConnectionPool.check_connection(connection)

"""What an error of PostgreSQL means for a write: another writer was faster, or the connection failed."""

from typing import Final

import psycopg

CONFLICTS: Final = ("CAB01", "CAB06")  # another history or version; a used key
SERVER_ENDS: Final = "57P"


def is_broken(problem: psycopg.DatabaseError) -> bool:
    """Returns whether the connection failed, not the statement."""
    server_says = problem.sqlstate or SERVER_ENDS
    return isinstance(problem, psycopg.OperationalError) and server_says.startswith(SERVER_ENDS)


def is_conflict(problem: psycopg.DatabaseError) -> bool:
    """Returns whether another writer wrote this version, or used this key, before."""
    return problem.sqlstate in CONFLICTS

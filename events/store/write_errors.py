"""What an error of PostgreSQL means for a write: another writer was faster, or the connection failed."""

from typing import Final

import psycopg

CONFLICTS: Final = ("CAB01", "CAB06")  # another history or version; a used key
SERVER_ENDS: Final = "57P"
NODE_AWAY: Final = "08"  # of a cluster: its coordinator reaches another server no more
NODE_LOST: Final = ("failure on connection", "server closed the connection")  # in mid-statement: internal errors


def is_broken(problem: psycopg.DatabaseError) -> bool:
    """Returns whether a connection failed, not the statement: ours, or one between the servers of a cluster."""
    if isinstance(problem, psycopg.OperationalError):
        return (problem.sqlstate or SERVER_ENDS).startswith((SERVER_ENDS, NODE_AWAY))
    return isinstance(problem, psycopg.errors.InternalError_) and any(lost in str(problem) for lost in NODE_LOST)


def is_conflict(problem: psycopg.DatabaseError) -> bool:
    """Returns whether another writer wrote this version, or used this key, before."""
    return problem.sqlstate in CONFLICTS

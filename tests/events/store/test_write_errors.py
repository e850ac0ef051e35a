"""What errors of PostgreSQL mean for a write."""

import psycopg
import pytest
from psycopg import errors

from events.store.write_errors import is_broken
from projections.read_models.projector import POISON

LOST = "failure on connection marked as essential: 127.0.0.1:5432"


@pytest.mark.parametrize(
    ("problem", "broken"),
    [
        (psycopg.OperationalError("the connection is closed"), True),
        (errors.AdminShutdown("terminating connection"), True),
        (errors.ConnectionFailure("connection to the remote node failed"), True),
        (errors.InternalError_(LOST), True),
        (errors.InternalError_("server closed the connection unexpectedly"), True),
        (errors.InternalError_("cache lookup failed"), False),
        (errors.DeadlockDetected("deadlock detected"), False),
        (errors.LockNotAvailable("canceling statement due to lock timeout"), False),
        (errors.UniqueViolation("duplicate key"), False),
    ],
    ids=lambda value: type(value).__name__ + str(value)[:7] if isinstance(value, Exception) else str(value),
)
def test_a_lost_server_of_a_cluster_is_a_broken_connection(problem: psycopg.DatabaseError, *, broken: bool) -> None:
    assert is_broken(problem) is broken


def test_a_lost_server_of_a_cluster_parks_no_read_model() -> None:
    assert not issubclass(errors.InternalError_, POISON)
    assert not issubclass(errors.ConnectionFailure, POISON)

"""Finds locks that end with their own statement, because no transaction is open: they hold nothing back."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final

import pytest
from psycopg import Cursor
from psycopg.pq import TransactionStatus

LOCKING: Final = re.compile(r"\A\s*SELECT\b.*(\bFOR (NO KEY )?UPDATE\b|\bFOR (KEY )?SHARE\b|_xact_lock)", re.DOTALL)


@contextmanager
def locks_last() -> Iterator[None]:
    """Lets a test fail that locks something by a statement of its own outside of a transaction."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cursor, "execute", _checked(Cursor.execute))
        yield


def _checked(execute: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(execute)
    def checked(cursor: Cursor, query: object, *given: Any, **more: Any) -> Any:
        if isinstance(query, str) and LOCKING.match(query):
            info = cursor.connection.info
            alone = cursor.connection.autocommit and info.transaction_status is TransactionStatus.IDLE
            assert not alone, f"this lock ends with its statement, as no transaction is open: {query}"
        return execute(cursor, query, *given, **more)

    return checked

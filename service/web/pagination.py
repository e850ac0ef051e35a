"""Pagination of lists: conditions of queries, cursors and pages."""

import base64
import binascii
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, LiteralString, NamedTuple, TypeVar
from uuid import UUID

from service.core.errors import InvalidRequest

Row = TypeVar("Row", bound=Mapping[str, Any])


class Cursor(NamedTuple):
    """The last row of a page."""

    at: int
    id: UUID

    def text(self) -> str:
        """Returns the opaque text that clients send back."""
        return base64.urlsafe_b64encode(f"{self.at}:{self.id}".encode()).decode().rstrip("=")


def read_cursor(text: str) -> Cursor:
    """Parses a cursor; raises InvalidRequest for a text that is none."""
    try:
        at, _, id = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().partition(":")
        return Cursor(min(int(at), 2**62), UUID(id))
    except (binascii.Error, ValueError) as unreadable:
        raise InvalidRequest({"query": {"after": ["is not a cursor of an earlier answer"]}}) from unreadable


class Page(NamedTuple, Generic[Row]):
    """Rows of a page and the cursor of the next one; None on the last page."""

    rows: Sequence[Row]
    next: str | None


def page(found: Sequence[Row], limit: int, end: Callable[[Row], Cursor]) -> Page[Row]:
    """Returns a page; `found` holds one row more than the limit when there is a next page."""
    rows = found[:limit]
    return Page(rows, end(rows[-1]).text() if len(found) > limit else None)


def with_conditions(
    select: LiteralString, conditions: Mapping[str, LiteralString], named: Collection[str]
) -> LiteralString:
    """Returns a query with the condition of each given parameter appended."""
    query: LiteralString = select
    for name, condition in conditions.items():
        if name in named:
            query = query + " AND " + condition
    return query

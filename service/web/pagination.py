"""Lists that go on page after page: what is asked of their rows, where a page ends, and where the next one begins."""

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
        """As clients hand it back, without looking into it."""
        return base64.urlsafe_b64encode(f"{self.at}:{self.id}".encode()).decode().rstrip("=")


def read_cursor(text: str) -> Cursor:
    """The cursor of a text; refuses with InvalidRequest what was not handed out."""
    try:
        at, _, id = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().partition(":")
        return Cursor(min(int(at), 2**62), UUID(id))
    except (binascii.Error, ValueError) as unreadable:
        raise InvalidRequest({"query": {"after": ["is not a cursor that was handed out"]}}) from unreadable


class Page(NamedTuple, Generic[Row]):
    """Some rows, and the cursor of those that follow; None: there are no more."""

    rows: Sequence[Row]
    next: str | None


def page(found: Sequence[Row], limit: int, end: Callable[[Row], Cursor]) -> Page[Row]:
    """The page of a list of which one row more than the limit was asked for."""
    rows = found[:limit]
    return Page(rows, end(rows[-1]).text() if len(found) > limit else None)


def with_conditions(
    select: LiteralString, conditions: Mapping[str, LiteralString], named: Collection[str]
) -> LiteralString:
    """A query with a condition more for each parameter that is named."""
    query: LiteralString = select
    for name, condition in conditions.items():
        if name in named:
            query = query + " AND " + condition
    return query

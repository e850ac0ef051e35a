"""The days away that a player has in a calendar year, and how many of them vacations use."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple

from projections.games.clocks import SECOND

DAY: Final = 86_400 * SECOND
DAYS_IN_YEAR: Final = 30  # days away of a player in each calendar year, in UTC


class Span(NamedTuple):
    """A time from `since` to `until`, in microseconds."""

    since: int
    until: int


def used_by_year(spans: Iterable[Span], least: int = 0) -> dict[int, int]:
    """Returns the time that spans take of each calendar year; a span takes at least so much of its first year."""
    used: dict[int, int] = {}
    for span in spans:
        counted = span._replace(until=max(span.until, span.since + least))
        for year, taken in _by_year(counted):
            used[year] = used.get(year, 0) + taken
    return used


def _by_year(span: Span) -> Iterator[tuple[int, int]]:
    since = span.since
    while since < span.until:
        year = datetime.fromtimestamp(since // SECOND, UTC).year
        following = int(datetime(year + 1, 1, 1, tzinfo=UTC).timestamp()) * SECOND
        end = min(span.until, following)
        yield year, end - since
        since = end

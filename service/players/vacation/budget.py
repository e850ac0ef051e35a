"""The days away that a player may declare, and whether they fit those of the year."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from projections.games.away_budget import DAY, DAYS_IN_YEAR, Span, used_by_year
from service.core.clock import SECOND
from service.players.vacation.errors import VacationRefused

LATEST: Final = 365 * DAY  # how far ahead days away may begin
KEPT: Final = 2 * 366 * DAY  # how long rows of past days away are kept


def check(own: Sequence[Span], new: Span, now: int) -> None:
    """Raises VacationRefused for days away that do not fit; each time away takes at least a day of its year."""
    if any(span.until > now for span in own):
        raise VacationRefused("declared", "you have declared days away already; end them first")
    if not now <= new.since <= now + LATEST:
        raise VacationRefused("since", "days away begin now or within a year")
    for year, used in used_by_year([*own, new], DAY).items():
        if used > DAYS_IN_YEAR * DAY and used > used_by_year(own, DAY).get(year, 0):
            raise VacationRefused("budget", "{days} days of {year} are left", days=days_left(own, year), year=year)


def days_left(own: Sequence[Span], year: int) -> int:
    """Returns how many whole days away of a year are left."""
    return max(0, DAYS_IN_YEAR * DAY - used_by_year(own, DAY).get(year, 0)) // DAY


def year_of(at: int) -> int:
    """Returns the calendar year of a time, in UTC."""
    return datetime.fromtimestamp(at // SECOND, UTC).year

"""The own days away as clients and the account's page read them."""

from collections.abc import Sequence

from projections.games.away_budget import DAYS_IN_YEAR, Span
from service.core.clock import iso_time
from service.players.vacation.budget import days_left, year_of
from service.players.vacation.schemas import VacationSummary


def vacation_document(own: Sequence[Span], now: int) -> VacationSummary:
    """Returns the days away that are on or planned, and how many of this year are left."""
    current = next((span for span in own if span.until > now), None)
    return {
        "days_in_year": DAYS_IN_YEAR,
        "days_left": days_left(own, year_of(now)),
        "since": None if current is None else iso_time(current.since),
        "until": None if current is None else iso_time(current.until),
        "away": current is not None and current.since <= now,
    }

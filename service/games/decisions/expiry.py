"""Expiry of open tables that nobody joins: announced to the host, then aborted; whoever joins prevents it."""

from typing import Final

from projections.games.record import OPEN
from service.core.clock import SECOND
from service.games.decisions import endings
from service.games.game_state import GameUnitOfWork

DAY: Final = 86_400 * SECOND
NOTICE: Final = 2 * DAY  # from the announcement to the end; of a shorter life, half


def notice(days: int) -> int:
    """Returns the time between the announcement and the end of a table that lives so many days."""
    return min(NOTICE, days * DAY // 2)


def announce(unit: GameUnitOfWork, days: int) -> None:
    """Announce when an idle table will be removed; a table that has changed since is left alone."""
    record = unit.record
    idle = record.status == OPEN and record.deadline is None and record.tournament is None
    if idle and record.changed + days * DAY - notice(days) <= unit.at:
        unit.write("expiry_announced", expires=unit.at + notice(days))


def expire(unit: GameUnitOfWork) -> None:
    """Abort a table whose announced time has come."""
    endings.abort(unit, "expired")

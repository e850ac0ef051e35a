"""Quiet hours: when they end, in the time zone of the player."""

from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from service.core.clock import SECOND
from service.players.preferences.values import Telling

HOUR: Final = 3_600 * SECOND
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)


def end_of_quiet(telling: Telling, now: int) -> int | None:
    """Returns when the quiet hours end that it is now; None outside of them."""
    quiet = telling.quiet
    if quiet is None or quiet.begin == quiet.end:
        return None
    local = (EPOCH + now * MICROSECOND).astimezone(_zone(telling.zone))
    minute = local.hour * 60 + local.minute
    into = (minute - quiet.begin) % (24 * 60)
    if into >= (quiet.end - quiet.begin) % (24 * 60):
        return None
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    days = 1 if quiet.end <= minute else 0
    end = midnight.replace(tzinfo=None) + timedelta(days=days, minutes=quiet.end)  # by the clock on the wall
    ends = (end.replace(tzinfo=local.tzinfo, fold=fold) for fold in (0, 1))  # the second, in an hour that comes twice
    return next((at for one in ends if (at := (one.astimezone(UTC) - EPOCH) // MICROSECOND) > now), None)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # removed from the tables since it was chosen
        return ZoneInfo("UTC")

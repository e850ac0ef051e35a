"""Applies time to games: flags, deadlines, and no charge for time without a keeper."""

from collections.abc import Mapping, Sequence
from typing import Final

from projections.games.away_budget import Span
from projections.games.clocks import NONE, without_outage
from projections.games.no_shows import never_came
from projections.games.record import BOT, OPEN, RUNNING, GameRecord
from service.core.outages import Outage
from service.games.decisions import endings, expiry, game_start, pauses
from service.games.game_state import GameUnitOfWork

FORFEIT: Final = "forfeit"
NOBODY: Final[Mapping[str, Span]] = {}


def charged_until(record: GameRecord) -> int | None:
    """Returns the time after which outages are not stated in the game's events; None while no clock runs."""
    clocks = record.clocks
    return None if clocks.seat is None or clocks.setting.kind == NONE else max(clocks.since, record.changed)


def is_due(record: GameRecord, outages: Sequence[Outage], away: Mapping[str, Span], now: int) -> bool:
    """Returns whether a deadline or the end of a pause has passed, or an outage or days away need stating."""
    if any(end is not None and end <= now for end in (record.deadline, record.next_end)):
        return True
    return bool(_parts(record, outages)) or pauses.is_away_due(record, away)


def without_outages(record: GameRecord, outages: Sequence[Outage]) -> GameRecord:
    """Returns the record with the clock as it stands once events state these outages."""
    clocks = record.clocks
    for part in _parts(record, outages):
        clocks = without_outage(clocks, part.since, part.until)
    return record._replace(clocks=clocks)


def settle(unit: GameUnitOfWork, outages: Sequence[Outage], away: Mapping[str, Span] = NOBODY) -> None:
    """Append the due events: the outages, once each, the ends of pauses, days away, and the passed deadline.

    `away` holds the days away that are on now, by player.
    """
    for part, outage in zip(_parts(unit.record, outages), outages, strict=True):
        unit.write("service_was_away", since=part.since, until=part.until, outage=outage.since)
    if unit.record.status == RUNNING:
        pauses.end_due(unit)
        pauses.keep_away(unit, away)
    deadline = unit.record.deadline
    if deadline is None or deadline > unit.at:
        return
    if unit.record.status == OPEN and unit.record.expires is not None:
        expiry.expire(unit)
    elif unit.record.status == OPEN:
        game_start.stop_waiting(unit)
    elif unit.record.status == RUNNING:
        _fall(unit, deadline)


def _parts(record: GameRecord, outages: Sequence[Outage]) -> list[Outage]:
    """Returns the parts of outages that the running clock is not charged for."""
    begin = charged_until(record)
    if begin is None:
        return []
    return [Outage(max(outage.since, begin), outage.until) for outage in outages]


def _fall(unit: GameUnitOfWork, deadline: int) -> None:
    seat = unit.record.clocks.seat
    assert seat is not None, "a deadline is somebody's"
    absent = {"absent": True} if unit.record.tournament is not None and never_came(unit.history(), seat) else {}
    unit.write("flag_fell", seat=seat, deadline=deadline, **consequence(unit.record), **absent)
    endings.end_if_over(unit)


def consequence(record: GameRecord) -> dict[str, str]:
    """Returns the consequence for a departed player, as the game's option says: forfeit or a stand-in bot."""
    if record.leaver == FORFEIT:
        return {"consequence": FORFEIT, "stand_in": endings.STAND_IN}
    return {"consequence": "bot", "stand_in": record.leaver.removeprefix(BOT)}

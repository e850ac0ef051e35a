"""Applies time to games: flags, deadlines, and no charge for time without a keeper."""

from typing import Final

from projections.games.clocks import NONE
from projections.games.no_shows import never_came
from projections.games.record import BOT, OPEN, RUNNING, GameRecord
from service.core.clock import SECOND
from service.games.decisions import endings, game_start
from service.games.game_state import GameUnitOfWork

GRACE: Final = 15 * SECOND  # a keeper seen longer ago than this counts as absent
FORFEIT: Final = "forfeit"


def away(record: GameRecord, seen: int | None, now: int) -> tuple[int, int] | None:
    """Returns the span in which no keeper watched the running clock; None without such a span."""
    clocks = record.clocks
    if clocks.seat is None or clocks.setting.kind == NONE or seen is None or now - seen <= GRACE:
        return None
    since = max(seen, clocks.since, record.changed)  # earlier time is recorded already
    return (since, now) if since < now else None


def is_due(record: GameRecord, seen: int | None, now: int) -> bool:
    """Returns whether a deadline has passed or a keeper's absence needs recording."""
    return (record.deadline is not None and record.deadline <= now) or away(record, seen, now) is not None


def settle(act: GameUnitOfWork, seen: int | None) -> None:
    """Append the due events: first the absence of the keeper, then the passed deadline."""
    gap = away(act.record, seen, act.at)
    if gap is not None:
        act.write("service_was_away", since=gap[0], until=gap[1])
    deadline = act.record.deadline
    if deadline is None or deadline > act.at:
        return
    if act.record.status == OPEN:
        game_start.stop_waiting(act)
    elif act.record.status == RUNNING:
        _fall(act, deadline)


def _fall(act: GameUnitOfWork, deadline: int) -> None:
    seat = act.record.clocks.seat
    assert seat is not None, "a deadline is somebody's"
    absent = {"absent": True} if act.record.tournament is not None and never_came(act.history(), seat) else {}
    act.write("flag_fell", seat=seat, deadline=deadline, **consequence(act.record), **absent)
    endings.end_if_over(act)


def consequence(record: GameRecord) -> dict[str, str]:
    """Returns the consequence for a departed player, as the game's option says: forfeit or a stand-in bot."""
    if record.leaver == FORFEIT:
        return {"consequence": FORFEIT, "stand_in": endings.STAND_IN}
    return {"consequence": "bot", "stand_in": record.leaver.removeprefix(BOT)}

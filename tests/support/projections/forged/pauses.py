"""Forged pauses and days away: clocks that stop although nobody agreed, or for longer than anybody may be away."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from projections.games.away_budget import DAY, Span
from projections.games.clocks import SECOND, TimeControl
from service.games.decisions import clocks, end_early, pauses
from tests.support.projections.forged.tools import (
    NO_WITNESSES,
    Claim,
    evening,
    inserted,
    kind_is,
    next_move,
    player_of,
    put,
    retold,
    seq_of,
    short,
    to_act,
)
from tests.support.projections.played_games import SEATED, Evening
from tests.support.projections.rewritten_history import BANK, Body, changed_at, renumbered

HOUR = 3600
SLOW = TimeControl("bank", 3 * 86_400, 60)


def agree_on_pause(made: Evening) -> None:
    first, second = (made.table.known.order.index(chair) for chair in range(2))
    made.let(SEATED[0], partial(pauses.propose, seat=first, seconds=HOUR))
    made.let(SEATED[1], partial(end_early.answer, seat=second, agrees=True))


def resume(made: Evening) -> None:
    made.let(SEATED[0], partial(pauses.resume, seat=made.table.known.order.index(0)))


def end_by_time(made: Evening) -> None:
    made.let("service", partial(clocks.settle, outages=[]), after=HOUR * SECOND)


def be_away(made: Evening) -> None:
    away = {player_of(made, to_act(made)): Span(made.now, made.now + 5 * DAY)}
    made.let("service", partial(clocks.settle, outages=[], away=away))


def come_back(made: Evening) -> None:
    made.let("service", partial(clocks.settle, outages=[]))


def paused() -> tuple[Body, ...]:
    return evening(agree_on_pause, next_move, resume, next_move, clock=BANK)


def away() -> tuple[Body, ...]:
    return evening(be_away, next_move, clock=SLOW)


def changed(made: Callable[[], Sequence[Body]], kind: str, **change: Callable[[Any], Any]) -> bytes:
    """A game with other data of an event: each field is made from the one that was there."""
    told = made()
    seq = seq_of(kind, told)
    data = told[seq - 1]["data"]
    return retold(changed_at(told, seq, **{field: make(data[field]) for field, make in change.items()}))


def without_consent() -> bytes:
    return retold(renumbered([body for body in paused() if not kind_is("offer_answered", body)]))


def again(made: Callable[[], Sequence[Body]], kind: str, **data: Any) -> bytes:
    """The event happens a second time at once."""
    told = made()
    seq = seq_of(kind, told)
    event = told[seq - 1]
    return retold(inserted(told, seq, kind, event["actor"], **{**event["data"], **data}))


def ended_before_its_time() -> bytes:
    told = evening(agree_on_pause, end_by_time, clock=BANK)
    seq = seq_of("clock_resumed", told)
    return retold(put(told, seq, at=told[seq - 1]["at"] - 10 * SECOND))


def put_in(told: Sequence[Body], kind: str, **data: Any) -> bytes:
    return retold(inserted(told, len(told), kind, **data))


def of_seat_to_act(told: Sequence[Body], *, days: int = 1, since: int = 0) -> dict[str, int]:
    newest = told[-1]
    begin = newest["at"] + since
    return {"seat": newest["data"]["turn"]["seat"], "since": begin, "until": begin + days * DAY}


def rescued() -> bytes:
    """The player to move is away only after the flag should have fallen."""
    told = evening(clock=SLOW)
    late = put(told, len(told), at=told[-1]["at"])
    gone = inserted(late, len(late), "away_began", **of_seat_to_act(told, since=4 * DAY))
    return retold(put(gone, len(gone), at=told[-1]["at"] + 4 * DAY))


SLOW_GAME = partial(evening, clock=SLOW)
PAUSES: tuple[Claim, ...] = (
    Claim("pauses without consent", without_consent, "V9", "pause_not_agreed"),
    Claim(
        "pauses for longer than was agreed",
        partial(changed, paused, "clock_paused", until=lambda until: until + SECOND),
        "V9",
        "pause_not_agreed",
    ),
    Claim("pauses twice", partial(again, paused, "clock_paused"), "V9", "paused_twice"),
    Claim("resumes what is not paused", partial(again, paused, "clock_resumed"), "V9", "no_pause"),
    Claim("ends a pause before its time", ended_before_its_time, "V9", "no_pause"),
    Claim(
        "stops a clock of a game without one",
        lambda: put_in(short(), "away_began", **of_seat_to_act(short())),
        "V9",
        "no_pauses",
    ),
    Claim(
        "stops a fast clock for days away",
        lambda: put_in(evening(clock=BANK), "away_began", **of_seat_to_act(evening(clock=BANK))),
        "V9",
        "not_away",
    ),
    Claim("is away twice at once", partial(again, away, "away_began"), "V9", "not_away"),
    Claim(
        "is away from before the last move on",
        lambda: put_in(SLOW_GAME(), "away_began", **of_seat_to_act(SLOW_GAME(), since=-1)),
        "V9",
        "not_away",
    ),
    Claim("comes back without having been away", lambda: put_in(SLOW_GAME(), "away_ended", seat=0), "V9", "not_away"),
    Claim("is away when the flag should have fallen", rescued, "V9", "overtime", policy=NO_WITNESSES),
    Claim(
        "is away for more than the days of a year",
        partial(changed, away, "away_began", until=lambda until: until + 27 * DAY),
        "V9",
        "over_budget",
    ),
)
AWAY = Claim(
    "says that a player is away", lambda: retold(evening(be_away, come_back, clock=SLOW)), "V9", "players_away"
)

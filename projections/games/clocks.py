"""Clocks of a game, computed from recorded times alone: the time of each seat, and when its flag falls."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from events.json_types import Json

SECOND: Final = 1_000_000  # all times are microseconds
NONE, PER_MOVE, BANK = "none", "per_move", "bank"
SLOW: Final = 86_400  # seconds for a move, or in the bank: from then on days away stop the clock
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {  # the parameters of each kind of clock
    NONE: (),
    PER_MOVE: ("seconds",),
    BANK: ("seconds", "increment"),
}


class TimeControl(NamedTuple):
    """The time control of a game: no clocks, a time for each move, or a bank with an increment for each turn."""

    kind: str = NONE
    seconds: int = 0
    increment: int = 0

    @property
    def is_slow(self) -> bool:
        """Whether the clock stops while a player is away."""
        return self.kind != NONE and self.seconds >= SLOW

    def document(self) -> dict[str, Json]:
        """Returns the time control as events and clients have it."""
        return {"kind": self.kind, **{field: getattr(self, field) for field in FIELDS[self.kind]}}


class Clocks(NamedTuple):
    """The clocks of a running game. `seat` is the one whose clock runs (None: it stands).

    `since` is when the running clock began, moved on by the time in which it stood.
    """

    setting: TimeControl
    banks: tuple[int, ...] = ()
    seat: int | None = None
    since: int = 0
    paused_until: int = 0  # the end of an agreed pause; 0: none
    away: tuple[int, ...] = ()  # the end of the days away of each seat, 0 for none; empty: nobody has been away

    @property
    def deadline(self) -> int | None:
        """When the flag of the running clock falls, or None when none can fall."""
        if self.seat is None or self.setting.kind == NONE:
            return None
        return self.since + (self.setting.seconds * SECOND if self.setting.kind == PER_MOVE else self.banks[self.seat])

    @property
    def stands_until(self) -> int:
        """When the running clock goes on, in the past while it runs; 0: it has not stood."""
        return max(self.paused_until, 0 if self.seat is None else self.away_until(self.seat))

    @property
    def next_end(self) -> int | None:
        """When the next pause or days away of a seat end, or None."""
        return min((end for end in (self.paused_until, *self.away) if end), default=None)

    def away_until(self, seat: int) -> int:
        """Returns when the days away of a seat end; 0: its player is not away."""
        return self.away[seat] if self.away else 0

    def used(self, at: int) -> int:
        """Returns the time that the running clock has counted by then."""
        return max(at, self.stands_until) - self.since

    def ran_out(self, at: int) -> bool:
        """Returns whether a bank is overdrawn, or the running clock's flag has fallen by this time."""
        deadline = self.deadline
        return min(self.banks, default=0) < 0 or (deadline is not None and deadline <= at)

    def stated(self) -> dict[str, Json]:
        """Returns the banks and the start of the running clock for an event."""
        return {"banks": list(self.banks), "since": self.since}


def read_setting(document: Mapping[str, object]) -> TimeControl:
    """Parses the document of a time control."""
    kind = str(document.get("kind", NONE))
    return TimeControl(kind, **{field: int(str(document[field])) for field in FIELDS[kind]})


def initial_clocks(setting: TimeControl, seats: int) -> Clocks:
    """Returns the clocks before the game starts."""
    return Clocks(setting, (setting.seconds * SECOND,) * seats if setting.kind == BANK else ())


def after_action(clocks: Clocks, seat: int | None, at: int) -> Clocks:
    """Returns the clocks after an action: charges the time used and starts the clock of `seat` (None: none)."""
    begun = clocks._replace(banks=_banks(clocks, seat, at), seat=seat)
    return begun._replace(since=at if seat is None else max(at, begun.stands_until))


def without_outage(clocks: Clocks, begin: int, end: int) -> Clocks:
    """Returns the clocks without the time from `begin` to `end`, when the service was down."""
    counted_from = max(begin, clocks.since, clocks.stands_until)
    return clocks._replace(since=clocks.since + max(0, end - counted_from))


def paused(clocks: Clocks, until: int, at: int) -> Clocks:
    """Returns the clocks with an agreed pause until a time; 0 ends the pause."""
    return _standing(clocks, clocks._replace(paused_until=until), at)


def with_away(clocks: Clocks, seats: int, seat: int, until: int, at: int) -> Clocks:
    """Returns the clocks with a seat away from `at` until a time; 0 ends its days away."""
    ends = list(clocks.away or (0,) * seats)
    ends[seat] = until
    return _standing(clocks, clocks._replace(away=tuple(ends)), at)


def _standing(before: Clocks, after: Clocks, at: int) -> Clocks:
    """Returns the clocks whose running one stands longer or shorter from `at` on."""
    if before.seat is None:
        return after
    more = max(0, after.stands_until - at) - max(0, before.stands_until - at)
    return after._replace(since=before.since + more)


def _banks(clocks: Clocks, seat: int | None, at: int) -> tuple[int, ...]:
    if clocks.seat is None or clocks.setting.kind != BANK:
        return clocks.banks
    banks = list(clocks.banks)
    banks[clocks.seat] = max(0, banks[clocks.seat] - clocks.used(at))
    if seat != clocks.seat and clocks.stands_until <= at:  # for a turn, however many decisions; none while it stands
        banks[clocks.seat] += clocks.setting.increment * SECOND
    return tuple(banks)

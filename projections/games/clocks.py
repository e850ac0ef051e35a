"""Clocks of a game, computed from recorded times alone: the time of each seat, and when its flag falls."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from events.json_types import Json

SECOND: Final = 1_000_000  # all times are microseconds
NONE, PER_MOVE, BANK = "none", "per_move", "bank"
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

    def document(self) -> dict[str, Json]:
        """Returns the time control as events and clients have it."""
        return {"kind": self.kind, **{field: getattr(self, field) for field in FIELDS[self.kind]}}


class Clocks(NamedTuple):
    """The clocks of a running game. `seat` is the one whose clock runs (None: it stands), `since` when it began."""

    setting: TimeControl
    banks: tuple[int, ...] = ()
    seat: int | None = None
    since: int = 0

    @property
    def deadline(self) -> int | None:
        """When the flag of the running clock falls, or None when none can fall."""
        if self.seat is None or self.setting.kind == NONE:
            return None
        return self.since + (self.setting.seconds * SECOND if self.setting.kind == PER_MOVE else self.banks[self.seat])

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
    return clocks._replace(banks=_banks(clocks, seat, at), seat=seat, since=at)


def without_outage(clocks: Clocks, begin: int, end: int) -> Clocks:
    """Returns the clocks without the time from `begin` to `end`, when the service was down."""
    return clocks._replace(since=clocks.since + max(0, end - max(begin, clocks.since)))


def _banks(clocks: Clocks, seat: int | None, at: int) -> tuple[int, ...]:
    if clocks.seat is None or clocks.setting.kind != BANK:
        return clocks.banks
    banks = list(clocks.banks)
    banks[clocks.seat] = max(0, banks[clocks.seat] - (at - clocks.since))
    if seat != clocks.seat:  # the increment is for a turn, however many decisions it has
        banks[clocks.seat] += clocks.setting.increment * SECOND
    return tuple(banks)

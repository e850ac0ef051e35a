"""Time at the table, decided from recorded times alone: how long each seat has, and when its flag falls."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from events.json_types import Json, JsonObject

SECOND: Final = 1_000_000  # all times are microseconds
NONE, PER_MOVE, BANK = "none", "per_move", "bank"
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {  # what each kind of clock is set with
    NONE: (),
    PER_MOVE: ("seconds",),
    BANK: ("seconds", "increment"),
}


class TimeControl(NamedTuple):
    """How much time there is: none counted, so much for each move, or a bank with an increment for each turn."""

    kind: str = NONE
    seconds: int = 0
    increment: int = 0

    def document(self) -> dict[str, Json]:
        """Returns the setting as an event and a client have it."""
        return {"kind": self.kind, **{field: getattr(self, field) for field in FIELDS[self.kind]}}


class Clocks(NamedTuple):
    """The clocks of a running game. `seat` is the one whose clock runs (None: it stands), `since` when it began."""

    setting: TimeControl
    banks: tuple[int, ...] = ()
    seat: int | None = None
    since: int = 0

    @property
    def deadline(self) -> int | None:
        """When the flag of the running clock falls, or None when nobody's can."""
        if self.seat is None or self.setting.kind == NONE:
            return None
        return self.since + (self.setting.seconds * SECOND if self.setting.kind == PER_MOVE else self.banks[self.seat])

    def ran_out(self, at: int) -> bool:
        """Returns whether a bank is overdrawn, or the flag of the running clock has fallen by then."""
        deadline = self.deadline
        return min(self.banks, default=0) < 0 or (deadline is not None and deadline <= at)

    def stated(self) -> dict[str, Json]:
        """Returns the banks and the start of the running clock as an event states them."""
        return {"banks": list(self.banks), "since": self.since}


def read_setting(document: JsonObject) -> TimeControl:
    """Returns the setting of a document."""
    kind = str(document.get("kind", NONE))
    return TimeControl(kind, **{field: int(str(document[field])) for field in FIELDS[kind]})


def full(setting: TimeControl, seats: int) -> Clocks:
    """Returns the clocks before the game starts."""
    return Clocks(setting, (setting.seconds * SECOND,) * seats if setting.kind == BANK else ())


def passed(clocks: Clocks, seat: int | None, at: int) -> Clocks:
    """Somebody acted: the time used is charged, and the clock of `seat` runs (None: nobody's does)."""
    return clocks._replace(banks=_banks(clocks, seat, at), seat=seat, since=at)


def stood_still(clocks: Clocks, begin: int, end: int) -> Clocks:
    """Returns the service was away from `begin` to `end`: what of it fell on the running clock is not charged."""
    return clocks._replace(since=clocks.since + max(0, end - max(begin, clocks.since)))


def _banks(clocks: Clocks, seat: int | None, at: int) -> tuple[int, ...]:
    if clocks.seat is None or clocks.setting.kind != BANK:
        return clocks.banks
    banks = list(clocks.banks)
    banks[clocks.seat] = max(0, banks[clocks.seat] - (at - clocks.since))
    if seat != clocks.seat:  # the increment is for a turn, however many decisions it has
        banks[clocks.seat] += clocks.setting.increment * SECOND
    return tuple(banks)

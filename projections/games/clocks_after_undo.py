"""Clocks after an undo: those before the move, less the time since, which the undoing seat is charged."""

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any, NamedTuple

from projections.games.clocks import BANK, Clocks
from projections.games.event_views import DatedEventView
from projections.games.fold import fold
from projections.games.record import GameRecord
from projections.games.replay import CHANGES, returns_to


class _Moment(NamedTuple):
    """The clocks when a seat made a move."""

    at: int
    seat: int
    clocks: Clocks  # right before the move
    free: tuple[int, ...]
    added: tuple[int, ...]


class ClockHistory:
    """The clocks of a game at each of its moves, folded from its events."""

    def __init__(self, events: Iterable[DatedEventView] = (), record: GameRecord | None = None) -> None:
        self.record = record  # before these events, whose moves can then be undone
        self._line: list[int] = []  # the versions with a board that are not undone
        self._moments: dict[int, _Moment] = {}
        self._free: tuple[int, ...] = ()  # by seat: time that it is not charged for so far
        self._charged = 0  # until when time is charged, or counted as downtime
        self._added: tuple[int, ...] = ()  # time that directors have added to each bank so far
        for event in events:
            self.hear(event)

    def hear(self, event: DatedEventView) -> None:
        """Folds one more event."""
        before, data = self.record, event.data
        earlier = returns_to(event)
        if earlier is not None:
            del self._line[bisect_right(self._line, earlier) :]
        elif event.kind in CHANGES:
            self._line.append(event.seq)
        if before is not None:
            self._free = self._free_at(before, event.at)
        if before is not None and event.kind == "moved":
            seat = int(str(data["seat"]))
            self._moments[event.seq] = _Moment(event.at, seat, before.clocks, self._free, self._added)
        self.record = fold(before, event)
        if before is not None:
            self._note_given(before, self.record, event)
        if event.kind != "service_was_away":
            self._charged = event.at

    def _free_at(self, record: GameRecord, at: int) -> tuple[int, ...]:
        """Returns the free time of each seat by `at`: since the newest event, clocks may have stood."""
        so_far = self._free or (0,) * len(record.chairs)
        ends = _stands_until(record)
        return tuple(free + max(0, min(at, end) - record.changed) for free, end in zip(so_far, ends, strict=True))

    def _note_given(self, before: GameRecord, after: GameRecord, event: DatedEventView) -> None:
        """Adds time that no seat is charged for, and time that a director added."""
        data: Any = event.data
        if event.kind == "service_was_away":
            until = min(data["until"], event.at)
            self._add_free(before, max(data["since"], self._charged), until)
            self._charged = max(self._charged, until)
        elif event.kind == "history_lost":
            self._add_free(before, self._charged, event.at)
        elif event.kind == "away_began":
            away = [data["seat"]] if before.clocks.seat != data["seat"] else range(len(before.chairs))
            self._add_free(before, data["since"], event.at, away)
        elif event.kind == "clock_changed":
            so_far = self._added or (0,) * len(after.clocks.banks)
            changes = zip(so_far, after.clocks.banks, before.clocks.banks, strict=True)
            self._added = tuple(added + new - old for added, new, old in changes)

    def _add_free(self, before: GameRecord, since: int, until: int, seats: Iterable[int] | None = None) -> None:
        """Adds a time to the free time of seats (None: of all), without the part in which clocks stood anyway."""
        added = list(self._free)
        ends = _stands_until(before)
        for seat in range(len(added)) if seats is None else seats:
            added[seat] += max(0, until - max(since, ends[seat]))
        self._free = tuple(added)

    def after_undo(self, to: int, seat: int, at: int) -> Clocks | None:
        """Returns the clocks when `seat` undoes to version `to`, or None when no move was made since.

        The seat to move again has the time it had before its move. The time since that move is charged
        to the seat that undid, without the time in which clocks stood: on its running clock if it is to move, else
        from its bank. No increment.
        """
        following = bisect_right(self._line, to)
        moved = self._moments.get(self._line[following]) if following < len(self._line) else None
        if moved is None or self.record is None:
            return None
        clocks, free = moved.clocks, self._free_at(self.record, at)[seat] - moved.free[seat]
        used = clocks.used(moved.at) if clocks.seat == moved.seat else 0
        charge, banks = at - moved.at - free, self._banks(moved)
        if moved.seat == seat:
            used += charge
        elif clocks.setting.kind == BANK:
            banks[seat] -= charge
        now = self.record.clocks._replace(banks=tuple(banks), seat=moved.seat)
        return now._replace(since=max(at, now.stands_until) - used)

    def _banks(self, moved: _Moment) -> list[int]:
        """Returns the banks before a move, plus time that directors have added since."""
        none = (0,) * len(moved.clocks.banks)
        rows = zip(moved.clocks.banks, moved.added or none, self._added or none, strict=True)
        return [bank + now - then for bank, then, now in rows]


def _stands_until(record: GameRecord) -> list[int]:
    """Returns until when time is free for each seat: in a pause, on its own days away, on those of the seat to move."""
    clocks = record.clocks
    return [max(clocks.stands_until, clocks.away_until(seat)) for seat in range(len(record.chairs))]

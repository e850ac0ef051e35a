"""V9: pauses are agreed by all players, and days away keep to the budget of a year."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from events.event import Event
from projections.games.away_budget import DAY, DAYS_IN_YEAR, Span, used_by_year
from projections.games.clocks import NONE, SECOND
from projections.games.record import RUNNING, GameRecord
from projections.verify.checks.case import CheckFailed

PAUSE: Final = "pause"  # of an offer
LONGEST: Final = 2 * (DAYS_IN_YEAR + 1) * DAY  # the days of two years, around New Year
TOLERANCE: Final = DAY  # days away that ended while no keeper worked are recorded later than they ended

HEARD: Final = frozenset(("away_began", "away_ended", "player_replaced", "flag_fell", "resigned"))


@dataclass
class Pauses:
    """The days away of each player in a game so far, and the events that they began with."""

    away: dict[str, list[Span]] = field(default_factory=dict)
    seqs: list[int] = field(default_factory=list)
    moved: int = 0  # when something else than the beginning of days away happened last

    def check(self, record: GameRecord | None, event: Event) -> None:
        """Raises CheckFailed for a pause without consent, days away beyond the budget, or an end of neither."""
        if event.kind in _CHECKS:
            _CHECKS[event.kind](_running(record, event), event)
        if event.kind != "away_began":
            self.moved = event.at
        elif int(str(event.data["since"])) < self.moved:
            raise CheckFailed("not_away", "begins days away before the event in front of it", event.seq)
        if record is not None and event.kind in HEARD:
            self._note(record, event)

    def _note(self, record: GameRecord, event: Event) -> None:
        seat = int(str(event.data["seat"]))
        spans = self.away.setdefault(record.chair_at(seat).player or "", [])
        if event.kind == "away_began":
            self._begin(spans, event)
        elif record.clocks.away_until(seat) and spans:
            spans[-1] = spans[-1]._replace(until=min(spans[-1].until, event.at))

    def _begin(self, spans: list[Span], event: Event) -> None:
        data: Mapping[str, Any] = event.data
        self.seqs.append(event.seq)
        spans.append(Span(data["since"], data["until"]))
        if max(used_by_year(spans).values()) > DAYS_IN_YEAR * DAY + TOLERANCE:
            sentence = "lets a player be away for more than {days} days of a year"
            raise CheckFailed("over_budget", sentence, event.seq, days=DAYS_IN_YEAR)


def _check_paused(record: GameRecord, event: Event) -> None:
    data: Mapping[str, Any] = event.data
    offer = record.offer
    if record.clocks.paused_until:
        raise CheckFailed("paused_twice", "pauses a game that is paused", event.seq)
    agreed = offer is not None and offer.what == PAUSE and record.players_to_ask <= {*offer.agreed}
    if offer is None or not agreed or (data["seat"], tuple(data["agreed"])) != (offer.seat, offer.agreed):
        raise CheckFailed("pause_not_agreed", "pauses the game, and not everybody had agreed", event.seq)
    if offer.seconds is None or data["until"] != event.at + offer.seconds * SECOND:
        raise CheckFailed("pause_not_agreed", "pauses the game for another time than was agreed", event.seq)
    _check_in_time(record, event.at, event)


def _check_resumed(record: GameRecord, event: Event) -> None:
    until = record.clocks.paused_until
    if not until or (event.data["seat"] is None and event.at < until):
        raise CheckFailed("no_pause", "ends a pause that does not end here", event.seq)


def _check_began(record: GameRecord, event: Event) -> None:
    data: Mapping[str, Any] = event.data
    seat, since, until = data["seat"], data["since"], data["until"]
    if not record.clocks.setting.is_slow or record.chair_at(seat).engine is not None:
        raise CheckFailed("not_away", "stops a clock that days away do not stop", event.seq)
    if record.clocks.away_until(seat) or not since <= event.at < until <= event.at + LONGEST:
        raise CheckFailed("not_away", "begins days away at a time when they cannot begin", event.seq)
    if record.clocks.seat == seat:
        _check_in_time(record, since, event)


def _check_ended(record: GameRecord, event: Event) -> None:
    if not record.clocks.away_until(int(str(event.data["seat"]))):
        raise CheckFailed("not_away", "ends days away of a player who is not away", event.seq)


def _running(record: GameRecord | None, event: Event) -> GameRecord:
    """Returns the record of a running game whose clocks may stop; raises CheckFailed for others."""
    if record is None or record.status != RUNNING or record.clocks.setting.kind == NONE or not record.pauses:
        raise CheckFailed("no_pauses", "stops a clock in a game whose clocks never stop", event.seq)
    return record


def _check_in_time(record: GameRecord, at: int, event: Event) -> None:
    deadline = record.clocks.deadline
    if deadline is not None and at > deadline:
        raise CheckFailed("overtime", "stops a clock whose flag should have fallen", event.seq)


_CHECKS: Final[Mapping[str, Callable[[GameRecord, Event], None]]] = {
    "clock_paused": _check_paused,
    "clock_resumed": _check_resumed,
    "away_began": _check_began,
    "away_ended": _check_ended,
}

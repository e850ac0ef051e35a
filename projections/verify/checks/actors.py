"""V7: checks the actor of each event: players for their seats, bots for theirs, the importer of an import."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from events.event import Event
from projections.games.record import BOT, GameRecord
from projections.verify.checks.parted import Parted

SERVICE: Final = "service"
Data = Mapping[str, Any]


@dataclass
class Actors:
    """The players of each seat so far, and the events by players that had left their seats."""

    before: dict[int, set[str]] = field(default_factory=dict)  # the replaced players of a chair
    late: list[int] = field(default_factory=list)

    def check(self, record: GameRecord | None, event: Event) -> None:
        """Raises Parted for an event whose actor may not cause it; notes events by players that had left."""
        allowed = _ALLOWED.get(event.kind)
        if record is None or allowed is None:
            return
        actors = {record.host or event.actor, SERVICE} if record.imported else allowed(record, event.data)
        if event.actor not in actors and event.actor in self._left(record, event):
            self.late.append(event.seq)
        elif event.actor not in actors:
            sentence = "{kind} is not for {actor} to bring about at this moment"
            raise Parted(event.seq, "actor", sentence, kind=event.kind, actor=event.actor)

    def hear(self, record: GameRecord | None, event: Event) -> None:
        """Keeps the replaced player."""
        if record is not None and event.kind == "player_replaced":
            data: Data = event.data
            player = record.chair_at(data["seat"]).player
            self.before.setdefault(record.order[data["seat"]], set()).update([player] if player else [])

    def _left(self, record: GameRecord, event: Event) -> set[str]:
        """Returns the players that had left the seat of a move by then."""
        data: Data = event.data
        if event.kind != "moved":
            return set()
        chair = record.chair_at(data["seat"])
        gone = {chair.player} if chair.player and chair.engine is not None else set()
        return gone | self.before.get(record.order[data["seat"]], set())


def _of_seat(record: GameRecord, data: Data) -> set[str]:
    """Returns the actors that may move for a seat: its player, or its bot."""
    chair = record.chair_at(data["seat"])
    return {chair.player or SERVICE} if chair.engine is None else {f"{BOT}{chair.engine}", SERVICE}


def _seated(record: GameRecord, data: Data) -> set[str]:
    """Returns the player of a seat; the service for a disqualified player."""
    return {record.chair_at(data["seat"]).player or SERVICE, SERVICE}


def _offered(record: GameRecord, data: Data) -> set[str]:
    """Returns the player of the seat that made the open offer; empty when that seat made none."""
    player = record.chair_at(data["seat"]).player
    return {player} if player and record.offer is not None and record.offer.seat == data["seat"] else set()


def _resuming(record: GameRecord, data: Data) -> set[str]:
    """Returns the player of the seat that resumes; the service when the time of a pause is over."""
    seat = data["seat"]
    return {SERVICE} if seat is None else {record.chair_at(seat).player or SERVICE}


def _agreed(record: GameRecord, data: Data) -> set[str]:
    """Returns the players that agreed to an undo or a pause."""
    return {record.chair_at(seat).player or SERVICE for seat in (data["seat"], *data["agreed"])}


def _taking(record: GameRecord, data: Data) -> set[str]:
    """Returns the actors that may take the seat; host and service seat invited players."""
    return {data["player"], record.host or SERVICE, SERVICE}


_ALLOWED: Final[Mapping[str, Callable[[GameRecord, Data], set[str]]]] = {
    "seat_taken": _taking,
    "seat_left": _taking,
    "expiry_announced": lambda _record, _data: {SERVICE},
    "moved": _of_seat,
    "undone": _agreed,
    "offer_made": _seated,
    "offer_answered": _seated,
    "offer_withdrawn": _offered,
    "clock_paused": _agreed,
    "clock_resumed": _resuming,
    "away_began": _seated,
    "away_ended": _seated,
    "resigned": _seated,
}

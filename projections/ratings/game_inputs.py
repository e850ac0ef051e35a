"""Rating inputs of a game, computed from its events alone, without a database."""

from collections.abc import Iterable, Mapping
from typing import Any

from events.event import Event
from projections.ratings.model import Seat, body_of, placed

Data = Mapping[str, Any]


def inputs_of(events: Iterable[Event]) -> Mapping[str, bytes]:
    """Returns the rating input of an ended game by pool; empty when the game is unrated or has no result."""
    sitting = _Sitting()
    for event in events:
        data: Data = event.data
        if event.kind == "game_created" and (not data["rated"] or data["imported"]):
            return {}
        if event.kind == "game_ended":
            found = placed(sitting.seats, data["places"])
            return {pool: body_of(event, players) for pool, players in found.items()}
        sitting.hear(event.kind, event.seq, data)
    return {}


class _Sitting:
    """The players of the seats, for ratings."""

    def __init__(self) -> None:
        self.chairs: dict[int, Seat] = {}
        self.seats: list[Seat] = []  # in turn order, once the game has begun

    def hear(self, kind: str, seq: int, data: Data) -> None:
        if kind == "seat_taken":
            program = data["bot"] is not None or data.get("program", False)
            self.chairs[data["chair"]] = Seat(data["player"], program)
        elif kind == "seat_left":
            self.chairs.pop(data["chair"], None)
        elif kind == "game_started":
            self.seats = [self.chairs[chair] for chair in data["order"]]
        elif kind == "player_replaced":
            self._at(data["seat"], player=data["player"], changed=True)
        elif kind in ("resigned", "flag_fell") and self.seats[data["seat"]].gone is None:
            self._at(data["seat"], gone=seq)

    def _at(self, seat: int, **now: Any) -> None:
        self.seats[seat] = self.seats[seat]._replace(**now)

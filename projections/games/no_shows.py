"""No-shows: players seated by the service in a tournament game that never make a move."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from projections.games.event_views import DatedEventView

SERVICE: Final = "service"  # the actor that seats absent players


class Arrivals:
    """Tracks which players arrived at a game."""

    def __init__(self) -> None:
        self._seated_by: dict[int, str] = {}  # by chair
        self._order: Sequence[int] = ()
        self._came: set[int] = set()  # seats whose players moved or were replaced
        self._left: set[int] = set()  # seats that a bot plays

    def hear(self, event: DatedEventView) -> None:
        """Folds one more event."""
        data: Any = event.data
        if event.kind == "seat_taken":
            self._seated_by[data["chair"]] = event.actor
        elif event.kind == "game_started":
            self._order = data["order"]
        elif event.kind in ("resigned", "flag_fell"):
            self._left.add(data["seat"])
        elif event.kind == "player_replaced" or (event.kind == "moved" and data["seat"] not in self._left):
            self._came.add(data["seat"])

    def never_came(self, seat: int) -> bool:
        """Returns whether the service seated the player of a seat, and the player has not moved since."""
        seated = self._seated_by.get(self._order[seat]) if seat < len(self._order) else None
        return seated == SERVICE and seat not in self._came


def never_came(events: Iterable[DatedEventView], seat: int) -> bool:
    """Returns whether the player of a seat never came, as far as these events go."""
    arrivals = Arrivals()
    for event in events:
        arrivals.hear(event)
    return arrivals.never_came(seat)

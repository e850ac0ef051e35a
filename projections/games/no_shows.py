"""No-shows: players whom the service seated in a game of a tournament and who never made a move."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from projections.games.event_views import DatedEventView

SERVICE: Final = "service"  # the actor that seats players who do not sit down themselves


class Arrivals:
    """Whose players came to a game, one event after the other."""

    def __init__(self) -> None:
        self._seated_by: dict[int, str] = {}  # by chair
        self._order: Sequence[int] = ()
        self._came: set[int] = set()  # seats whose players moved, or that have another player now
        self._left: set[int] = set()  # seats for which a bot moves

    def hear(self, event: DatedEventView) -> None:
        """Follow one more event."""
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
        """Returns whether the service gave a seat its player, who has not moved since."""
        seated = self._seated_by.get(self._order[seat]) if seat < len(self._order) else None
        return seated == SERVICE and seat not in self._came


def never_came(events: Iterable[DatedEventView], seat: int) -> bool:
    """Returns whether the player of a seat never came, as far as these events go."""
    arrivals = Arrivals()
    for event in events:
        arrivals.hear(event)
    return arrivals.never_came(seat)

"""V7: what may be undone: the own last move alone, more by consent of all who play, and never a draw."""

from collections.abc import Mapping, Sequence
from typing import Any

from events.event import Event
from projections.games.record import GameRecord
from projections.verify.checks.parted import Parted


def check_undo(record: GameRecord | None, line: Sequence[Event], event: Event) -> None:
    """Refuse with Parted an undo that takes back a draw, or that the others did not agree to."""
    data: Mapping[str, Any] = event.data
    taken = [earlier for earlier in line if earlier.seq > data["to"]]
    if any(earlier.data["drew"] for earlier in taken):
        raise Parted(event.seq, "takes_back_draw", "takes back a draw")
    if record is None or _is_own(taken, data) or _is_agreed(record, data):
        return
    raise Parted(event.seq, "not_agreed", "takes back moves, and not everybody had agreed")


def _is_own(taken: Sequence[Event], data: Mapping[str, Any]) -> bool:
    """Whether it is the newest move, and of the seat that takes it back."""
    return len(taken) == 1 and taken[0].data.get("seat") == data["seat"]


def _is_agreed(record: GameRecord, data: Mapping[str, Any]) -> bool:
    """Whether everybody who still plays has agreed to go back to this version."""
    offer = record.offer
    playing = {seat for seat, chair in enumerate(record.seats) if chair.engine is None}
    return offer is not None and offer.to == data["to"] and playing <= {*offer.agreed}

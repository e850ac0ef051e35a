"""The four actions of a turn and the caravan limit: what each offers, why it refuses, what it does."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from projections.dealer import Dealer
from projections.spice_road.actions import acquire, claim, limit, play, rest
from projections.spice_road.actions.turn import Book
from projections.spice_road.moves import Move
from projections.spice_road.position import Position

_ACTIONS: Final = (play, acquire, rest, claim, limit)

CHECKS: Final[Mapping[type, Callable[[Position, Any], Move]]] = {
    kind: check for action in _ACTIONS for kind, check in action.CHECKS.items()
}
DEEDS: Final[Mapping[type, Callable[[Position, Any, Dealer, Book], None]]] = {
    kind: deed for action in _ACTIONS for kind, deed in action.DEEDS.items()
}

"""The checks and the deeds of all moves, by kind of move."""

from collections.abc import Callable
from typing import Any, Final

from projections.rules.dealer import Dealer
from projections.rules.spice_road.actions import acquire, claim, limit, play_card, rest
from projections.rules.spice_road.actions.turn import Book
from projections.rules.spice_road.moves import Move
from projections.rules.spice_road.state.position import Position

_ACTIONS: Final = (play_card, acquire, rest, claim, limit)

CHECKS: Final[dict[type, Callable[[Position, Any], Move]]] = {
    kind: check for action in _ACTIONS for kind, check in action.CHECKS.items()
}
DEEDS: Final[dict[type, Callable[[Position, Any, Dealer, Book], None]]] = {
    kind: deed for action in _ACTIONS for kind, deed in action.DEEDS.items()
}

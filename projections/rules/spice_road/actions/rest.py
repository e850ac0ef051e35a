"""Rest: all played cards come back into the hand (rules 5.3)."""

from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.spice_road.actions.turn import Book, refused
from projections.rules.spice_road.facts.cards import Rested
from projections.rules.spice_road.moves import Rest
from projections.rules.spice_road.state.position import Position

REST: Final = (Rest(),)


def may_rest(position: Position) -> bool:
    """Whether there are cards to take back, or resting without any is allowed (R-21)."""
    return bool(position.spent[position.turn]) or position.rulings.empty_rest == "allow"


def check(position: Position, move: Rest) -> Rest:
    """The move as listed; refused when it would be a pass."""
    if not may_rest(position):
        raise refused(move, "no_played_cards", "R-21")
    return move


def rest(position: Position, _move: Rest, _dealer: Dealer, recorder: Book) -> None:
    """Take the played cards back."""
    recorder.record(position, Rested(position.turn))


CHECKS: Final = {Rest: check}
DEEDS: Final = {Rest: rest}

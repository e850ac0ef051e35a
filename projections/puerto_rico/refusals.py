"""Why a move is refused: the reason, the rule's number, and a sentence a player understands."""

from typing import NamedTuple

from projections.errors import IllegalMove
from projections.puerto_rico.moves import Move
from projections.puerto_rico.notation import write
from projections.puerto_rico.position import Position


def refusal(position: Position, move: Move) -> IllegalMove:
    """The refusal of a move that is not legal now."""
    return IllegalMove(write(move), "not_offered", "3", f"{write(move)!r} is not possible now")

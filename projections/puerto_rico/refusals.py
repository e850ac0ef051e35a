"""Why a move is refused: the reason, the rule's number, and a sentence a player understands."""

from projections.errors import GameIsOver, IllegalMove
from projections.puerto_rico.kinds import OVER
from projections.puerto_rico.moves import Move
from projections.puerto_rico.notation import write
from projections.puerto_rico.plan import DECISIONS
from projections.puerto_rico.position import Position


def refusal(position: Position, move: Move) -> IllegalMove:
    """The refusal of a move that is not legal now."""
    if position.phase == OVER:
        return GameIsOver(write(move), "game_is_over", "5.1", "The game is over.")
    decision = DECISIONS[position.step]
    return IllegalMove(write(move), "not_offered", "3", f"{write(move)!r} is not possible at {decision}")

"""The turn of a game: its seat and decision, read from a board, and as events and clients have it."""

from events.json_types import Json
from projections.games.record import Turn
from projections.rules.protocol import AnyGame, Board


def turn_of(game: AnyGame, board: Board) -> Turn | None:
    """Returns the seat to act and its decision."""
    seat, decision = game.actor(board), game.decision(board)
    return None if seat is None or decision is None else Turn(seat, decision)


def turn_document(turn: Turn | None) -> dict[str, Json] | None:
    """Returns a turn as events and clients have it."""
    return None if turn is None else {"seat": turn.seat, "decision": turn.decision}

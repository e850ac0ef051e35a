"""The card that a move is about: rows move up, so that a place alone names another card later."""

from projections.rules.spice_road.moves import Buy, Claim, Move
from projections.rules.spice_road.state.position import Cards, Position


def aim(position: Position, move: Move) -> str | None:
    """Returns the card in a row that a move is about; None for other moves, empty when no card lies there."""
    if not isinstance(move, Buy | Claim):
        return None
    row = _row(position, move)
    return row[move.position - 1] if move.position <= len(row) else ""


def aimed(position: Position, move: Move, card: str) -> Move | None:
    """Returns the same move at the place where its card lies now; None when it lies there no more.

    A merchant card that moved up costs fewer cubes: those of the rightmost places are kept.
    """
    assert isinstance(move, Buy | Claim)
    row = _row(position, move)
    if card not in row:
        return None
    place = row.index(card) + 1
    if isinstance(move, Claim):
        return move._replace(position=place)
    return move._replace(position=place, cubes=move.cubes[: place - 1])


def _row(position: Position, move: Buy | Claim) -> Cards:
    return position.point_row if isinstance(move, Claim) else tuple(laid.card for laid in position.merchant_row)

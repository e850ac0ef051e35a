"""Seats in turn order: clockwise from the start player, drawn unless the game fixes the chair."""

from projections.rules.dealer import Dealer


def turn_order(first_chair: int | None, chairs: int, dealer: Dealer) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Returns the chair of each seat, and the draw of the start player's chair, if any."""
    if first_chair is not None:
        return _from(first_chair, chairs), ()
    drawn = dealer.draw({str(chair): 1 for chair in range(chairs)})
    return _from(int(drawn), chairs), (drawn,)


def _from(first: int, chairs: int) -> tuple[int, ...]:
    return tuple((first + seat) % chairs for seat in range(chairs))

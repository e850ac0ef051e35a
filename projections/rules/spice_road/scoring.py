"""Points, item by item, and the winner (rules 9)."""

from typing import Final, NamedTuple

from projections.rules.protocol import Outcome
from projections.rules.spice_road.cards import POINT
from projections.rules.spice_road.state.position import Position


class Score(NamedTuple):
    """The parts of a seat's points."""

    seat: int
    point_cards: int
    gold: int
    silver: int
    cubes: int

    @property
    def total(self) -> int:
        """All points together."""
        return self.point_cards + self.gold + self.silver + self.cubes


_WORTHLESS: Final = {"non_turmeric": 1, "all": 0}  # so many of the cheapest kinds count nothing


def score(position: Position, seat: int) -> Score:
    """A seat's points, as if the game ended here."""
    rulings = position.rulings
    return Score(
        seat,
        sum(POINT[card].points for card in position.claimed[seat]),
        position.gold[seat] * rulings.fixed.points_of_gold,
        position.silver[seat] * rulings.fixed.points_of_silver,
        sum(position.caravans[seat][_WORTHLESS[rulings.cube_scoring] :]),
    )


def outcome(position: Position) -> Outcome | None:
    """The result; the later of two tied seats is ahead, so all places differ (R-26, R-27)."""
    if not position.over:
        return None
    seats = range(position.seats)
    points = tuple(score(position, seat).total for seat in seats)
    ahead = sorted(seats, key=lambda seat: (points[seat], seat), reverse=True)
    return Outcome(points, tuple(seats), tuple(ahead.index(seat) + 1 for seat in seats))

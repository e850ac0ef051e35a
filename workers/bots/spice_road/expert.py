"""What the bots know about Century: Spice Road: every action is judged by what it leaves its seat with."""

import random
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from projections.rules.moves import Moves
from projections.rules.spice_road.moves import Move
from projections.rules.spice_road.scoring import score
from projections.rules.spice_road.state.position import Position
from workers.bots.expert import Ranked
from workers.bots.spice_road import weights as w
from workers.bots.spice_road.outlook import Outlook

BY_WORTH: Final = itemgetter(0)


class SpiceRoadExpert:
    """Judges moves and positions of Spice Road."""

    beyond = 2
    counted: Sequence[str] = ("hand", "point_cards")

    def steers(self, position: Position, seat: int) -> bool:
        """Only a seat's own actions do; others are in the way now and then, and are taken to play as ranked."""
        return position.turn == seat and not position.excess

    def answers(self, position: Position, legal: Moves[Move], source: random.Random) -> list[Move]:
        """The moves that rank first."""
        return [one.move for one in self.rank(position, legal, source)[: w.ANSWERS]]

    def standing(self, worth: Sequence[float], seat: int) -> float:
        """What a seat has, less a part of what the best of the others has."""
        return worth[seat] - w.ENVY * max(points for other, points in enumerate(worth) if other != seat)

    def worth(self, position: Position) -> list[float]:
        """By seat, the points each may expect at the end."""
        seats = range(position.seats)
        if position.over:
            return [float(score(position, seat).total) for seat in seats]
        return [_won(position, seat) + Outlook(position, seat).now() for seat in seats]

    def rank(self, position: Position, legal: Moves[Move], source: random.Random) -> list[Ranked]:
        """Moves worth a thought, the best first."""
        outlook = Outlook(position, position.turn)
        moves = legal if position.excess else legal.suggested()
        ranked = [Ranked(outlook.after(move), move) for move in moves]
        ranked.sort(key=BY_WORTH, reverse=True)  # of those worth the same, the first stays first
        if position.round > w.ENDLESS and source.random() < w.WHIM:
            source.shuffle(ranked)  # those who always do what is best at once can go round in circles for ever
        return ranked


def _won(position: Position, seat: int) -> int:
    won = score(position, seat)
    return won.total - won.cubes

"""The expert of Century: Spice Road: ranks each action by the position it leaves its seat in."""

import random
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from projections.rules.move_collection import Moves
from projections.rules.spice_road.moves import Move
from projections.rules.spice_road.scoring import score
from projections.rules.spice_road.state.position import Position
from workers.bots.expert import Ranked
from workers.bots.spice_road import weights as w
from workers.bots.spice_road.outlook import Outlook

BY_WORTH: Final = itemgetter(0)


class SpiceRoadExpert:
    """Ranks moves and evaluates positions of Spice Road."""

    rollout = 2
    countable: Sequence[str] = ("hand", "point_cards")

    def branches(self, position: Position, seat: int) -> bool:
        """Branches at the seat's own actions only; other seats play their best ranked moves."""
        return position.turn == seat and not position.excess

    def candidates(self, position: Position, legal: Moves[Move], source: random.Random) -> list[Move]:
        """Returns the moves that rank first."""
        return [one.move for one in self.rank(position, legal, source)[: w.ANSWERS]]

    def relative_score(self, points: Sequence[float], seat: int) -> float:
        """Returns a seat's points less a part of the best other seat's."""
        return points[seat] - w.ENVY * max(own for other, own in enumerate(points) if other != seat)

    def expected_points(self, position: Position) -> list[float]:
        """Returns the points that each seat may expect at the end."""
        seats = range(position.seats)
        if position.over:
            return [float(score(position, seat).total) for seat in seats]
        return [_won(position, seat) + Outlook(position, seat).now() for seat in seats]

    def rank(self, position: Position, legal: Moves[Move], source: random.Random) -> list[Ranked]:
        """Returns the moves worth considering, the best first."""
        outlook = Outlook(position, position.turn)
        moves = legal if position.excess else legal.suggested()
        ranked = [Ranked(outlook.after(move), move) for move in moves]
        ranked.sort(key=BY_WORTH, reverse=True)  # a stable sort: of equal moves, the first stays first
        if position.round > w.ENDLESS and source.random() < w.WHIM:
            source.shuffle(ranked)  # bots that always take the best move can repeat a cycle of moves for ever
        return ranked


def _won(position: Position, seat: int) -> int:
    won = score(position, seat)
    return won.total - won.cubes

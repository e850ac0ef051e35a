"""The expert of Puerto Rico: ranks moves phase by phase and evaluates positions."""

import random
from collections.abc import Iterable, Sequence
from typing import Final

from projections.rules.dealer import RandomDealer
from projections.rules.move_collection import Moves
from projections.rules.puerto_rico import plan, scoring
from projections.rules.puerto_rico.kinds import OVER, ROLE_CHOICE
from projections.rules.puerto_rico.long_choices.placements import Placements
from projections.rules.puerto_rico.moves import Draw, Move, Plant
from projections.rules.puerto_rico.state.position import Position
from projections.rules.registry import GAMES
from workers.bots.expert import Ranked
from workers.bots.puerto_rico import captain, estate, mayor, windows
from workers.bots.puerto_rico import weights as w
from workers.bots.puerto_rico.consequences import after
from workers.bots.puerto_rico.outlook import Outlook, outlook

GAME: Final = GAMES["puerto_rico"]
DRAWN: Final = 0.35  # a face-down tile, in points, while the island has room
LONG: Final = 24  # up to this number, moves are ranked one by one


class PuertoRicoExpert:
    """Ranks moves and evaluates positions of Puerto Rico."""

    rollout = 0
    countable: Sequence[str] = ("vp_chips", "vp_noted")

    def branches(self, position: Position, seat: int) -> bool:
        """Branches at the choice of a role, at every seat; other decisions follow from it."""
        del seat
        return position.phase == ROLE_CHOICE and position.step == plan.CHOOSE_ROLE

    def candidates(self, position: Position, legal: Moves[Move], source: random.Random) -> list[Move]:
        """Returns every role."""
        del position, source
        return list(legal)

    def relative_score(self, points: Sequence[float], seat: int) -> float:
        """Returns a seat's points less a part of the others' average."""
        return relative_score(points, seat)

    def expected_points(self, position: Position) -> list[float]:
        """Returns the points that each seat may expect at the end."""
        if position.phase == OVER:
            return [
                scoring.points(position, seat) + scoring.tie_break(position, seat) / 100
                for seat in range(position.seats)
            ]
        ahead = outlook(position)
        return [estate.worth(position, seat, ahead) for seat in range(position.seats)]

    def rank(self, position: Position, legal: Moves[Move], source: random.Random) -> list[Ranked]:
        """Returns the moves worth considering, the best first."""
        seat, ahead = position.actor, outlook(position)
        ranked = self._ranked(position, seat, legal, ahead, source)
        return sorted(ranked, key=lambda one: -one.worth)

    def _ranked(
        self, position: Position, seat: int, legal: Moves[Move], ahead: Outlook, source: random.Random
    ) -> Sequence[Ranked]:
        if isinstance(legal, Placements):
            return [Ranked(0.0, mayor.best(position, seat, legal, ahead))]
        moves = list(legal) if len(legal) <= LONG else legal.suggested()
        step = position.step
        if step == plan.CHOOSE_ROLE:
            return self._roles(position, seat, moves, source)
        if step == plan.LOAD:
            return captain.rank(position, seat, moves, ahead)
        if step == plan.PICK:
            return windows.picks(moves)
        if step == plan.DRAFT_BUILDING:
            return windows.drafts(moves)
        if step in plan.WINDOWS:
            return windows.guests(position, seat, moves, ahead)
        return [Ranked(_worth_after(position, seat, move, ahead), move) for move in moves]

    def _roles(self, position: Position, seat: int, moves: Iterable[Move], source: random.Random) -> list[Ranked]:
        """Returns each role with the score after its phase, in which every seat plays its best ranked moves."""
        return [
            Ranked(relative_score(self.expected_points(self.after_phase(position, move, source)), seat), move)
            for move in moves
        ]

    def after_phase(self, position: Position, move: Move, source: random.Random) -> Position:
        """Returns the position after the phase of this role."""
        copy = position.copy()
        dealer, recorder = RandomDealer(source), GAME.recorder(recording=False)
        GAME.play(copy, move, dealer, recorder)
        while copy.phase != OVER and not self.branches(copy, copy.actor):
            legal = GAME.legal(copy)
            GAME.play(copy, self.rank(copy, legal, source)[0].move, dealer, recorder)
        return copy


def relative_score(points: Sequence[float], seat: int) -> float:
    """Returns a seat's points less a part of the others' average."""
    others = [own for other, own in enumerate(points) if other != seat]
    return points[seat] - w.ENVY * sum(others) / len(others)


def _worth_after(position: Position, seat: int, move: Move, ahead: Outlook) -> float:
    worth = estate.worth(after(position, seat, move), seat, ahead)
    if isinstance(move, Draw) or (isinstance(move, Plant) and move.tile < 0):
        worth += DRAWN * min(1.0, ahead.crafts)
    return worth

"""What the bots know about Puerto Rico, phase by phase."""

import random
from collections.abc import Iterable, Sequence
from typing import Any, Final

from projections.rules.dealer import RandomDealer
from projections.rules.moves import Moves
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
LONG: Final = 24  # so many moves are looked at one by one


class PuertoRicoExpert:
    """Judges moves and positions of Puerto Rico."""

    beyond = 0
    counted: Sequence[str] = ("vp_chips", "vp_noted")

    def steers(self, position: Position, seat: int) -> bool:
        """The choice of a role steers the game, whoever makes it; the rest follows from it."""
        del seat
        return position.phase == ROLE_CHOICE and position.step == plan.CHOOSE_ROLE

    def answers(self, position: Position, legal: Moves[Move], source: random.Random) -> list[Move]:
        """Every role."""
        del position, source
        return list(legal)

    def standing(self, worth: Sequence[float], seat: int) -> float:
        """What a seat has, less what the others have."""
        return standing(worth, seat)

    def worth(self, position: Position) -> list[float]:
        """By seat, the points each may expect at the end."""
        if position.phase == OVER:
            return [
                scoring.points(position, seat) + scoring.tie_break(position, seat) / 100
                for seat in range(position.seats)
            ]
        ahead = outlook(position)
        return [estate.worth(position, seat, ahead) for seat in range(position.seats)]

    def rank(self, position: Position, legal: Moves[Move], source: random.Random) -> list[Ranked]:
        """Moves worth a thought, the best first."""
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
        """Each role played to the end of its phase, as everybody seems to like best."""
        return [Ranked(standing(self.worth(self.played(position, move, source)), seat), move) for move in moves]

    def played(self, position: Position, move: Move, source: random.Random) -> Position:
        """The position when the phase of this role is over."""
        copy = position.copy()
        dealer, chronicle = RandomDealer(source), GAME.chronicle(recording=False)
        GAME.play(copy, move, dealer, chronicle)
        while copy.phase != OVER and not self.steers(copy, copy.actor):
            legal = GAME.legal(copy)
            GAME.play(copy, self.rank(copy, legal, source)[0].move, dealer, chronicle)
        return copy


def standing(worth: Sequence[float], seat: int) -> float:
    """How a seat stands: what it has, less what the others have."""
    others = [points for other, points in enumerate(worth) if other != seat]
    return worth[seat] - w.ENVY * sum(others) / len(others)


def _worth_after(position: Position, seat: int, move: Any, ahead: Outlook) -> float:
    worth = estate.worth(after(position, seat, move), seat, ahead)
    if isinstance(move, Draw) or (isinstance(move, Plant) and move.tile < 0):
        worth += DRAWN * min(1.0, ahead.crafts)
    return worth

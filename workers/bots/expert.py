"""The evaluation of one game: ranked moves and expected points, shared by greedy play and search."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from projections.rules.move_collection import Moves
from projections.rules.protocol import M

P_contra = TypeVar("P_contra", contravariant=True)


class Ranked(NamedTuple):
    """A move and its estimated worth to the seat to act, in points."""

    worth: float
    move: Any


class Expert(Protocol[P_contra, M]):
    """Evaluates moves and positions of a game, from what the position shows."""

    rollout: int  # decisions that a search plays as ranked below its tree, before it evaluates
    countable: Sequence[str]  # fields of a player's document that are hidden although every change of them is public

    def rank(self, position: P_contra, legal: Moves[M], source: random.Random) -> Sequence[Ranked]:
        """Returns the moves worth considering, the best first."""

    def expected_points(self, position: P_contra) -> Sequence[float]:
        """Returns the points that each seat may expect at the end."""

    def relative_score(self, points: Sequence[float], seat: int) -> float:
        """Returns how a seat stands against the others, from the points that each may expect."""

    def branches(self, position: P_contra, seat: int) -> bool:
        """Whether a search for a seat branches at this decision; otherwise it plays the best ranked move."""

    def candidates(self, position: P_contra, legal: Moves[M], source: random.Random) -> Sequence[M]:
        """Returns the moves that a search tries at a decision where it branches."""


Experts = Mapping[str, Expert[Any, Any]]

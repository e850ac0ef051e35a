"""What a good player knows about one game, in a form that greedy play and search share."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from projections.rules.moves import Moves


class Ranked(NamedTuple):
    """A move and what it seems to be worth to the seat to act, in points."""

    worth: float
    move: Any


class Expert(Protocol):
    """Judges moves and positions of a game; every judgement is about what the position shows."""

    beyond: int  # decisions that a search plays as ranked behind its tree, before it judges
    counted: Sequence[str]  # what players hide although every gain of it is public, as the document names it

    def rank(self, position: Any, legal: Moves[Any], source: random.Random) -> Sequence[Ranked]:
        """Moves worth a thought, the best first."""

    def worth(self, position: Any) -> Sequence[float]:
        """By seat, the points each may expect at the end."""

    def standing(self, worth: Sequence[float], seat: int) -> float:
        """How a seat stands when seats may expect so many points."""

    def steers(self, position: Any, seat: int) -> bool:
        """Whether a search for a seat looks at several answers to this decision, or takes the best ranked."""

    def answers(self, position: Any, legal: Moves[Any], source: random.Random) -> Sequence[Any]:
        """The moves that a search tries where a decision steers the game."""


Experts = Mapping[str, Expert]

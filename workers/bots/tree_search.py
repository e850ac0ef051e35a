"""The search bot: Monte Carlo tree search over sampled positions of the seat's information set.

Every step plays one line of moves on a sampled position with a random dealer: first down the tree, by upper confidence
bounds, each seat maximising its own score; then some decisions as the expert ranks them; then the expert evaluates the
position. Nodes stand for moves, not positions, since the same move can be followed by another deal.
"""

import math
import random
import time
from collections.abc import Sequence
from typing import Any, Final, Generic

from projections.rules.dealer import RandomDealer
from projections.rules.move_collection import Moves
from projections.rules.protocol import Game, M, P
from workers.bots.bot import Budget, ChosenMove
from workers.bots.experts import EXPERTS
from workers.bots.information_set import as_known

WIDTH: Final = 8  # moves tried at the root
SAMPLES: Final = 4  # positions sampled from the information set
EXPLORE: Final = 0.5
FIRST_PLACE: Final = 8.0  # points added for a won game


class SearchNode:
    """A line of moves: the number of visits, and the sum of each seat's scores."""

    __slots__ = ("children", "total", "visits")

    def __init__(self, seats: int) -> None:
        self.visits = 0
        self.total = [0.0] * seats
        self.children: dict[Any, SearchNode] = {}


class Search(Generic[P, M]):
    """A search for one decision of one seat."""

    def __init__(self, game: Game[P, M], seat: int, source: random.Random) -> None:
        self.game = game
        self.seat = seat
        self.expert = EXPERTS[game.name]
        self.source = source
        self.dealer = RandomDealer(source)
        self.recorder = game.recorder(recording=False)
        self.least, self.most = math.inf, -math.inf

    def run(self, root: SearchNode, samples: Sequence[P], moves: Sequence[M], budget: Budget) -> int:
        """Searches as long as the budget allows, with `moves` at the root. Returns the number of steps made."""
        until = time.monotonic() + budget.seconds if budget.seconds else math.inf
        for step in range(budget.steps):
            if time.monotonic() > until:
                return step
            self._step(root, self.game.copy(samples[step % len(samples)]), moves)
        return budget.steps

    def _step(self, root: SearchNode, position: P, moves: Sequence[M]) -> None:
        """Plays one line on a copied position and adds its scores to the nodes."""
        line, seat, candidates = [root], self.seat, moves
        while True:
            move = self._select(line[-1], seat, candidates)
            node = line[-1].children.setdefault(move, SearchNode(len(root.total)))
            line.append(node)
            self.game.play(position, move, self.dealer, self.recorder)
            self._play_to_branch(position)
            actor = self.game.actor(position)
            if not node.visits or actor is None:
                break
            seat, candidates = actor, self.expert.candidates(position, self.game.legal(position), self.source)
        self._add(line, self._evaluate(position))

    def _select(self, node: SearchNode, seat: int, candidates: Sequence[M]) -> M:
        """Returns the first untried candidate, or the one with the highest upper confidence bound."""
        for move in candidates:
            if move not in node.children:
                return move
        tried = sum(node.children[move].visits for move in candidates)
        spread = max(1e-9, self.most - self.least)

        def bound(move: M) -> float:
            child = node.children[move]
            mean = (child.total[seat] / child.visits - self.least) / spread
            return mean + EXPLORE * math.sqrt(math.log(tried) / child.visits)

        return max(candidates, key=bound)

    def _play_to_branch(self, position: P) -> None:
        """Plays the best ranked moves up to the next decision at which the search branches."""
        while self.game.actor(position) is not None and not self.expert.branches(position, self.seat):
            self._play_best(position)

    def _play_best(self, position: P) -> None:
        ranked = self.expert.rank(position, self.game.legal(position), self.source)
        self.game.play(position, ranked[0].move, self.dealer, self.recorder)

    def _evaluate(self, position: P) -> list[float]:
        for _ in range(self.expert.rollout):
            if self.game.actor(position) is None:
                break
            self._play_best(position)
            self._play_to_branch(position)
        points = list(self.expert.expected_points(position))
        outcome = self.game.outcome(position)
        if outcome is not None:
            points = [own + FIRST_PLACE * (place == 1) for own, place in zip(points, outcome.places, strict=True)]
        return [self.expert.relative_score(points, seat) for seat in range(len(points))]

    def _add(self, line: Sequence[SearchNode], scores: Sequence[float]) -> None:
        self.least, self.most = min(self.least, *scores), max(self.most, *scores)
        for node in line:
            node.visits += 1
            for seat, score in enumerate(scores):
                node.total[seat] += score


def choose(game: Game[P, M], position: P, legal: Moves[M], budget: Budget, source: random.Random) -> ChosenMove:
    """Returns the most visited move; the best ranked one when it is the only one, or the budget cannot try all."""
    seat = game.actor(position)
    assert seat is not None
    moves = [ranked.move for ranked in EXPERTS[game.name].rank(position, legal, source)[:WIDTH]]
    if len(moves) == 1:
        return ChosenMove(moves[0])
    samples = [as_known(game, position, seat, source) for _ in range(SAMPLES)]
    root = SearchNode(len(EXPERTS[game.name].expected_points(position)))
    made = Search(game, seat, source).run(root, samples, moves, budget)
    if made < len(moves):
        return ChosenMove(moves[0], made)
    return ChosenMove(max(moves, key=lambda move: (root.children[move].visits, -moves.index(move))), made)

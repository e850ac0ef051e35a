"""The bot that looks ahead: a tree of decisions in worlds that could be the real one, judged by an expert of the game.

Every step plays one line of moves on a world supposed from what the seat knows, with a random dealer: first along the
tree, by upper confidence bounds, each seat for itself; then a little further as the expert ranks; and what is reached
is judged. The tree remembers moves, not positions, since the same move can meet another deal.
"""

import math
import random
import time
from collections.abc import Sequence
from typing import Any, Final

from projections.rules.dealer import RandomDealer
from projections.rules.moves import Moves
from projections.rules.protocol import Game
from workers.bots.bot import Budget, ChosenMove
from workers.bots.experts import EXPERTS
from workers.bots.information_set import as_known

WIDTH: Final = 8  # moves of the decision itself that are tried
WORLDS: Final = 4  # what is hidden is supposed so many times
EXPLORE: Final = 0.5
FIRST_PLACE: Final = 8.0  # points that a won game is worth besides


class SearchNode:
    """A line of moves: how often it was played, and how each seat stood in the end."""

    __slots__ = ("answers", "total", "visits")

    def __init__(self, seats: int) -> None:
        self.visits = 0
        self.total = [0.0] * seats
        self.answers: dict[Any, SearchNode] = {}


class Search:
    """Thinks about one decision of one seat."""

    def __init__(self, game: Game[Any, Any], seat: int, source: random.Random) -> None:
        self.game = game
        self.seat = seat
        self.expert = EXPERTS[game.name]
        self.source = source
        self.dealer = RandomDealer(source)
        self.chronicle = game.chronicle(recording=False)
        self.least, self.most = math.inf, -math.inf

    def think(self, root: SearchNode, worlds: Sequence[Any], moves: Sequence[Any], budget: Budget) -> int:
        """Play as many lines as the budget allows, and tell how many; `moves` are tried at the root."""
        until = time.monotonic() + budget.seconds if budget.seconds else math.inf
        for step in range(budget.steps):
            if time.monotonic() > until:
                return step
            self._step(root, self.game.copy(worlds[step % len(worlds)]), moves)
        return budget.steps

    def _step(self, root: SearchNode, container: Any, moves: Sequence[Any]) -> None:
        """Play one line on a world, which is used up."""
        line, seat, answers = [root], self.seat, moves
        while True:
            move = self._pick(line[-1], seat, answers)
            node = line[-1].answers.setdefault(move, SearchNode(len(root.total)))
            line.append(node)
            self.game.play(container, move, self.dealer, self.chronicle)
            self._settle(container)
            actor = self.game.actor(container)
            if not node.visits or actor is None:
                break
            seat, answers = actor, self.expert.answers(container, self.game.legal(container), self.source)
        self._remember(line, self._judged(container))

    def _pick(self, node: SearchNode, seat: int, answers: Sequence[Any]) -> Any:
        """The answer with the highest bound; one not tried yet before all others."""
        for move in answers:
            if move not in node.answers:
                return move
        tried = sum(node.answers[move].visits for move in answers)
        spread = max(1e-9, self.most - self.least)

        def bound(move: Any) -> float:
            child = node.answers[move]
            mean = (child.total[seat] / child.visits - self.least) / spread
            return mean + EXPLORE * math.sqrt(math.log(tried) / child.visits)

        return max(answers, key=bound)

    def _settle(self, container: Any) -> None:
        """Play on as ranked up to the next decision that steers the game."""
        while self.game.actor(container) is not None and not self.expert.steers(container, self.seat):
            self._play_best(container)

    def _play_best(self, container: Any) -> None:
        ranked = self.expert.rank(container, self.game.legal(container), self.source)
        self.game.play(container, ranked[0].move, self.dealer, self.chronicle)

    def _judged(self, container: Any) -> list[float]:
        for _ in range(self.expert.beyond):
            if self.game.actor(container) is None:
                break
            self._play_best(container)
            self._settle(container)
        worth = list(self.expert.worth(container))
        outcome = self.game.outcome(container)
        if outcome is not None:
            worth = [points + FIRST_PLACE * (place == 1) for points, place in zip(worth, outcome.places, strict=True)]
        return [self.expert.standing(worth, seat) for seat in range(len(worth))]

    def _remember(self, line: Sequence[SearchNode], standings: Sequence[float]) -> None:
        self.least, self.most = min(self.least, *standings), max(self.most, *standings)
        for node in line:
            node.visits += 1
            for seat, standing in enumerate(standings):
                node.total[seat] += standing


def choose(game: Game[Any, Any], position: Any, legal: Moves[Any], budget: Budget, source: random.Random) -> ChosenMove:
    """The move that was played most often; the best ranked one when there is no choice, or no time to try all."""
    seat = game.actor(position)
    assert seat is not None
    moves = [ranked.move for ranked in EXPERTS[game.name].rank(position, legal, source)[:WIDTH]]
    if len(moves) == 1:
        return ChosenMove(moves[0])
    worlds = [as_known(game, position, seat, source) for _ in range(WORLDS)]
    root = SearchNode(len(EXPERTS[game.name].worth(position)))
    made = Search(game, seat, source).think(root, worlds, moves, budget)
    if made < len(moves):
        return ChosenMove(moves[0], made)
    return ChosenMove(max(moves, key=lambda move: (root.answers[move].visits, -moves.index(move))), made)

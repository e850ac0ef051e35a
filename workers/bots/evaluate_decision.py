"""Evaluates one decision of a finished game by search: each seat's share of the win, after which move.

The evaluation counts the public gains of all seats, so that the figures of neighbouring moves describe the same table.
Information that was hidden from every seat at the move, such as tiles that lay face down, is sampled.
"""

import hashlib
import math
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from events.json_types import Json, JsonObject
from projections.rules.protocol import Game, M, P
from workers.bots.bot import Budget
from workers.bots.experts import EXPERTS
from workers.bots.information_set import as_counted
from workers.bots.tree_search import SAMPLES, WIDTH, Search, SearchNode

WHOLE: Final = 1_000  # shares are thousandths
MOST_ALTERNATIVES: Final = 4
LEAST_VISITS: Final = 2  # of a move whose figures are returned
# The lead in points with which a seat is e times as likely to win: at the beginning of a game and at its end.
# Fitted to the results of 270 games of greedy bots at tables of three and four.
SCALES: Final[Mapping[str, tuple[float, float]]] = {"puerto_rico": (25.0, 1.5), "spice_road": (6.0, 3.0)}


class PlayedDecision(NamedTuple):
    """A decision of the game: the position, the move played, and the progress of the game (0 to 1)."""

    position: Any
    played: Any
    progress: float


def seeded_source(seed: str, seq: int) -> random.Random:
    """Returns the random source of one decision: the same seed and event give the same figures."""
    return random.Random(hashlib.sha256(f"{seed} {seq}".encode()).digest())


class MoveFigures(NamedTuple):
    """A move, its number of visits, and each seat's share of the win after it."""

    move: str
    visits: int
    shares: Sequence[int]

    def document(self) -> dict[str, Json]:
        """Returns the figures as the API shows them."""
        return {"move": self.move, "visits": self.visits, "shares": list(self.shares)}


def evaluate(game: Game[P, M], decision: PlayedDecision, steps: int, source: random.Random) -> JsonObject:
    """Returns the figures of a decision: shares of the win by seat after the move played and after others."""
    seat = game.actor(decision.position)
    assert seat is not None
    moves = _candidates(game, decision, seat, source)
    root = _search(game, decision, seat, moves, max(steps if len(moves) > 1 else SAMPLES, len(moves)), source)
    played = moves.index(decision.played)
    visits = [root.children[move].visits for move in moves]
    best = max(range(len(moves)), key=lambda at: (visits[at], -at))
    figures = [_figures(game, decision, move, root.children[move]) for move in moves]
    listed = [at for at in range(len(moves)) if visits[at] >= LEAST_VISITS or at in (played, best)]
    listed.sort(key=lambda at: (at != best, -figures[at].shares[seat], at))
    alternatives: list[Json] = [figures[at].document() for at in listed[:MOST_ALTERNATIVES] if at != played]
    return {
        "seat": seat,
        **figures[played].document(),
        "best": figures[best].move,
        "loss": 0 if best == played else max(0, figures[best].shares[seat] - figures[played].shares[seat]),
        "alternatives": alternatives,
    }


def _candidates(game: Game[P, M], decision: PlayedDecision, seat: int, source: random.Random) -> list[M]:
    """Returns the moves to search: the best ranked ones and the one played."""
    known = as_counted(game, decision.position, seat, source)
    ranked = EXPERTS[game.name].rank(known, game.legal(known), source)[:WIDTH]
    moves = [one.move for one in ranked]
    return moves if decision.played in moves else [*moves, decision.played]


def _search(
    game: Game[P, M], decision: PlayedDecision, seat: int, moves: Sequence[M], steps: int, source: random.Random
) -> SearchNode:
    samples = [as_counted(game, decision.position, seat, source) for _ in range(SAMPLES)]
    root = SearchNode(len(EXPERTS[game.name].expected_points(decision.position)))
    Search(game, seat, source).run(root, samples, moves, Budget(steps))
    return root


def _figures(game: Game[P, M], decision: PlayedDecision, move: M, node: SearchNode) -> MoveFigures:
    early, late = SCALES[game.name]
    scale = early + (late - early) * decision.progress
    scores = [total / node.visits for total in node.total]
    return MoveFigures(game.notation(move), node.visits, shares(scores, scale))


def shares(scores: Sequence[float], scale: float) -> list[int]:
    """Returns each seat's chance to win, in thousandths that add up to the whole."""
    best = max(scores)
    weights = [math.exp((score - best) / scale) for score in scores]
    exact = [WHOLE * weight / sum(weights) for weight in weights]
    whole = [int(share) for share in exact]
    by_rest = sorted(range(len(exact)), key=lambda seat: (whole[seat] - exact[seat], seat))
    for seat in by_rest[: WHOLE - sum(whole)]:
        whole[seat] += 1
    return whole

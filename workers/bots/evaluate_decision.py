"""What the search bot thinks of one decision of a finished game: who is expected to win, after which move.

It looks back at the game with everybody's gains counted, so that figures of neighbouring moves are of the same table,
whoever moves; what nobody could know at the move, such as tiles that lay face down, it supposes.
"""

import hashlib
import math
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from events.json_types import Json, JsonObject
from projections.rules.protocol import Game
from workers.bots.bot import Budget
from workers.bots.experts import EXPERTS
from workers.bots.information_set import as_counted
from workers.bots.tree_search import WIDTH, WORLDS, Search, SearchNode

WHOLE: Final = 1_000  # shares are told in thousandths
MOST_ALTERNATIVES: Final = 4
LEAST_VISITS: Final = 2  # of a move whose figures are told
# The standing, in points, by which a seat has to be ahead to be e times as likely to win: at the beginning of a game
# and at its end. Fitted to the results of 270 games of greedy bots at tables of three and four.
SCALES: Final[Mapping[str, tuple[float, float]]] = {"puerto_rico": (25.0, 1.5), "spice_road": (6.0, 3.0)}


class PlayedDecision(NamedTuple):
    """A decision as it stood: the board, what was played, and how far the game had come (0 to 1)."""

    position: Any
    played: Any
    progress: float


def seeded_source(seed: str, seq: int) -> random.Random:
    """The chance of one decision: the same seed and move give the same figures."""
    return random.Random(hashlib.sha256(f"{seed} {seq}".encode()).digest())


def evaluate(game: Game[Any, Any], moment: PlayedDecision, steps: int, source: random.Random) -> JsonObject:
    """The figures of a decision: shares of the win by seat after the move that was played and after others."""
    seat = game.actor(moment.position)
    assert seat is not None
    moves = _candidates(game, moment, seat, source)
    root = _thought(game, moment, seat, moves, max(steps if len(moves) > 1 else WORLDS, len(moves)), source)
    played = moves.index(moment.played)
    best = max(range(len(moves)), key=lambda at: (root.answers[moves[at]].visits, -at))
    figures = [_figures(game, moment, move, root.answers[move]) for move in moves]
    shown = [at for at in range(len(moves)) if root.answers[moves[at]].visits >= LEAST_VISITS or at in (played, best)]
    shown.sort(key=lambda at: (at != best, -_share(figures[at], seat), at))
    told: list[Json] = [figures[at] for at in shown[:MOST_ALTERNATIVES] if at != played]
    return {
        "seat": seat,
        **figures[played],
        "best": figures[best]["move"],
        "loss": 0 if best == played else max(0, _share(figures[best], seat) - _share(figures[played], seat)),
        "alternatives": told,
    }


def _candidates(game: Game[Any, Any], moment: PlayedDecision, seat: int, source: random.Random) -> list[Any]:
    """The moves that are thought about: those that rank first, and the one that was played."""
    shown = as_counted(game, moment.position, seat, source)
    ranked = EXPERTS[game.name].rank(shown, game.legal(shown), source)[:WIDTH]
    moves = [one.move for one in ranked]
    return moves if moment.played in moves else [*moves, moment.played]


def _thought(
    game: Game[Any, Any], moment: PlayedDecision, seat: int, moves: Sequence[Any], steps: int, source: random.Random
) -> SearchNode:
    worlds = [as_counted(game, moment.position, seat, source) for _ in range(WORLDS)]
    root = SearchNode(len(EXPERTS[game.name].worth(moment.position)))
    Search(game, seat, source).think(root, worlds, moves, Budget(steps))
    return root


def _figures(game: Game[Any, Any], moment: PlayedDecision, move: Any, node: SearchNode) -> dict[str, Json]:
    """A move, how often it was looked at, and the shares of the win after it."""
    early, late = SCALES[game.name]
    scale = early + (late - early) * moment.progress
    standings = [total / node.visits for total in node.total]
    return {"move": game.notation(move), "visits": node.visits, "shares": list(shares(standings, scale))}


def shares(standings: Sequence[float], scale: float) -> list[int]:
    """How likely each seat is to win, in thousandths that add up to the whole."""
    best = max(standings)
    weights = [math.exp((standing - best) / scale) for standing in standings]
    exact = [WHOLE * weight / sum(weights) for weight in weights]
    whole = [int(share) for share in exact]
    by_rest = sorted(range(len(exact)), key=lambda seat: (whole[seat] - exact[seat], seat))
    for seat in by_rest[: WHOLE - sum(whole)]:
        whole[seat] += 1
    return whole


def _share(figures: Mapping[str, Any], seat: int) -> int:
    return int(figures["shares"][seat])

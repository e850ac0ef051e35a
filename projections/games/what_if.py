"""What-if analysis: applies moves to any position, with declared or seeded chance; stores nothing."""

import hashlib
import random
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from events.json_types import JsonObject
from projections.games.errors import ImpossibleLine, NeedlessDraw
from projections.games.execute_move import ExecutedMove, MoveResult, enact, set_up
from projections.rules.dealer import Dealer, DeclaredDealer, SeededDealer
from projections.rules.errors import IllegalMove, ImpossibleDraw, ImpossiblePosition, UnreadableMove
from projections.rules.legal_moves import alternatives, legal_moves_document
from projections.rules.protocol import Game

P = TypeVar("P")
M = TypeVar("M")
REFUSALS: Final = (IllegalMove, ImpossibleDraw, UnreadableMove)
SUPPOSED: Final = b"suppose\0"  # prefix of the seed that deals hidden parts of a view
SET_UP: Final = 0  # the number of the line before the first move


class Start(NamedTuple):
    """The start of an analysis: a position, or the set-up of a new game."""

    position: JsonObject | None = None
    options: JsonObject = MappingProxyType({})
    seats: int = 0


class AnalysisDraws:
    """The draws of an analysis: declared draws in order, otherwise draws from a seed."""

    def __init__(self, draws: Sequence[str] | None, seed: str = "") -> None:
        self.seed = seed
        self._left = iter(draws or ())
        seeded = SeededDealer(hashlib.sha256(seed.encode()).digest())
        self.dealer: Dealer = seeded if draws is None else DeclaredDealer(self._left)

    def finish(self) -> None:
        """Raises NeedlessDraw when declared draws are left."""
        left = tuple(self._left)
        if left:
            raise NeedlessDraw(left)


def analyse(game: Game[P, Any], start: Start, moves: Iterable[str], chance: AnalysisDraws, language: str) -> JsonObject:
    """Returns the position after the moves, and its legal moves; raises an error with the first impossible line."""
    hidden = _hidden(start)
    if start.position is not None and hidden:
        start = start._replace(position=fill_hidden(game, start.position, chance.seed))
    position, laid_out = _begin(game, start, chance.dealer)
    played = [_play(game, position, number, text, chance.dealer) for number, text in enumerate(moves, start=1)]
    chance.finish()
    return {
        "game": game.name,
        "position": game.document(position),
        "supposed": hidden,
        "turn": turn(game, position),
        "drew": list(laid_out.drew) if laid_out else [],
        "steps": [{"seat": seat, "move": move, **deed.data()} for seat, move, deed in played],
        "facts": [fact for one in played for fact in one.deed.facts],
        "legal": legal_moves_document(game, position, language),
        "scores": list(game.scores(position)),
        "result": result(game, position),
    }


def turn(game: Game[P, Any], position: P) -> JsonObject | None:
    """Returns the next decision and its seat, or None when the game is over."""
    seat = game.actor(position)
    return None if seat is None else {"seat": seat, "decision": game.decision(position)}


def result(game: Game[P, Any], position: P) -> JsonObject | None:
    """Points, tie-break and places by seat, or None while the game runs."""
    outcome = game.outcome(position)
    return None if outcome is None else {name: list(values) for name, values in outcome._asdict().items()}


def _hidden(start: Start) -> list[str]:
    """Returns the places that the view hides; empty for a complete document."""
    given = None if start.position is None else start.position.get("hides")
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(place, str) for place in given):
        raise ImpossiblePosition("hides", "a list is expected")
    return [str(place) for place in given]


def fill_hidden(game: Game[P, M], view: JsonObject, seed: str) -> JsonObject:
    """Returns a position consistent with a view; the seed decides the hidden parts.

    Raises ImpossiblePosition for a view that the service cannot have produced.
    """
    source = random.Random(hashlib.sha256(SUPPOSED + seed.encode()).digest())
    try:
        return game.suppose(view, source)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as fault:
        raise ImpossiblePosition(
            "hides", "the hidden part of the view cannot be dealt from the visible part"
        ) from fault


def _begin(game: Game[P, Any], start: Start, dealer: Dealer) -> tuple[P, MoveResult | None]:
    if start.position is not None:
        return game.restore(start.position), None
    try:
        return set_up(game, game.read_options(start.options, start.seats), start.seats, dealer)
    except ImpossibleDraw as cause:
        raise ImpossibleLine(SET_UP, "set-up", cause, ()) from cause


def _play(game: Game[P, Any], position: P, number: int, text: str, dealer: Dealer) -> ExecutedMove:
    before = game.copy(position)
    try:
        return enact(game, position, text, dealer)
    except REFUSALS as cause:
        raise ImpossibleLine(number, text, cause, alternatives(game, before)) from cause

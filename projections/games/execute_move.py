"""Executes a move by the rules and records its result: for play, import, analysis and verification."""

import hashlib
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, TypeVar

from events.canonical import canonical_unchecked
from events.json_types import Json, JsonObject
from projections.games.rules_versions import with_rules_name
from projections.rules.dealer import Dealer, RecordingDealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.options import Options
from projections.rules.protocol import Game

P = TypeVar("P")
DIGEST: Final = b"cabildo/position/v1\n"


class MoveResult(NamedTuple):
    """The result of a move: outcomes of chance, forced moves, facts."""

    drew: tuple[str, ...]
    then: tuple[tuple[int, str], ...]
    facts: tuple[Json, ...]
    digest: str

    def data(self) -> JsonObject:
        """Returns the fields for an event."""
        then: list[Json] = [{"seat": seat, "move": move} for seat, move in self.then]
        return {"drew": list(self.drew), "then": then, "facts": list(self.facts), "digest": self.digest}


class ExecutedMove(NamedTuple):
    """A move after its execution: seat, canonical notation and result."""

    seat: int
    move: str
    deed: MoveResult


def set_up(game: Game[P, Any], options: Options, seats: int, dealer: Dealer) -> tuple[P, MoveResult]:
    """Returns the position before the first decision, and the result of the set-up."""
    recorder, recording_dealer = game.recorder(recording=True), RecordingDealer(dealer)
    position = game.set_up(options, seats, recording_dealer, recorder)
    return position, _move_result(game, position, recorder, recording_dealer.drew)


def execute(game: Game[P, Any], position: P, move: Any, dealer: Dealer) -> MoveResult:
    """Executes a move; raises IllegalMove or ImpossibleDraw, and may leave the position unusable."""
    recorder, recording_dealer = game.recorder(recording=True), RecordingDealer(dealer)
    game.play(position, move, recording_dealer, recorder)
    return _move_result(game, position, recorder, recording_dealer.drew)


def enact(game: Game[P, Any], position: P, text: str, dealer: Dealer) -> ExecutedMove:
    """Parses and executes a move; raises UnreadableMove, IllegalMove or ImpossibleDraw."""
    move = game.canonical(position, game.parse(text))
    seat = game.actor(position)
    assert seat is not None  # a finished game has no canonical move
    return ExecutedMove(seat, game.notation(move), execute(game, position, move, dealer))


def digest(game: Game[P, Any], position: P, rules: str | None = None) -> str:
    """Returns the digest of a position, which detects where events and rules diverge.

    With `rules`, returns the digest of the same board under that version's name.
    """
    document = game.document(position)
    return hashlib.sha256(
        DIGEST + canonical_unchecked(with_rules_name(document, rules) if rules else document)
    ).hexdigest()


def _move_result(game: Game[P, Any], position: P, recorder: FactRecorder[P], drew: Iterable[str]) -> MoveResult:
    return MoveResult(
        tuple(drew),
        tuple((seat, game.notation(move)) for seat, move in recorder.then),
        tuple(game.encode(fact) for fact in recorder.facts),
        digest(game, position),
    )

"""One move made by the rules and kept as an event keeps it: play, import, analysis and audit all come through here."""

import hashlib
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, TypeVar

from events.canonical import canonical_unchecked
from events.json_types import Json, JsonObject
from projections.games.rules_versions import named
from projections.rules.dealer import Dealer, RecordingDealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.options import Options
from projections.rules.protocol import Game

P = TypeVar("P")
DIGEST: Final = b"cabildo/position/v1\n"


class MoveResult(NamedTuple):
    """What a decision brought about: outcomes of chance, moves made because nothing else was possible, facts."""

    drew: tuple[str, ...]
    then: tuple[tuple[int, str], ...]
    facts: tuple[Json, ...]
    digest: str

    def data(self) -> JsonObject:
        """Returns the fields of an event."""
        then: list[Json] = [{"seat": seat, "move": move} for seat, move in self.then]
        return {"drew": list(self.drew), "then": then, "facts": list(self.facts), "digest": self.digest}


class ExecutedMove(NamedTuple):
    """A move that was made: by whom, in canonical spelling, and what it brought about."""

    seat: int
    move: str
    deed: MoveResult


def set_up(game: Game[P, Any], options: Options, seats: int, dealer: Dealer) -> tuple[P, MoveResult]:
    """Returns the position before the first decision, and the deed of laying it out."""
    chronicle, recorder = game.chronicle(recording=True), RecordingDealer(dealer)
    position = game.set_up(options, seats, recorder, chronicle)
    return position, _deed(game, position, chronicle, recorder.drew)


def make(game: Game[P, Any], position: P, move: Any, dealer: Dealer) -> MoveResult:
    """Make a move on a position; raises IllegalMove or ImpossibleDraw, and may then have spoilt the position."""
    chronicle, recorder = game.chronicle(recording=True), RecordingDealer(dealer)
    game.play(position, move, recorder, chronicle)
    return _deed(game, position, chronicle, recorder.drew)


def enact(game: Game[P, Any], position: P, text: str, dealer: Dealer) -> ExecutedMove:
    """Make the move that a text means; refuses like `make`, or with UnreadableMove."""
    move = game.canonical(position, game.parse(text))
    seat = game.actor(position)
    assert seat is not None  # a finished game has no canonical move
    return ExecutedMove(seat, game.notation(move), make(game, position, move, dealer))


def digest(game: Game[P, Any], position: P, rules: str | None = None) -> str:
    """Returns the digest of a position, which tells where a log and the rules begin to disagree.

    With `rules`, it is that of the same board under the name of that version.
    """
    document = game.document(position)
    return hashlib.sha256(DIGEST + canonical_unchecked(named(document, rules) if rules else document)).hexdigest()


def _deed(game: Game[P, Any], position: P, chronicle: FactRecorder[P], drew: Iterable[str]) -> MoveResult:
    return MoveResult(
        tuple(drew),
        tuple((seat, game.notation(move)) for seat, move in chronicle.then),
        tuple(game.encode(fact) for fact in chronicle.facts),
        digest(game, position),
    )

"""A decision of the player: the position, the legal moves, and the typed moves of both games."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias
from uuid import UUID

from cabildo_client.documents import GameOverview, StreamEvent
from cabildo_client.errors import UnreadableAnswer
from cabildo_client.json_values import JsonObject
from cabildo_client.legal_moves import LegalMove, LegalMoves
from cabildo_client.positions import Position, position_of
from cabildo_client.puerto_rico import PuertoRicoMove
from cabildo_client.puerto_rico import read_move as read_puerto_rico
from cabildo_client.spice_road import SpiceRoadMove
from cabildo_client.spice_road import read_move as read_spice_road

Move: TypeAlias = PuertoRicoMove | SpiceRoadMove
MOVES: Final[Mapping[str, Callable[[str], Move]]] = {
    "puerto_rico": read_puerto_rico,
    "spice_road": read_spice_road,
}


def move_of(game: str, text: str) -> Move:
    """Returns the typed move of a text; raises UnreadableAnswer for other texts and for unknown games."""
    if game not in MOVES:
        raise UnreadableAnswer(f"this package knows {', '.join(MOVES)}, and not {game!r}")
    return MOVES[game](text)


@dataclass(frozen=True)
class PlayerTurn:
    """A decision that the player has to make."""

    game: UUID
    name: str  # of the game: puerto_rico or spice_road
    rules: str  # the version that the game keeps to
    seat: int
    decision: str
    version: int
    document: JsonObject  # the position as the service sends it
    offered: LegalMoves

    @classmethod
    def told_by(cls, event: StreamEvent) -> "PlayerTurn | None":
        """Returns the decision that an event of a stream with boards brings the player; None where it brings none."""
        legal, document = event.legal, event.document
        if legal is None or document is None or not legal.yours or legal.seat is None or legal.decision is None:
            return None
        name = str(document.get("game"))
        return cls(event.stream, name, event.rules, legal.seat, legal.decision, event.seq, document, legal)

    @classmethod
    def of(cls, known: GameOverview, document: JsonObject, offered: LegalMoves) -> "PlayerTurn":
        """Returns the decision of the seat to act."""
        if known.turn is None:
            raise UnreadableAnswer(f"no seat of {known.id} is to act")
        turn = known.turn
        return cls(known.id, known.game, known.rules, turn.seat, turn.decision, known.version, document, offered)

    @cached_property
    def position(self) -> Position:
        """The board as the seat sees it."""
        return position_of(self.document)

    @property
    def offers(self) -> tuple[LegalMove, ...]:
        """The legal moves in notation and in words; of a long choice those that the service suggests."""
        return self.offered.moves

    @property
    def legal(self) -> list[str]:
        """The legal moves in notation."""
        return [offer.text for offer in self.offers]

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves as values."""
        return tuple(move_of(self.name, text) for text in self.legal)

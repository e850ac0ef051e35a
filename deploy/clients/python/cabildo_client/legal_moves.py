"""The legal moves of a decision as frozen dataclasses, and the slots of a choice that is too long to list."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from cabildo_client.errors import UnreadableAnswer
from cabildo_client.json_values import Json

AMOUNT: Final = "cubes"  # of a slot that says how many pieces, and of which
PARTS: Final = "of"


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """The seat to act and its decision."""

    seat: int
    decision: str


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move, in notation and in words."""

    text: str = field(metadata={"json": "move"})
    label: str = ""
    effect: str = ""


@dataclass(frozen=True, slots=True)
class MoveRefusal:
    """The reason why a move is not legal now."""

    move: str
    reason: str
    rule: str
    sentence: str
    rule_page: str = ""  # the address of the rule's paragraph on the service; empty: no rule can be cited


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of `why_not`, and whether it is legal; if not, `refused` has the reason."""

    move: str
    open: bool


@dataclass(frozen=True, slots=True)
class WhyNoMoves:
    """Why there are no moves: `not_your_turn`, `not_started`, `game_is_over`, `not_playing` or `not_seated`."""

    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class MoveContinuation:
    """The beginning of legal moves, up to the next choice, or a whole move."""

    text: str
    complete: bool


@dataclass(frozen=True, slots=True)
class SlotPart:
    """A thing to choose from, such as a place or a kind of good, and how many of it there are."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class MoveSlot:
    """A part of a long choice: a number alone, things to choose from, or a number of things to choose from."""

    name: str
    amount: int | None  # None: as many of the parts as the rules let
    parts: tuple[SlotPart, ...]

    @classmethod
    def from_member(cls, name: str, value: Json) -> "MoveSlot":
        """Returns a slot by its member in the document. Raises UnreadableAnswer."""
        if isinstance(value, Mapping) and PARTS in value:
            return cls(name, _number(value.get(AMOUNT), name), (*_parts(value[PARTS], name),))
        if isinstance(value, int):
            return cls(name, int(value), ())
        return cls(name, None, (*_parts(value, name),))


def _parts(value: Json, where: str) -> Iterator[SlotPart]:
    """Yields the things of an object with their numbers, or of a list, where each is there once."""
    if isinstance(value, Mapping):
        yield from (SlotPart(name, _number(count, where)) for name, count in value.items())
    elif isinstance(value, list):
        yield from (SlotPart(str(name), 1) for name in value)
    else:
        raise UnreadableAnswer(f"the slot {where} has no parts: {value!r:.80}")


def _number(value: Json, where: str) -> int:
    if not isinstance(value, int):
        raise UnreadableAnswer(f"the slot {where} has {value!r:.80} in place of a number")
    return value


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """Whose turn it is, and the moves of the player; of the seat to act, where the player has none in the game.

    Where `complete` is false, `moves` has some that make sense, and `slots` the parts of all others.
    """

    version: int
    seat: int | None
    decision: str | None
    viewer: int | None = None
    yours: bool = False
    none: WhyNoMoves | None = None
    moves: tuple[LegalMove, ...] = ()
    complete: bool = True
    count: int = 0
    slots: tuple[MoveSlot, ...] | None = None
    continuations: tuple[MoveContinuation, ...] = ()  # of the text that was asked for as the beginning of a move
    refused: tuple[MoveRefusal, ...] = ()
    asked: tuple[JudgedMove, ...] = ()  # all moves in `why_not`, in their order

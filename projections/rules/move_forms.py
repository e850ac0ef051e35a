"""The forms of moves as text: an example of each, by decision, with its meaning in five languages."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from projections.rules.catalogue import Catalogue, Row

NOTATION: Final = "notation"  # the subject of a game's catalogue; its rows are named by the moves


class MoveForm(NamedTuple):
    """A form of a move: an example in canonical notation, made at a decision."""

    decision: str
    move: str
    meaning: Row


def move_forms(decisions: Mapping[str, Sequence[str]], catalogue: Catalogue) -> tuple[MoveForm, ...]:
    """Returns the forms of all decisions with the meanings of a catalogue."""
    rows = catalogue.rows(NOTATION)
    return tuple(MoveForm(decision, move, rows[move]) for decision, moves in decisions.items() for move in moves)

"""Applies facts: the table of all facts and how each changes the position."""

from typing import Any, Final

from projections.rules.errors import BadFact
from projections.rules.fact_recorder import Changes
from projections.rules.spice_road.changes import cards, coins, cubes, frame
from projections.rules.spice_road.state.position import Position

CHANGES: Final[Changes[Position]] = {**cards.CHANGES, **coins.CHANGES, **cubes.CHANGES, **frame.CHANGES}
FACTS: Final = tuple(CHANGES)


def apply(position: Position, fact: tuple[Any, ...]) -> None:
    """Changes the position as the fact says. Raises BadFact for a fact that names a missing piece."""
    try:
        CHANGES[type(fact)](position, fact)
    except (IndexError, KeyError, ValueError) as wrong:
        raise BadFact(fact, "it cannot happen here") from wrong

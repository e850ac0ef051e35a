"""Applies facts: the table of the changes that each kind of fact makes."""

from typing import Any, Final

from projections.rules.fact_recorder import Changes
from projections.rules.puerto_rico.changes import bank, buildings, frame, goods, island, people, ships, trade
from projections.rules.puerto_rico.facts.moments import (
    CraftingBegun,
    LoadingOver,
    MayorTurnBegun,
    PayoutDue,
    SettlingOver,
)
from projections.rules.puerto_rico.state.position import Position

MOMENTS: Final = (MayorTurnBegun, CraftingBegun, PayoutDue, LoadingOver, SettlingOver)


def moment(_position: Position, _fact: object) -> None:
    """Buildings listen; the position stays."""


APPLY: Final[Changes[Position]] = {
    **dict.fromkeys(MOMENTS, moment),
    **frame.CHANGES,
    **bank.CHANGES,
    **island.CHANGES,
    **people.CHANGES,
    **buildings.CHANGES,
    **goods.CHANGES,
    **trade.CHANGES,
    **ships.CHANGES,
}


def apply_fact(position: Position, fact: Any) -> None:
    """Change the position as the fact says."""
    APPLY[fact.__class__](position, fact)

"""The stretches of a game that a player may leave answers for: the phase, the round, up to the next own role choice."""

from typing import Final

from projections.rules.puerto_rico.kinds import DRAFT, FINAL_GUESTS, ROLE_CHOICE
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import ROLES_EACH

NO_ROLE: Final = (DRAFT, ROLE_CHOICE, FINAL_GUESTS)  # phases that no role card begins


def spans_of(position: Position, seat: int) -> dict[str, int]:
    """Returns the running stretches, each with its number in the game."""
    before = (position.round - 1) * ROLES_EACH[position.seats] * position.seats  # role cards of earlier rounds
    own_before = (position.round - 1) * ROLES_EACH[position.seats]
    spans = {"round": position.round, "own_choice": own_before + _own_choices(position, seat)}
    if position.phase not in NO_ROLE:
        spans["phase"] = before + position.cards_taken
    if not position.ends:
        spans["last_round"] = 0
    return spans


def _own_choices(position: Position, seat: int) -> int:
    """Returns the number of role choices of the seat in this round that have begun."""
    begun = position.cards_taken + (position.phase == ROLE_CHOICE)
    return sum((position.governor + turn) % position.seats == seat for turn in range(begun))

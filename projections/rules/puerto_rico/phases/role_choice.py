"""The round: the next chooser, the cards left, and the end of the round (rules 3.1)."""

from functools import lru_cache
from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.made_once import SEATS, by_seat
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.facts.frame import GameEnded, PhaseBegun, RoleTaken, RoundEnded
from projections.rules.puerto_rico.kinds import DRAFT, FINAL_GUESTS, ROLE_CHOICE, ROLES
from projections.rules.puerto_rico.moves import Move, TakeRole
from projections.rules.puerto_rico.plan import CHOOSE_ROLE, FINISH
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import ROLES_EACH

ROLE_TAKEN: Final = tuple(tuple(RoleTaken(seat, role) for role in range(len(ROLES))) for seat in SEATS)
CHOICE_BEGUN: Final = tuple(PhaseBegun(ROLE_CHOICE, seat) for seat in SEATS)
ROUND_ENDED: Final = by_seat(RoundEnded)


def roles(position: Position, _seat: int) -> tuple[Move, ...]:
    """D-ROLE: every card not taken in this round; never decided automatically, two are always left."""
    return role_moves(position.cards_out)


@lru_cache(maxsize=512)
def role_moves(cards: int) -> tuple[Move, ...]:
    """The choices among these cards."""
    return tuple(TakeRole(role) for role in range(len(ROLES)) if cards >> role & 1)


def take_role(position: Position, seat: int, move: TakeRole, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The card, and the doubloons on it, go to the chooser at once (R-6)."""
    recorder.record(position, ROLE_TAKEN[seat][move.role])


def next_phase(position: Position, recorder: FactRecorder[Position]) -> None:
    """A phase is over: the next chooser, a new round, or the last windows before scoring."""
    seats = position.seats
    if position.phase == DRAFT:
        recorder.record(position, CHOICE_BEGUN[position.governor])
    elif position.cards_taken < seats * ROLES_EACH[seats]:
        recorder.record(position, CHOICE_BEGUN[(position.chooser + 1) % seats])
    elif position.ends:
        recorder.record(position, ROUND_ENDED[position.governor])
        recorder.record(position, PhaseBegun(FINAL_GUESTS, position.governor))
    else:
        recorder.record(position, ROUND_ENDED[(position.governor + 1) % seats])
        recorder.record(position, CHOICE_BEGUN[position.governor])


def finish(position: Position, _seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Nothing is left to decide."""
    recorder.record(position, GameEnded())


CHOICES: Final[dict[int, effects.Choice]] = {CHOOSE_ROLE: roles}
DUTIES: Final[dict[int, effects.Duty]] = {FINISH: finish}
DEEDS: Final[dict[type, effects.Deed]] = {TakeRole: take_role}

"""Changes of the frame: phases, rounds, the seat to act, and the end."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.puerto_rico.facts import frame as f
from projections.rules.puerto_rico.kinds import DRAFT, NO_GOODS, NONE, OVER, PROSPECTOR, ROLE_CHOICE
from projections.rules.puerto_rico.plan import START
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import COPIES


def bring_into_play(position: Position, building: int) -> None:
    """All copies of a kind are on display."""
    position.in_play |= 1 << building
    position.on_display |= 1 << building
    position.display[building] = COPIES[position.seats][building]
    position.programs = None


def buildings_laid_out(position: Position, fact: f.BuildingsLaidOut) -> None:
    for building in fact.buildings:
        bring_into_play(position, building)


def building_drafted(position: Position, fact: f.BuildingDrafted) -> None:
    bring_into_play(position, fact.building)


def phase_begun(position: Position, fact: f.PhaseBegun) -> None:
    if position.phase == DRAFT:
        position.round = 1  # the draft was round 0, or by the first rules round 1 already
    _forget(position)
    position.phase, position.chooser = fact


def _forget(position: Position) -> None:
    """A new phase: nothing has been done in it."""
    seats = position.seats
    position.done = [0] * seats
    position.produced = [NO_GOODS] * seats
    position.received = [NO_GOODS] * seats
    position.turns = 0
    position.step = START
    position.actor = NONE
    if position.phase != ROLE_CHOICE:  # said before a role is chosen, it holds through the role's phase
        position.staying = 0


def awaits(position: Position, fact: f.Awaits) -> None:
    position.actor, position.step = fact


def role_taken(position: Position, fact: f.RoleTaken) -> None:
    seat, role = fact
    _forget(position)
    position.phase = role if role < PROSPECTOR else PROSPECTOR
    position.chooser = seat
    position.cards_out ^= 1 << role
    position.card_taken_by[role] = seat
    position.cards_taken += 1
    position.doubloons[seat] += position.card_doubloons[role]
    position.card_doubloons[role] = 0


def round_ended(position: Position, fact: f.RoundEnded) -> None:
    taken_by = position.card_taken_by
    for role in range(len(taken_by)):
        if taken_by[role] != NONE:
            position.cards_out |= 1 << role
            taken_by[role] = NONE
        elif position.cards_out >> role & 1:
            position.card_doubloons[role] += 1
    position.cards_taken = 0
    position.governor = fact.governor
    if not (position.ends and position.rulings.rounds_as_played):
        position.round += 1


def end_met(position: Position, fact: f.EndMet) -> None:
    position.ends |= fact.end


def game_ended(position: Position, _fact: f.GameEnded) -> None:
    position.phase = OVER
    position.step = START
    position.actor = NONE


CHANGES: Final[Changes[Position]] = {
    f.BuildingsLaidOut: buildings_laid_out,
    f.BuildingDrafted: building_drafted,
    f.PhaseBegun: phase_begun,
    f.Awaits: awaits,
    f.RoleTaken: role_taken,
    f.RoundEnded: round_ended,
    f.EndMet: end_met,
    f.GameEnded: game_ended,
}

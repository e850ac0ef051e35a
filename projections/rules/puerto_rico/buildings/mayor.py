"""Effects of buildings in the mayor phase."""

from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.facts.moments import MayorTurnBegun
from projections.rules.puerto_rico.facts.people import ColonistsGained, NobleGained
from projections.rules.puerto_rico.state.position import Position


def villa(position: Position, fact: MayorTurnBegun, recorder: FactRecorder[Position]) -> None:
    """Villa: a noble from the supply, else a colonist, else nothing (R-78)."""
    if position.noble_supply:
        recorder.record(position, NobleGained(fact.seat))
    elif position.colonist_supply:
        recorder.record(position, ColonistsGained(fact.seat, 1))

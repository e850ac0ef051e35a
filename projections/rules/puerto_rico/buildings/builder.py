"""Effects of buildings in the builder phase; the black market has a module of its own."""

from typing import Final

from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.buildings.printed import COLUMNS, Building
from projections.rules.puerto_rico.engine.awards import award, colonist_source
from projections.rules.puerto_rico.facts.buildings import BuildingBought
from projections.rules.puerto_rico.facts.people import BuildingStaffed
from projections.rules.puerto_rico.kinds import NONE
from projections.rules.puerto_rico.state.position import Position

CHURCH_POINTS: Final = (0, 0, 1, 1, 2)  # by column


def colonist_for_building(position: Position, _seat: int) -> bool:
    """Returns whether a colonist is left for the university to place on a building."""
    return colonist_source(position) != NONE


def staff_building(position: Position, fact: BuildingBought, recorder: FactRecorder[Position]) -> None:
    """University: a colonist on the building just built; without a circle he goes to San Juan (R-39)."""
    source = colonist_source(position)
    if source != NONE:
        recorder.record(position, BuildingStaffed(fact.seat, fact.building, source))


def church(position: Position, fact: BuildingBought, recorder: FactRecorder[Position]) -> None:
    """Church: points by the column of the new building, never for the church itself (R-38)."""
    if fact.building != Building.CHURCH:
        award(position, fact.seat, CHURCH_POINTS[COLUMNS[fact.building]], recorder)

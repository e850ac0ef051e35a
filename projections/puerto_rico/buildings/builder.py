"""What buildings do in the builder phase."""

from projections.puerto_rico.chronicle import Telling
from projections.puerto_rico.facts import BuildingBought, BuildingStaffed
from projections.puerto_rico.gains import colonist_source
from projections.puerto_rico.kinds import NONE
from projections.puerto_rico.position import Position


def colonist_for_building(position: Position, _seat: int) -> bool:
    """Whether the university has somebody to put on a building."""
    return colonist_source(position) != NONE


def staff_building(position: Position, fact: BuildingBought, chronicle: Telling) -> None:
    """University: a colonist on the building just built (R-39)."""
    source = colonist_source(position)
    if source != NONE:
        chronicle.tell(position, BuildingStaffed(fact.seat, fact.building, source))

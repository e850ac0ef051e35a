"""What buildings do in the settler phase."""

from projections.puerto_rico.chronicle import Telling
from projections.puerto_rico.facts import TileStaffed, TileTaken
from projections.puerto_rico.gains import colonist_source, has_space, tile_obtainable
from projections.puerto_rico.kinds import FOREST, FROM_SHIP, NONE
from projections.puerto_rico.moves import PASS, Draw, Move
from projections.puerto_rico.position import Position

DRAWS = (Draw(), PASS)


def draws(position: Position, seat: int) -> tuple[Move, ...]:
    """Hacienda: a face-down tile before the normal take (D-SET-HAC)."""
    return DRAWS if has_space(position, seat) and tile_obtainable(position) else (PASS,)


def source_for_tile(position: Position) -> int:
    """Where the hospice finds its colonist: the supply, and with the usual ruling the ship (R-17)."""
    source = colonist_source(position)
    return NONE if source == FROM_SHIP and not position.rulings.hospice_ship_fallback else source


def colonist_for_tile(position: Position, _seat: int) -> bool:
    """Whether the hospice has somebody to put on a tile."""
    return source_for_tile(position) != NONE


def staff_tile(position: Position, fact: TileTaken, chronicle: Telling) -> None:
    """Hospice: a colonist on the tile just taken; for a forest he goes to San Juan (R-22)."""
    source = source_for_tile(position)
    if source != NONE:
        chronicle.tell(position, TileStaffed(fact.seat, FOREST if fact.forest else fact.tile, source))

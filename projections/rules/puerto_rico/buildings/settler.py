"""Effects of buildings in the settler phase."""

from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.awards import award, colonist_source, has_space, tile_obtainable
from projections.rules.puerto_rico.facts.island import TileRemoved, TileSold, TileTaken
from projections.rules.puerto_rico.facts.moments import SettlingOver
from projections.rules.puerto_rico.facts.people import TileStaffed
from projections.rules.puerto_rico.kinds import COLONIST, FOREST, FROM_SHIP, NOBLE, NOBODY, NONE, QUARRY
from projections.rules.puerto_rico.moves import PASS, Draw, Move, Unplant
from projections.rules.puerto_rico.plan import LODGE
from projections.rules.puerto_rico.state.position import Position

DRAWS: Final = (Draw(), PASS)
LODGE_POINTS: Final = 2


def draws(position: Position, seat: int) -> tuple[Move, ...]:
    """Hacienda: a face-down tile before the normal take (D-SET-HAC)."""
    return DRAWS if has_space(position, seat) and tile_obtainable(position) else (PASS,)


def source_for_tile(position: Position) -> int:
    """Where the hospice finds its colonist: the supply, and with the usual ruling the ship (R-17)."""
    source = colonist_source(position)
    return NONE if source == FROM_SHIP and not position.rulings.hospice_ship_fallback else source


def colonist_for_tile(position: Position, _seat: int) -> bool:
    """Returns whether a colonist is left for the hospice to place on a tile."""
    return source_for_tile(position) != NONE


def staff_tile(position: Position, fact: TileTaken, recorder: FactRecorder[Position]) -> None:
    """Hospice: a colonist on the tile just taken; for a forest he goes to San Juan (R-22)."""
    source = source_for_tile(position)
    if source != NONE:
        recorder.record(position, TileStaffed(fact.seat, FOREST if fact.forest else fact.tile, source))


def most_empty(position: Position, fact: SettlingOver, recorder: FactRecorder[Position]) -> None:
    """Hunting lodge with a noble: points for having the most empty island spaces alone (R-75)."""
    islands = [position.island(seat) for seat in range(position.seats)]
    own = islands.pop(fact.seat)
    if own < min(islands):
        award(position, fact.seat, LODGE_POINTS, recorder)


def lodge_removals(position: Position, seat: int) -> tuple[Move, ...]:
    """Hunting lodge with a colonist: one own plantation or forest, or nothing (D-SET-LODGE)."""
    return (*removals(position, seat, forests=True), PASS)


def removals(position: Position, seat: int, *, forests: bool) -> list[Move]:
    """The own plantations, and forests if they count, that differ by kind, occupant and hidden face."""
    moves: list[Move] = []
    for tile in range(QUARRY):
        people, nobles = position.tile_people[seat][tile], position.tile_nobles[seat][tile]
        numbers = ((NOBODY, position.tiles[seat][tile] - people), (COLONIST, people - nobles), (NOBLE, nobles))
        moves += [Unplant(tile, person) for person, number in numbers if number]
    if forests and position.tiles[seat][FOREST]:
        moves += [Unplant(FOREST, face=face) for face in _faces(position, seat)]
    return moves


def _faces(position: Position, seat: int) -> list[int]:
    if position.rulings.forest_stack:
        return [NONE]
    known, hidden = position.faces[seat], position.hidden_faces[seat]
    return [face for face in range(len(known)) if known[face] + hidden[face]]


def unplant(position: Position, seat: int, move: Unplant, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The tile goes to the discards: for nothing by the hunting lodge, for a doubloon by the land office (R-76)."""
    fact = TileRemoved if position.step == LODGE else TileSold
    recorder.record(position, fact(seat, move.tile, move.person, move.face))


DEEDS: Final[dict[type, effects.Deed]] = {Unplant: unplant}

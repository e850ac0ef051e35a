"""Changes of the row, the piles and the islands."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.puerto_rico.changes.people import leave_tile, to_san_juan
from projections.rules.puerto_rico.facts import island as f
from projections.rules.puerto_rico.kinds import DREW, FOREST, NOBLE, NOBODY, NONE, OFFICE_USED, QUARRY
from projections.rules.puerto_rico.state.position import Position


def tile_taken(position: Position, fact: f.TileTaken | f.SecondTileTaken) -> None:
    seat, tile, forest = fact
    if tile == QUARRY:
        position.quarries -= 1
        position.tiles[seat][QUARRY] += 1
        return
    position.row[tile] -= 1
    _place(position, seat, tile, forest, position.faces)


def tile_bought(position: Position, fact: f.TileBought) -> None:
    position.doubloons[fact.seat] -= 1
    position.done[fact.seat] |= OFFICE_USED
    position.row[fact.tile] -= 1
    _place(position, fact.seat, fact.tile, fact.forest, position.faces)


def _place(position: Position, seat: int, tile: int, forest: bool, faces: list[list[int]]) -> None:
    if not forest:
        position.tiles[seat][tile] += 1
        return
    position.tiles[seat][FOREST] += 1
    if position.rulings.forest_stack:
        position.forests -= 1
        position.discards[tile] += 1
    else:
        faces[seat][tile] += 1


def draw_paid(position: Position, fact: f.DrawPaid) -> None:
    position.doubloons[fact.seat] -= 1
    position.done[fact.seat] |= OFFICE_USED


def tile_drawn(position: Position, fact: f.TileDrawn) -> None:
    seat, tile = fact
    position.pile[tile] -= 1
    position.hand = tile
    position.done[seat] |= DREW


def drawn_tile_placed(position: Position, fact: f.DrawnTilePlaced) -> None:
    faces = position.hidden_faces if position.rulings.hidden_faces else position.faces
    _place(position, fact.seat, position.hand, fact.forest, faces)
    position.hand = NONE


def tile_removed(position: Position, fact: f.TileRemoved | f.TileSold) -> None:
    seat, tile, person, face = fact
    position.tiles[seat][tile] -= 1
    if tile != FOREST:
        position.discards[tile] += 1
    elif position.rulings.forest_stack:
        position.forests += 1
    else:
        known = position.faces[seat]
        (known if known[face] else position.hidden_faces[seat])[face] -= 1
        position.discards[face] += 1
    if person != NOBODY:
        leave_tile(position, seat, tile, person)
        to_san_juan(position, seat, 1, 1 if person == NOBLE else 0)


def tile_sold(position: Position, fact: f.TileSold) -> None:
    tile_removed(position, fact)
    position.doubloons[fact.seat] += 1
    position.done[fact.seat] |= OFFICE_USED


def row_cleared(position: Position, _fact: f.RowCleared) -> None:
    discards, row = position.discards, position.row
    for tile in range(len(row)):
        discards[tile] += row[tile]
        row[tile] = 0


def discards_shuffled(position: Position, _fact: f.DiscardsShuffled) -> None:
    pile, discards = position.pile, position.discards
    for tile in range(len(pile)):
        pile[tile] += discards[tile]
        discards[tile] = 0


def row_dealt(position: Position, fact: f.RowDealt) -> None:
    pile, row = position.pile, position.row
    for tile in fact.tiles:
        pile[tile] -= 1
        row[tile] += 1


CHANGES: Final[Changes[Position]] = {
    f.TileTaken: tile_taken,
    f.SecondTileTaken: tile_taken,
    f.TileBought: tile_bought,
    f.DrawPaid: draw_paid,
    f.TileDrawn: tile_drawn,
    f.DrawnTilePlaced: drawn_tile_placed,
    f.TileRemoved: tile_removed,
    f.TileSold: tile_sold,
    f.RowCleared: row_cleared,
    f.DiscardsShuffled: discards_shuffled,
    f.RowDealt: row_dealt,
}

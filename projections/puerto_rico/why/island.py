"""Why a tile cannot be taken, bought or removed."""

from projections.puerto_rico import ask
from projections.puerto_rico.buildings.kinds import CONSTRUCTION_HUT, FOREST_HOUSE, LAND_OFFICE
from projections.puerto_rico.facts import TileTaken
from projections.puerto_rico.gains import has_space, tile_obtainable
from projections.puerto_rico.kinds import COLONIST, FOREST, NOBLE, NOBODY, NONE, OFFICE_USED, QUARRY
from projections.puerto_rico.moves import Plant, Take, Unplant
from projections.puerto_rico.plan import LODGE, SECOND_TAKE
from projections.puerto_rico.position import Position
from projections.puerto_rico.tables import ISLAND_SPACES
from projections.puerto_rico.why.words import Reason, building, tile, unoccupied, waived


def take(position: Position, seat: int, move: Take) -> Reason | None:
    """A tile that cannot be taken."""
    if not has_space(position, seat):
        return Reason("island_full", "3.4", f"All {ISLAND_SPACES} spaces of your island are filled.")
    reason = _quarry(position, seat) if move.tile == QUARRY else _row(position, seat, move.tile, forest=move.forest)
    if reason is not None:
        return reason
    possible = (0,) if position.step == SECOND_TAKE else ask.waivers(position, seat, TileTaken)
    return waived(possible, move.waived, "3.4")


def _quarry(position: Position, seat: int) -> Reason | None:
    if not position.quarries:
        return Reason("no_quarry_left", "3.4", "No quarry is left.")
    if ask.allowed(position, seat, ask.TAKE_QUARRY):
        return None
    hut = building(CONSTRUCTION_HUT)
    if position.step == SECOND_TAKE:
        return Reason("second_quarry", "R-25", f"A second quarry needs an occupied {hut}.")
    return Reason("quarry_not_allowed", "3.4", f"A quarry is for the settler, or for an occupied {hut}.")


def _row(position: Position, seat: int, kind: int, *, forest: bool) -> Reason | None:
    if not position.row[kind]:
        return Reason("not_in_row", "3.4", f"No {tile(kind)} lies in the row.")
    return _forest(position, seat) if forest else None


def _forest(position: Position, seat: int) -> Reason | None:
    if not ask.allowed(position, seat, ask.MAKE_FOREST):
        return unoccupied(position, seat, FOREST_HOUSE, "R-20")
    if position.rulings.forest_stack and not position.forests:
        return Reason("no_forest_left", "R-20", "No forest tile is left.")
    return None


def plant(position: Position, seat: int, move: Plant) -> Reason | None:
    """A tile that the land office cannot buy."""
    reason = unoccupied(position, seat, LAND_OFFICE, "4.4") or _office_used(position, seat)
    if reason is not None:
        return reason
    if position.city_nobles[seat][LAND_OFFICE]:
        return Reason("noble_sells", "4.4", "With a noble on it the land office sells tiles, it does not buy them.")
    if not position.doubloons[seat]:
        return Reason("no_doubloon", "4.4", "You have no doubloon to pay with.")
    if not has_space(position, seat):
        return Reason("island_full", "4.4", f"All {ISLAND_SPACES} spaces of your island are filled.")
    return _source(position, seat, move)


def _source(position: Position, seat: int, move: Plant) -> Reason | None:
    if position.rulings.office_from_row and move.tile != NONE:
        return _row(position, seat, move.tile, forest=move.forest)
    if position.rulings.office_from_row:
        return Reason("name_a_tile", "R-72", "In this game the land office buys from the row; name the tile.")
    if move.tile != NONE:
        return Reason("face_down_only", "R-72", "In this game the land office buys the top face-down tile.")
    return None if tile_obtainable(position) else Reason("no_tile_left", "R-12", "No face-down tile is left.")


def _office_used(position: Position, seat: int) -> Reason | None:
    used = position.done[seat] & OFFICE_USED
    return Reason("office_used", "4.4", "Your land office was used in this phase.") if used else None


def unplant(position: Position, seat: int, move: Unplant) -> Reason | None:
    """A tile that cannot be removed."""
    if position.step != LODGE:
        reason = unoccupied(position, seat, LAND_OFFICE, "4.4") or _office_used(position, seat)
        if reason is not None:
            return reason
        if not position.city_nobles[seat][LAND_OFFICE]:
            return Reason("colonist_buys", "4.4", "With a colonist on it the land office buys tiles, it does not sell.")
    if move.tile == QUARRY:
        return Reason("quarry_stays", "4.4", "Quarries cannot be removed.")
    if not position.tiles[seat][move.tile]:
        return Reason("no_such_tile", "4.4", f"There is no {tile(move.tile)} on your island.")
    return _which(position, seat, move)


def _which(position: Position, seat: int, move: Unplant) -> Reason:
    if move.tile == FOREST and position.step != LODGE and not position.rulings.office_sells_forest:
        return Reason("forest_stays", "R-73", "In this game the land office does not sell forests.")
    if move.tile == FOREST:
        return Reason("no_such_forest", "4.4", "No forest of yours has this hidden face; name the face.")
    people, nobles = position.tile_people[seat][move.tile], position.tile_nobles[seat][move.tile]
    standing = {NOBODY: position.tiles[seat][move.tile] - people, COLONIST: people - nobles, NOBLE: nobles}
    who = {NOBODY: "unoccupied", COLONIST: "with a colonist", NOBLE: "with a noble"}
    if not standing[move.person]:
        return Reason("no_such_tile", "4.4", f"You have no {tile(move.tile)} that is {who[move.person]}.")
    return Reason("no_such_tile", "4.4", f"Only forests have a hidden face; a {tile(move.tile)} has none.")

"""Invariants of every position (rules 12): each piece is there once, and the turn fits the table."""

from collections.abc import Sequence
from typing import NoReturn

from projections.rules.errors import ImpossiblePosition
from projections.rules.puerto_rico.buildings.printed import NAMES, members
from projections.rules.puerto_rico.engine.flow import moves_at, running_program
from projections.rules.puerto_rico.kinds import (
    CAPTAIN,
    CITY_FULL,
    DRAFT,
    FINAL_GUESTS,
    FOREST,
    GOODS,
    NONE,
    OVER,
    PROSPECTOR,
    QUARRY,
    ROLE_CHOICE,
    ROLES,
    TRADER,
    VP_GONE,
)
from projections.rules.puerto_rico.phases.draft import candidates
from projections.rules.puerto_rico.plan import KEEPS, PLACE
from projections.rules.puerto_rico.rulings import buildings_laid_out
from projections.rules.puerto_rico.state.document_reader import DocumentNode
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import (
    CITY_SPACES,
    COLONISTS,
    COLONISTS_WITH_NOBLES,
    COPIES,
    FORESTS,
    GOODS_TOKENS,
    HOUSE_PLACES,
    ISLAND_SPACES,
    NOBLES_IN_GAME,
    PLANTATIONS,
    QUARRIES,
    ROLES_EACH,
)


def check(position: Position, players: Sequence[DocumentNode]) -> None:
    """Refuse a position that no game can reach by counting; refuses with ImpossiblePosition."""
    _check_round(position)
    _check_goods(position)
    _check_tiles(position)
    _check_people(position)
    _check_points(position)
    _check_buildings(position)
    for seat, player in enumerate(players):
        _check_board(position, seat, player)
    _check_middle(position)
    _check_cards(position)
    _check_turn(position)


def _refuse(where: str, reason: str, /, **values: object) -> NoReturn:
    raise ImpossiblePosition(where, reason, **values)


def _must_be(where: str, what: str, found: int, wanted: int) -> None:
    if found != wanted:
        _refuse(where, "{found} {what} in all; the game has {wanted}", found=found, what=what, wanted=wanted)


def _check_round(position: Position) -> None:
    """Rounds count from 1; the draft is round 0, unless the first rules count it as round 1 (6.1)."""
    draft = position.phase == DRAFT and position.rulings.rounds_as_played
    if draft != (position.round == 0):
        _refuse("round", "the draft is round 0, and other rounds count from 1")


def _check_goods(position: Position) -> None:
    for good, wanted in enumerate(GOODS_TOKENS[position.seats]):
        owned = sum(goods[good] for goods in position.goods)
        shipped = sum(load for kind, load in zip(position.ship_good, position.ship_load, strict=True) if kind == good)
        found = position.goods_supply[good] + owned + shipped + position.house.count(good)
        _must_be("supply.goods", GOODS[good], found, wanted)


def _check_tiles(position: Position) -> None:
    for tile, wanted in enumerate(PLANTATIONS[position.seats]):
        islands = sum(tiles[tile] for tiles in position.tiles)
        faces = sum(faces[tile] for faces in (*position.faces, *position.hidden_faces))
        table = position.pile[tile] + position.row[tile] + position.discards[tile] + (position.hand == tile)
        _must_be("plantations", f"{GOODS[tile]} plantations", islands + faces + table, wanted)
    quarries = position.quarries + sum(tiles[QUARRY] for tiles in position.tiles)
    _must_be("plantations.quarries", "quarries", quarries, QUARRIES[position.seats])
    if position.rulings.forest_stack or not position.rulings.new_buildings:
        forests = position.forests + sum(tiles[FOREST] for tiles in position.tiles)
        _must_be("plantations.forests", "forests", forests, FORESTS if position.rulings.new_buildings else 0)
    elif position.forests:
        _refuse("plantations.forests", "forests are face-down plantations in this game")


def _check_people(position: Position) -> None:
    seats = range(position.seats)
    nobles = sum(position.nobles_of(seat) for seat in seats)
    colonists = sum(position.people_of(seat) for seat in seats) - nobles
    in_game = COLONISTS_WITH_NOBLES if position.rulings.nobles else COLONISTS[position.seats]
    _must_be("colonists", "colonists", position.colonist_supply + position.colonist_ship + colonists, in_game)
    in_game = NOBLES_IN_GAME if position.rulings.nobles else 0
    _must_be("nobles", "nobles", position.noble_supply + position.noble_ship + nobles, in_game)


def _check_points(position: Position) -> None:
    _must_be("supply.vp_chips", "chips", position.vp_supply + sum(position.chips), position.rulings.vp_pool)
    gone = position.ends & VP_GONE
    if not gone and not position.rulings.captain_ends_vp and (not position.vp_supply or any(position.noted)):
        _refuse("ends", "an empty supply of victory points ends the game")


def _check_buildings(position: Position) -> None:
    laid = sum(1 << kind for kind in buildings_laid_out(position.rulings))
    chosen = position.in_play & ~laid
    if laid & ~position.in_play:
        _refuse("supply.buildings", "{building} is missing", building=NAMES[members(laid & ~position.in_play)[0]])
    in_play = laid
    for kind in members(chosen):
        if kind not in candidates(position.rulings, in_play) or not (position.rulings.draft or position.rulings.drawn):
            _refuse("supply.buildings", "{building} cannot be in this game", building=NAMES[kind])
        in_play |= 1 << kind
    drafted = (position.rulings.draft or position.rulings.drawn) and position.phase != DRAFT
    if drafted and candidates(position.rulings, position.in_play):
        _refuse("supply.buildings", "the draft is not complete")
    for kind in members(position.in_play):
        owners = sum(owned >> kind & 1 for owned in position.owned)
        _must_be("supply.buildings", NAMES[kind], position.display[kind] + owners, COPIES[position.seats][kind])


def _check_board(position: Position, seat: int, node: DocumentNode) -> None:
    if position.owned[seat] & ~position.in_play:
        node["city"].refuse("a building that is not in this game")
    if position.spaces[seat] > CITY_SPACES:
        node["city"].refuse("more than {most} city spaces", most=CITY_SPACES)
    if position.spaces[seat] == CITY_SPACES and not position.ends & CITY_FULL:
        node["city"].refuse("a full city ends the game, and `ends` does not say so")
    if position.island(seat) + (position.hand != NONE and seat == position.actor) > ISLAND_SPACES:
        node["island"].refuse("more than {most} island spaces", most=ISLAND_SPACES)
    taken = {role for role, taker in enumerate(position.card_taken_by) if taker == seat}
    if {role.name(ROLES) for role in node["role"].items()} != taken:
        node["role"].refuse("does not agree with the role cards")


def _check_middle(position: Position) -> None:
    carried = [good for good in position.ship_good if good != NONE]
    if len(set(carried)) != len(carried):
        _refuse("ships", "two ships carry the same kind")
    if position.phase != CAPTAIN and position.ship_load.count(0) < len(position.holds):
        full = [load == capacity for load, capacity in zip(position.ship_load, position.holds, strict=True)]
        if any(full):
            _refuse("ships", "full ships leave at the end of a captain phase")
    if len(position.house) > (HOUSE_PLACES if position.phase == TRADER else HOUSE_PLACES - 1):
        _refuse("trading_house", "a full house is emptied at the end of a trader phase")


def _check_cards(position: Position) -> None:
    """The seats that have chosen follow from the governor and the number of cards taken."""
    seats, taken = position.seats, position.cards_taken
    wanted = [0] * seats
    for turn in range(taken):
        wanted[(position.governor + turn) % seats] += 1
    if [position.card_taken_by.count(seat) for seat in range(seats)] != wanted:
        _refuse("roles", "the seats choose in turn, beginning with the governor")
    if any(position.card_doubloons[role] for role, taker in enumerate(position.card_taken_by) if taker != NONE):
        _refuse("roles", "a card that was taken carries no doubloons")
    if position.phase < DRAFT:
        _check_running(position)
    elif position.phase == ROLE_CHOICE:
        if taken >= seats * ROLES_EACH[seats]:
            _refuse("roles", "all have chosen in this round")
        if position.chooser != (position.governor + taken) % seats:
            _refuse("phase.chooser", "another seat is to choose")
    elif taken:
        _refuse("roles", "no role card is taken now")


def _check_running(position: Position) -> None:
    roles = [role for role, taker in enumerate(position.card_taken_by) if taker == position.chooser]
    if position.phase not in [min(role, PROSPECTOR) for role in roles]:
        _refuse("turn.role", "the chooser has not taken this role")
    if position.chooser != (position.governor + position.cards_taken - 1) % position.seats:
        _refuse("phase.chooser", "another seat chose last")


def _check_turn(position: Position) -> None:
    """The seat must stand at a step of the phase where it has something to decide."""
    if position.phase == OVER:
        if position.actor != NONE:
            _refuse("turn", "the game is over")
        return
    if position.phase == FINAL_GUESTS and not position.ends:
        _refuse("ends", "the last windows come when an end condition was met")
    if (position.step, position.actor) not in running_program(position).places:
        _refuse("turn", "this seat does not have this decision in this phase")
    if (position.hand != NONE) != (position.step in KEEPS):
        _refuse("phase.drawn_tile", "a drawn tile is placed before anything else")
    if any(position.sealed) and not (position.rulings.sealed_placement and position.step == PLACE):
        _refuse("phase.sealed_placements", "placements are sealed only while other seats decide theirs")
    if not len(moves_at(position, position.actor, position.step)):
        _refuse("turn", "the seat has no decision here")

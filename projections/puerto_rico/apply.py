"""What each fact changes: one small function per fact. They know no rules and draw nothing."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from projections.puerto_rico import facts as f
from projections.puerto_rico.buildings.kinds import CIRCLES, COUNT, NOBLE_POSTS, POSTS, SAN_JUAN, SPACES
from projections.puerto_rico.kinds import (
    BUILDINGS_FROM,
    DREW,
    FINISHED,
    FOREST,
    FROM_SUPPLY,
    GREETED,
    HAD_TURN,
    LOADED,
    LOADED_AGAIN,
    NO_GOODS,
    NOBLE,
    NOBODY,
    NONE,
    OFFICE_USED,
    OVER,
    PROSPECTOR,
    QUARRY,
    ROLE_CHOICE,
    SMALL_WHARF_USED,
    SOLD,
    WHARF_USED,
    Goods5,
)
from projections.puerto_rico.moves import People
from projections.puerto_rico.plan import START
from projections.puerto_rico.position import Position
from projections.puerto_rico.tables import COPIES

# --- the frame -----------------------------------------------------------------------------------------------------


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
    _forget(position)
    position.phase = fact.phase
    position.chooser = fact.chooser


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
    position.actor = fact.seat
    position.step = fact.step


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
    position.round += 1


def end_met(position: Position, fact: f.EndMet) -> None:
    position.ends |= fact.end


def game_ended(position: Position, _fact: f.GameEnded) -> None:
    position.phase = OVER
    position.step = START
    position.actor = NONE


def moment(_position: Position, _fact: object) -> None:
    """Buildings listen; the position stays."""


# --- doubloons and victory points ----------------------------------------------------------------------------------


def doubloons_gained(position: Position, fact: f.DoubloonsGained) -> None:
    position.doubloons[fact.seat] += fact.doubloons


def vp_gained(position: Position, fact: f.VpGained) -> None:
    seat, chips, noted = fact
    position.chips[seat] += chips
    position.vp_supply -= chips
    position.noted[seat] += noted


# --- island tiles --------------------------------------------------------------------------------------------------


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
    position.pile[fact.tile] -= 1
    position.hand = fact.tile
    position.done[fact.seat] |= DREW


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
        _leave_tile(position, seat, tile, person)
        _to_san_juan(position, seat, 1, 1 if person == NOBLE else 0)


def tile_sold(position: Position, fact: f.TileSold) -> None:
    tile_removed(position, fact)
    position.doubloons[fact.seat] += 1
    position.done[fact.seat] |= OFFICE_USED


def row_cleared(position: Position, _fact: f.RowCleared) -> None:
    position.discards = [old + new for old, new in zip(position.discards, position.row, strict=True)]
    position.row = [0] * 5


def discards_shuffled(position: Position, _fact: f.DiscardsShuffled) -> None:
    position.pile = [old + new for old, new in zip(position.pile, position.discards, strict=True)]
    position.discards = [0] * 5


def row_dealt(position: Position, fact: f.RowDealt) -> None:
    for tile in fact.tiles:
        position.pile[tile] -= 1
        position.row[tile] += 1


# --- people --------------------------------------------------------------------------------------------------------


def _to_san_juan(position: Position, seat: int, people: int, nobles: int) -> None:
    position.san_juan[seat] += people
    position.san_juan_nobles[seat] += nobles


def _leave_tile(position: Position, seat: int, tile: int, person: int) -> None:
    position.tile_people[seat][tile] -= 1
    if person == NOBLE:
        position.tile_nobles[seat][tile] -= 1


def colonists_gained(position: Position, fact: f.ColonistsGained) -> None:
    position.colonist_supply -= fact.colonists
    position.san_juan[fact.seat] += fact.colonists


def noble_gained(position: Position, fact: f.NobleGained) -> None:
    position.noble_supply -= 1
    _to_san_juan(position, fact.seat, 1, 1)


def people_landed(position: Position, fact: f.PeopleLanded) -> None:
    seat, colonists, nobles = fact
    position.colonist_ship -= colonists
    position.noble_ship -= nobles
    position.turns += 1
    _to_san_juan(position, seat, colonists + nobles, nobles)


def placement_sealed(position: Position, fact: f.PlacementSealed) -> None:
    position.sealed[fact.seat] = fact.people


def people_placed(position: Position, fact: f.PeoplePlaced) -> None:
    seat, people = fact
    total, nobles = position.people_of(seat), position.nobles_of(seat)
    position.tile_people[seat] = on_tiles = [0] * 7
    position.city_people[seat] = in_city = [0] * COUNT
    if nobles:
        position.tile_nobles[seat] = [0] * 7
        position.city_nobles[seat] = [0] * COUNT
        nobles -= _place_nobles(position, seat, people)
    working = 0
    for place, colonists, noble in people:
        total -= colonists + noble
        if place < BUILDINGS_FROM:
            on_tiles[place] = colonists + noble
        else:
            building = place - BUILDINGS_FROM
            in_city[building] = colonists + noble
            working |= NOBLE_POSTS[building] if noble else POSTS[building]
    position.working[seat] = working
    position.san_juan[seat] = total
    position.san_juan_nobles[seat] = nobles
    position.sealed[seat] = None


def _place_nobles(position: Position, seat: int, people: People) -> int:
    placed = 0
    for place, _, nobles in people:
        placed += nobles
        if place < BUILDINGS_FROM:
            position.tile_nobles[seat][place] = nobles
        else:
            position.city_nobles[seat][place - BUILDINGS_FROM] = nobles
    return placed


def ship_refilled(position: Position, fact: f.ShipRefilled) -> None:
    position.colonist_supply -= fact.colonists
    position.colonist_ship += fact.colonists
    position.noble_supply -= fact.nobles
    position.noble_ship += fact.nobles


def _fetch(position: Position, source: int) -> None:
    if source == FROM_SUPPLY:
        position.colonist_supply -= 1
    else:
        position.colonist_ship -= 1


def tile_staffed(position: Position, fact: f.TileStaffed) -> None:
    seat, tile, source = fact
    _fetch(position, source)
    if tile == FOREST:
        position.san_juan[seat] += 1
    else:
        position.tile_people[seat][tile] += 1


def building_staffed(position: Position, fact: f.BuildingStaffed) -> None:
    seat, building, source = fact
    _fetch(position, source)
    if CIRCLES[building]:
        position.city_people[seat][building] += 1
        position.rework(seat, building)
    else:
        position.san_juan[seat] += 1


def _leave(position: Position, seat: int, person: int, place: int) -> None:
    """A person leaves the place where he stands."""
    noble = 1 if person == NOBLE else 0
    if place == SAN_JUAN:
        _to_san_juan(position, seat, -1, -noble)
    elif place < BUILDINGS_FROM:
        _leave_tile(position, seat, place, person)
    else:
        building = place - BUILDINGS_FROM
        position.city_people[seat][building] -= 1
        position.city_nobles[seat][building] -= noble
        position.rework(seat, building)


def guest_moved(position: Position, fact: f.GuestMoved) -> None:
    seat, person, place, left = fact
    _leave(position, seat, person, left)
    noble = 1 if person == NOBLE else 0
    if place < BUILDINGS_FROM:
        position.tile_people[seat][place] += 1
        position.tile_nobles[seat][place] += noble
    else:
        building = place - BUILDINGS_FROM
        position.city_people[seat][building] += 1
        position.city_nobles[seat][building] += noble
        position.rework(seat, building)


def guests_stayed(position: Position, fact: f.GuestsStayed) -> None:
    position.staying |= 1 << fact.seat


def guests_asked(position: Position, fact: f.GuestsAsked) -> None:
    position.staying &= ~(1 << fact.seat)


# --- buildings -----------------------------------------------------------------------------------------------------


def person_returned(position: Position, fact: f.PersonReturned) -> None:
    _leave(position, *fact)
    if fact.person == NOBLE:
        position.noble_supply += 1
    else:
        position.colonist_supply += 1


def good_returned(position: Position, fact: f.GoodReturned) -> None:
    position.goods[fact.seat][fact.good] -= 1
    position.goods_supply[fact.good] += 1


def vp_returned(position: Position, fact: f.VpReturned) -> None:
    position.chips[fact.seat] -= 1
    position.vp_supply += 1


def building_bought(position: Position, fact: f.BuildingBought) -> None:
    seat, building, paid = fact
    position.doubloons[seat] -= paid
    position.owned[seat] |= 1 << building
    position.spaces[seat] += SPACES[building]
    position.circles[seat] += CIRCLES[building]
    position.display[building] -= 1
    if not position.display[building]:
        position.on_display ^= 1 << building


# --- goods ---------------------------------------------------------------------------------------------------------


def _give(position: Position, seat: int, goods: Sequence[int]) -> None:
    """Goods come from the supply; negative numbers go back to it."""
    own, supply = position.goods[seat], position.goods_supply
    for good, amount in enumerate(goods):
        if amount:
            own[good] += amount
            supply[good] -= amount


def _sum(first: Goods5, second: Goods5) -> Goods5:
    a, b, c, d, e = first
    v, w, x, y, z = second
    return (a + v, b + w, c + x, d + y, e + z)


def goods_produced(position: Position, fact: f.GoodsProduced) -> None:
    seat, goods = fact
    _give(position, seat, goods)
    position.produced[seat] = goods
    position.received[seat] = _sum(position.received[seat], goods)


def goods_added(position: Position, fact: f.GoodsAdded) -> None:
    seat, goods = fact
    _give(position, seat, goods)
    position.received[seat] = _sum(position.received[seat], goods)


def good_sold(position: Position, fact: f.GoodSold) -> None:
    seat, good, price = fact
    position.goods[seat][good] -= 1
    position.house.append(good)
    position.doubloons[seat] += price
    position.done[seat] |= SOLD


def good_traded(position: Position, fact: f.GoodTraded) -> None:
    seat, good, price = fact
    position.goods[seat][good] -= 1
    position.goods_supply[good] += 1
    position.doubloons[seat] += price
    position.done[seat] |= SOLD


def trade_ended(position: Position, fact: f.TradeEnded) -> None:
    position.done[fact.seat] |= FINISHED


def house_emptied(position: Position, _fact: f.HouseEmptied) -> None:
    for good in position.house:
        position.goods_supply[good] += 1
    position.house = []


def _loaded(position: Position, seat: int, more: int) -> None:
    """A seat made a loading of any kind."""
    again = LOADED_AGAIN if position.done[seat] & LOADED else 0
    position.done[seat] |= HAD_TURN | LOADED | again | more
    position.turns = 0


def goods_loaded(position: Position, fact: f.GoodsLoaded) -> None:
    seat, good, amount, hold = fact
    position.goods[seat][good] -= amount
    position.ship_good[hold] = good
    position.ship_load[hold] += amount
    _loaded(position, seat, 0)


def wharf_used(position: Position, fact: f.WharfUsed) -> None:
    seat, good, amount = fact
    position.goods[seat][good] -= amount
    position.goods_supply[good] += amount
    _loaded(position, seat, WHARF_USED)


def small_wharf_used(position: Position, fact: f.SmallWharfUsed) -> None:
    _give(position, fact.seat, [-amount for amount in fact.goods])
    _loaded(position, fact.seat, SMALL_WHARF_USED)


def loading_passed(position: Position, fact: f.LoadingPassed) -> None:
    position.done[fact.seat] |= HAD_TURN
    position.turns += 1


def first_turn_begun(position: Position, fact: f.FirstTurnBegun) -> None:
    position.done[fact.seat] |= GREETED


def goods_supplied(position: Position, fact: f.GoodsSupplied) -> None:
    for good in fact.goods:
        position.goods[fact.seat][good] -= 1
        position.goods_supply[good] += 1


def goods_discarded(position: Position, fact: f.GoodsDiscarded) -> None:
    _give(position, fact.seat, [-amount for amount in fact.goods])


def ship_unloaded(position: Position, fact: f.ShipUnloaded) -> None:
    good = position.ship_good[fact.hold]
    position.goods_supply[good] += position.ship_load[fact.hold]
    position.ship_good[fact.hold] = NONE
    position.ship_load[fact.hold] = 0


MOMENTS: Final = (
    f.MayorTurnBegun, f.CraftingBegun, f.PayoutDue, f.LoadingOver, f.SettlingOver,
)  # fmt: skip

APPLY: Final[dict[type, Callable[[Position, Any], None]]] = {
    **dict.fromkeys(MOMENTS, moment),
    f.BuildingsLaidOut: buildings_laid_out,
    f.BuildingDrafted: building_drafted,
    f.PhaseBegun: phase_begun,
    f.Awaits: awaits,
    f.RoleTaken: role_taken,
    f.RoundEnded: round_ended,
    f.EndMet: end_met,
    f.GameEnded: game_ended,
    f.DoubloonsGained: doubloons_gained,
    f.VpGained: vp_gained,
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
    f.ColonistsGained: colonists_gained,
    f.NobleGained: noble_gained,
    f.PeopleLanded: people_landed,
    f.PlacementSealed: placement_sealed,
    f.PeoplePlaced: people_placed,
    f.ShipRefilled: ship_refilled,
    f.TileStaffed: tile_staffed,
    f.BuildingStaffed: building_staffed,
    f.GuestMoved: guest_moved,
    f.GuestsStayed: guests_stayed,
    f.GuestsAsked: guests_asked,
    f.PersonReturned: person_returned,
    f.GoodReturned: good_returned,
    f.VpReturned: vp_returned,
    f.BuildingBought: building_bought,
    f.GoodsProduced: goods_produced,
    f.GoodsAdded: goods_added,
    f.GoodSold: good_sold,
    f.GoodTraded: good_traded,
    f.TradeEnded: trade_ended,
    f.HouseEmptied: house_emptied,
    f.GoodsLoaded: goods_loaded,
    f.WharfUsed: wharf_used,
    f.SmallWharfUsed: small_wharf_used,
    f.LoadingPassed: loading_passed,
    f.FirstTurnBegun: first_turn_begun,
    f.GoodsSupplied: goods_supplied,
    f.GoodsDiscarded: goods_discarded,
    f.ShipUnloaded: ship_unloaded,
}


def happen(position: Position, fact: Any) -> None:
    """Change the position as the fact says."""
    APPLY[fact.__class__](position, fact)

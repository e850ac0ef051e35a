"""Why a move is refused: finds the reason and the number of the rule it rests on."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from projections.rules.puerto_rico import moves as m
from projections.rules.puerto_rico.buildings import printed as b
from projections.rules.puerto_rico.buildings.printed import Building
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.awards import has_space
from projections.rules.puerto_rico.kinds import (
    BUILDINGS_FROM,
    COLONIST,
    FOREST,
    GOODS,
    NOBLE,
    NONE,
    OFFICE_USED,
    QUARRY,
    ROLES,
    SMALL_WHARF_USED,
    SOLD,
    TILES,
    WHARF_USED,
    Goods5,
)
from projections.rules.puerto_rico.phases import builder, captain, settler
from projections.rules.puerto_rico.plan import DECISIONS, SECOND_TAKE
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import DRAFT_PLACES, HOUSE_PLACES


class Why(NamedTuple):
    """A reason, the rule it rests on, and the values of its sentence, by kind of word."""

    reason: str
    rule: str
    values: Mapping[str, Any] = {}


NOT_NOW: Final = Why("not_now", "3")
GAME_IS_OVER: Final = Why("game_is_over", "5.1")


def reason_of(position: Position, move: m.Move) -> Why:
    """Returns the reason why a move is not legal."""
    if type(move) not in BELONGS[DECISIONS[position.step]]:
        return NOT_NOW
    return WHYS[type(move)](position, position.actor, move)


def _needs(building: int, rule: str) -> Why:
    return Why("needs_it_occupied", rule, {"building": b.NAMES[building]})


def _draft(position: Position, _seat: int, move: m.Draft) -> Why:
    building = {"building": b.NAMES[move.building]}
    if position.in_play >> move.building & 1:
        return Why("already_in_the_game", "6.1", building)
    rulings = position.rulings
    if move.building not in rulings.candidates:
        return Why("not_to_be_drafted", "6.1", building)
    cost = b.COSTS[move.building]
    chosen = [kind for kind in rulings.candidates if position.in_play >> kind & 1]
    if sum(1 for kind in chosen if b.COSTS[kind] == cost) >= DRAFT_PLACES[cost]:
        return Why("no_place_of_this_cost", "6.1", {**building, "cost": cost})
    return Why("not_beside_its_rival", "R-53", building)


def _role(position: Position, _seat: int, move: m.TakeRole) -> Why:
    role = {"role": ROLES[move.role]}
    return Why("role_taken" if position.card_taken_by[move.role] != NONE else "no_such_role", "3.1", role)


def _take(position: Position, seat: int, move: m.Take) -> Why:
    if move.forest and not settler.may_forest(position, seat):
        house = effects.allowed(position, seat, effects.MAKE_FOREST)
        return Why("no_forest_tile_left", "R-20") if house else _needs(Building.FOREST_HOUSE, "R-20")
    if move.tile == QUARRY:
        if not position.quarries:
            return Why("no_quarry_left", "3.4")
        if position.step == SECOND_TAKE:
            return Why("no_second_quarry", "R-25")
        if seat != position.chooser and not effects.allowed(position, seat, effects.TAKE_QUARRY):
            return Why("quarry_is_the_settler_s", "3.4")
    elif not position.row[move.tile]:
        return Why("not_in_the_row", "3.4", {"tile": TILES[move.tile]})
    return Why("nothing_to_waive", "3.3")


def _unplant(position: Position, seat: int, move: m.Unplant) -> Why:
    if move.tile == QUARRY:
        return Why("quarries_stay", "4.4")
    if DECISIONS[position.step] == "D-TRD":
        if why := _land_office(position, seat, NOBLE):
            return why
        if move.tile == FOREST and not position.rulings.office_sells_forest:
            return Why("forests_stay", "R-73")
    return Why("no_such_tile", "4.4", {"tile": TILES[move.tile]})


def _land_office(position: Position, seat: int, person: int) -> Why | None:
    """Returns the reason why this sort of person cannot use the land office; None if it can."""
    if position.done[seat] & OFFICE_USED:
        return Why("land_office_used", "R-74")
    if not position.working[seat] & (b.NOBLE_POSTS if person == NOBLE else b.POSTS)[Building.LAND_OFFICE]:
        return Why("land_office_needs_a_noble" if person == NOBLE else "land_office_needs_a_colonist", "4.4")
    return None


def _plant(position: Position, seat: int, move: m.Plant) -> Why:
    if why := _land_office(position, seat, COLONIST):
        return why
    if not position.doubloons[seat]:
        return Why("too_few_doubloons", "4.4", {"price": 1, "owned": 0})
    if not has_space(position, seat):
        return Why("island_is_full", "3.4")
    if (move.tile == NONE) is position.rulings.office_from_row:
        return Why("tile_comes_from_the_row" if move.tile == NONE else "tile_is_drawn", "R-72")
    if move.tile == NONE:
        return Why("nothing_to_draw", "R-12")
    if not position.row[move.tile]:
        return Why("not_in_the_row", "R-72", {"tile": TILES[move.tile]})
    return _needs(Building.FOREST_HOUSE, "R-20")


def _place(position: Position, seat: int, move: m.PlacePeople) -> Why:
    nobles = position.nobles_of(seat)
    colonists = position.people_of(seat) - nobles
    for place, colonist, noble in move.people:
        room = position.empty_circles(seat, place) + _people_at(position, seat, place)
        if colonist + noble > room:
            return Why("too_few_circles", "3.2", {"place": place, "n": room})
    placed = (sum(people[1] for people in move.people), sum(people[2] for people in move.people))
    if placed[0] > colonists or placed[1] > nobles:
        return Why("too_few_people", "3.5", {"colonists": colonists, "nobles": nobles})
    return Why("circles_left_empty", "R-27")


def _people_at(position: Position, seat: int, place: int) -> int:
    if place < len(TILES):
        return position.tile_people[seat][place]
    return max(0, position.city_people[seat][place - len(TILES)]) if place < b.SAN_JUAN else 0


def _build(position: Position, seat: int, move: m.Build) -> Why:
    building = {"building": b.NAMES[move.building]}
    if not position.in_play >> move.building & 1:
        return Why("not_in_the_game", "2.1", building)
    if position.owned[seat] >> move.building & 1:
        return Why("already_owned", "3.6", building)
    if not position.display[move.building]:
        return Why("sold_out", "3.6", building)
    if not builder.buildable(position, seat) >> move.building & 1:
        return Why("no_room_in_the_city", "3.6", building)
    price, owned = builder.price(position, seat, move.building), position.doubloons[seat]
    items = (move.person is not None) + (move.good != NONE) + move.vp
    if items:
        return _bargain(position, seat, move, price - owned - items)
    if price > owned:
        return Why("too_few_doubloons", "3.6", {"price": price, "owned": owned})
    return Why("nothing_to_waive", "3.3")


def _bargain(position: Position, seat: int, move: m.Build, missing: int) -> Why:
    """Why a purchase cannot be paid with these items; `missing` doubloons would still be open."""
    if not position.working[seat] & b.POSTS[Building.BLACK_MARKET]:
        return _needs(Building.BLACK_MARKET, "4.3")
    if missing:
        return Why("too_few_items" if missing > 0 else "too_many_items", "R-34")
    if move.vp and not position.chips[seat]:
        return Why("no_chip_to_return", "R-36")
    if move.good != NONE and not position.goods[seat][move.good]:
        return Why("no_such_good", "4.3", {"good": GOODS[move.good]})
    if move.person is not None and move.person[1] == BUILDINGS_FROM + Building.BLACK_MARKET:
        return Why("black_market_keeps_its_person", "R-35")
    return Why("nobody_there" if move.person is not None and not move.waived else "nothing_to_waive", "R-35")


def _bonus(position: Position, seat: int, move: m.Bonus) -> Why:
    privilege = effects.privilege(position, seat)
    if len(move.goods) > privilege:
        return Why("privilege_is_smaller", "3.7", {"n": privilege})
    for good in move.goods:
        if not position.produced[seat][good]:
            return Why("not_produced", "R-45", {"good": GOODS[good]})
    short = next(good for good in move.goods if position.goods_supply[good] < move.goods.count(good))
    return Why("supply_exhausted", "3.7", {"good": GOODS[short]})


def _sell(position: Position, seat: int, move: m.Sell) -> Why:
    good = {"good": GOODS[move.good]}
    if position.done[seat] & SOLD:
        return Why("already_sold", "3.8")
    if not position.goods[seat][move.good]:
        return Why("no_such_good", "3.8", good)
    if move.own_post:
        return _needs(Building.TRADING_POST, "4.3")
    if len(position.house) >= HOUSE_PLACES:
        return Why("house_is_full", "R-51")
    return Why("house_holds_it", "3.8", good)


def _ship(position: Position, seat: int, move: m.Ship) -> Why:
    good = {"good": GOODS[move.good], "capacity": move.capacity}
    owned = position.goods[seat][move.good]
    if not owned:
        return Why("no_such_good", "3.9", good)
    if move.capacity not in position.holds:
        return Why("no_such_ship", "1.5", good)
    hold = position.holds.index(move.capacity)
    if position.ship_load[hold] == move.capacity:
        return Why("ship_is_full", "3.9", good)
    if position.ship_good[hold] not in (NONE, move.good):
        return Why("ship_carries_other_kind", "3.9", {**good, "other": GOODS[position.ship_good[hold]]})
    if move.good in position.ship_good:
        carrier = position.holds[position.ship_good.index(move.good)]
        return Why("kind_is_on_another_ship", "3.9", {**good, "carrier": carrier})
    best = position.holds[captain.holds_for(position, move.good, owned)[0]]
    return Why("another_ship_takes_more", "R-54", {**good, "best": best})


def _wharf(position: Position, seat: int, move: m.Wharf) -> Why:
    if not position.working[seat] & b.POSTS[Building.WHARF]:
        return _needs(Building.WHARF, "4.2")
    if position.done[seat] & WHARF_USED:
        return Why("wharf_used", "4.2")
    return Why("no_such_good", "4.2", {"good": GOODS[move.good]})


def _small_wharf(position: Position, seat: int, move: m.SmallWharf) -> Why:
    if not position.working[seat] & b.POSTS[Building.SMALL_WHARF]:
        return _needs(Building.SMALL_WHARF, "4.3")
    if position.done[seat] & SMALL_WHARF_USED:
        return Why("wharf_used", "4.3")
    return _too_many(position, seat, move.goods, "R-58") or Why("at_least_one_good", "R-58")


def _too_many(position: Position, seat: int, goods: Goods5, rule: str) -> Why | None:
    """The first kind of which more is named than the seat owns."""
    for good, wanted in enumerate(goods):
        if wanted > position.goods[seat][good]:
            return Why("too_few_goods", rule, {"good": GOODS[good], "owned": position.goods[seat][good]})
    return None


def _supply(position: Position, seat: int, move: m.Supply) -> Why:
    for good in move.goods:
        if not position.goods[seat][good]:
            return Why("no_such_good", "4.4", {"good": GOODS[good]})
    return Why("more_goods_than_nobles", "R-77", {"n": position.nobles_of(seat)})


def _store(position: Position, seat: int, move: m.Store) -> Why:
    return _too_many(position, seat, move.goods, "R-61") or Why("stores_hold_less", "R-61")


def _guests(position: Position, seat: int, move: m.MoveGuests) -> Why:
    people, nobles = position.city_people[seat][Building.GUESTHOUSE], position.city_nobles[seat][Building.GUESTHOUSE]
    wanted = sum(1 for person, _ in move.guests if person == NOBLE)
    if wanted > nobles or len(move.guests) - wanted > people - nobles:
        return Why("no_such_guest", "3.11")
    return Why("no_empty_circle", "3.11")


def _pass(position: Position, _seat: int, _move: m.Pass) -> Why:
    return Why("must_load", "R-55") if DECISIONS[position.step] == "D-CAP-LOAD" else NOT_NOW


def _not_now(_position: Position, _seat: int, _move: m.Move) -> Why:
    return NOT_NOW


BELONGS: Final[Mapping[str, tuple[type, ...]]] = {  # decision -> kinds of moves
    "D-DRAFT": (m.Draft,),
    "D-ROLE": (m.TakeRole,),
    "D-SET-HAC": (m.Draw, m.Pass),
    "D-SET-HAC-F": (m.Keep,),
    "D-SET-TAKE": (m.Take, m.Pass),
    "D-SET-LIB": (m.Take, m.Pass),
    "D-SET-LODGE": (m.Unplant, m.Pass),
    "D-MAY-PICK": (m.Pick,),
    "D-MAY-PLACE": (m.PlacePeople,),
    "D-BLD": (m.Build, m.Pass),
    "D-CRA-PRIV": (m.Bonus, m.Pass),
    "D-TRD": (m.Sell, m.Plant, m.Unplant, m.Pass),
    "D-TRD-F": (m.Keep,),
    "D-CAP-RS": (m.Supply,),
    "D-CAP-LOAD": (m.Ship, m.Wharf, m.SmallWharf, m.Pass),
    "D-CAP-STORE": (m.Store,),
    "D-GUEST": (m.MoveGuests, m.Stay),
}
WHYS: Final[Mapping[type, Callable[[Position, int, Any], Why]]] = {
    m.Draft: _draft, m.TakeRole: _role, m.Take: _take, m.Unplant: _unplant, m.Plant: _plant, m.PlacePeople: _place,
    m.Build: _build, m.Bonus: _bonus, m.Sell: _sell, m.Ship: _ship, m.Wharf: _wharf, m.SmallWharf: _small_wharf,
    m.Supply: _supply, m.Store: _store, m.MoveGuests: _guests, m.Pass: _pass, m.Draw: _not_now, m.Keep: _not_now,
    m.Pick: _not_now, m.Stay: _not_now,
}  # fmt: skip

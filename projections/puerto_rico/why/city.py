"""Why a building cannot be drafted or built."""

from projections.puerto_rico import ask
from projections.puerto_rico.buildings.black_market import returnable, waivers_after
from projections.puerto_rico.buildings.kinds import BLACK_MARKET, COSTS, LARGE_MASK, SAN_JUAN, SPACES, VIOLET
from projections.puerto_rico.facts import BuildingBought
from projections.puerto_rico.kinds import NONE, PERSONS
from projections.puerto_rico.moves import Build, Draft
from projections.puerto_rico.phases.builder import price
from projections.puerto_rico.position import Position
from projections.puerto_rico.tables import CITY_SPACES, DRAFT_PLACES, LARGE_PER_GRID
from projections.puerto_rico.why.words import Reason, building, good, number_of, place, unoccupied, waived


def draft(position: Position, _seat: int, move: Draft) -> Reason | None:
    """A kind that cannot be drafted."""
    kind, name = move.building, building(move.building)
    if position.in_play >> kind & 1:
        return Reason("already_in_play", "6.1", f"The {name} is in the game already.")
    if kind not in position.rulings.candidates:
        what = "belongs to no expansion of this game" if VIOLET[kind] else "is a production building"
        return Reason("no_candidate", "6.1", f"The {name} {what}.")
    taken = [COSTS[other] for other in position.rulings.candidates if position.in_play >> other & 1]
    if taken.count(COSTS[kind]) >= DRAFT_PLACES[COSTS[kind]]:
        return Reason("no_place", "6.1", f"No place for a building of cost {COSTS[kind]} is left.")
    return Reason("excluded", "R-53", "Office and trading post are not both drafted in this game.")


def build(position: Position, seat: int, move: Build) -> Reason | None:
    """A building that cannot be bought, or not in this way."""
    return (
        _display(position, seat, move.building)
        or _space(position, seat, move.building)
        or _payment(position, seat, move)
    )


def _display(position: Position, seat: int, kind: int) -> Reason | None:
    name = building(kind)
    if not position.in_play >> kind & 1:
        return Reason("not_in_play", "3.6", f"The {name} is not in this game.")
    if position.owned[seat] >> kind & 1:
        return Reason("already_owned", "3.6", f"You already own a {name}.")
    if not position.display[kind]:
        return Reason("sold_out", "3.6", f"No {name} is left.")
    return None


def _space(position: Position, seat: int, kind: int) -> Reason | None:
    free = CITY_SPACES - position.spaces[seat]
    if SPACES[kind] > free:
        wanted = number_of(SPACES[kind], "city space")
        return Reason("no_space", "3.6", f"The {building(kind)} needs {wanted}; {free} free.")
    large = (position.owned[seat] & LARGE_MASK).bit_count()
    if SPACES[kind] == 2 and position.rulings.city_grid and large >= LARGE_PER_GRID:
        return Reason("no_column", "R-44", "No column of the city has room for another large building.")
    return None


def _payment(position: Position, seat: int, move: Build) -> Reason | None:
    cost, doubloons = price(position, seat, move.building), position.doubloons[seat]
    items = (move.person is not None) + (move.good != NONE) + move.vp
    missing = max(0, cost - doubloons)
    if not items and missing:
        paid = f"The {building(move.building)} costs {number_of(cost, 'doubloon')}, you have {doubloons}."
        return Reason("too_expensive", "3.6", paid)
    if items:
        reason = _market(position, seat, move, missing, items)
        if reason is not None:
            return reason
    possible = ask.waivers(position, seat, BuildingBought)
    if move.person is not None:
        possible = waivers_after(position, seat, move.person)
    return waived(possible, move.waived, "R-40")


def _market(position: Position, seat: int, move: Build, missing: int, items: int) -> Reason | None:
    reason = unoccupied(position, seat, BLACK_MARKET, "4.3")
    if reason is not None:
        return reason
    if items != missing:
        wanted = f"{number_of(missing, 'doubloon')} missing" if missing else "Your doubloons cover the price"
        sentence = f"{wanted}; exactly as many items are returned as doubloons are missing, here {missing}."
        return Reason("wrong_number_of_items", "R-34", sentence)
    if move.good != NONE and not position.goods[seat][move.good]:
        return Reason("no_such_good", "R-34", f"You own no {good(move.good)}.")
    if move.vp and not position.chips[seat]:
        return Reason("no_vp_chip", "R-36", "You have no victory point chip to return.")
    if move.person is not None and move.person not in returnable(position, seat):
        return _nobody(move.person)
    return None


def _nobody(person: tuple[int, int]) -> Reason:
    sort, where = person
    if where < SAN_JUAN and place(where) == building(BLACK_MARKET):
        return Reason("colonist_of_the_market", "R-35", "Whoever stands on the black market cannot be returned.")
    return Reason("nobody_there", "R-35", f"There is no {PERSONS[sort]} on your {place(where)}.")

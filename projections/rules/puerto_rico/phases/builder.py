"""The builder phase: one purchase for every seat, and its price (rules 3.6)."""

from functools import lru_cache
from typing import Final, NamedTuple

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.made_once import made_once
from projections.rules.puerto_rico.buildings.printed import COLUMNS, COUNT, LARGE_MASK, members
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.facts.buildings import BuildingBought, GoodReturned, PersonReturned, VpReturned
from projections.rules.puerto_rico.facts.frame import EndMet
from projections.rules.puerto_rico.kinds import CITY_FULL, FOREST, NONE, QUARRY
from projections.rules.puerto_rico.moves import PASS, Build, Move
from projections.rules.puerto_rico.plan import BUILD
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import CITY_SPACES, ISLAND_SPACES, LARGE_PER_GRID

BUILDS: Final = tuple(Build(building) for building in range(COUNT))
BUILDING_BOUGHT: Final = made_once(BuildingBought)
DEAREST: Final = 10  # the highest printed cost
LARGE_COLUMN: Final = 4
QUARRY_DISCOUNTS: Final = tuple(  # number of occupied quarries -> doubloons by column 1-4
    (min(number, 1), min(number, 2), min(number, 3), min(number, 4)) for number in range(ISLAND_SPACES + 1)
)


def price(position: Position, seat: int, building: int) -> int:
    """Returns the price of this building for this seat now."""
    return max(0, position.rulings.costs[building] - totals(position, seat)[COLUMNS[building]])


class Discounts(NamedTuple):
    """Returns the discounts on a printed cost, by source (R-32)."""

    privilege: int
    quarries: int
    forests: int
    zoning: int


def discounts(position: Position, seat: int, column: int) -> Discounts:
    """Privilege, quarries up to the column, pairs of forests and discounts of buildings; they add up."""
    quarries = position.tile_people[seat][QUARRY]
    return Discounts(
        effects.privilege(position, seat),
        quarries if quarries < column else column,
        position.tiles[seat][FOREST] // 2,
        effects.total(position, seat, effects.LARGE_DISCOUNT if column == LARGE_COLUMN else effects.SMALL_DISCOUNT),
    )


def totals(position: Position, seat: int) -> tuple[int, int, int, int, int]:
    """The same added up, for every column at once."""
    quarries = position.tile_people[seat][QUARRY]
    base = effects.privilege(position, seat) + position.tiles[seat][FOREST] // 2
    small = base + effects.total(position, seat, effects.SMALL_DISCOUNT)
    large = base + effects.total(position, seat, effects.LARGE_DISCOUNT)
    one, two, three, four = QUARRY_DISCOUNTS[quarries]
    return small, small + one, small + two, small + three, large + four


def buildable(position: Position, seat: int) -> int:
    """The buildings that are left, not yet owned, and fit into the city, as bits."""
    space = CITY_SPACES - position.spaces[seat]
    if space < 1:
        return 0
    mask = position.on_display & ~position.owned[seat]
    grid_full = position.rulings.city_grid and (position.owned[seat] & LARGE_MASK).bit_count() >= LARGE_PER_GRID
    return mask & ~LARGE_MASK if space == 1 or grid_full else mask


@lru_cache(maxsize=8)
def bargains(costs: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Column, then budget before the discount -> the buildings within it, as bits."""
    return tuple(
        tuple(
            sum(1 << b for b in range(COUNT) if COLUMNS[b] == column and costs[b] <= budget)
            for budget in range(DEAREST + 1)
        )
        for column in range(LARGE_COLUMN + 1)
    )


def affordable(position: Position, seat: int) -> int:
    """The buildings the seat's doubloons cover, as bits."""
    if position.bargains is None:
        position.bargains = bargains(position.rulings.costs)
    doubloons, discounts = position.doubloons[seat], totals(position, seat)
    mask = 0
    for column, within in enumerate(position.bargains):
        budget = doubloons + discounts[column]
        mask |= within[budget if budget < DEAREST else DEAREST]
    return mask


def builds(position: Position, seat: int) -> tuple[Move, ...]:
    """D-BLD: every building that meets the requirements, or nothing."""
    open_ = buildable(position, seat)
    if open_:
        open_ &= affordable(position, seat)
    return build_moves(open_, effects.waivers(position, seat, BuildingBought))


@lru_cache(maxsize=1 << 16)
def build_moves(buildings: int, waivers: tuple[int, ...]) -> tuple[Move, ...]:
    """The purchases of these buildings, and `pass`."""
    if waivers == effects.NOTHING_WAIVED:
        return (*[BUILDS[building] for building in members(buildings)], PASS)
    return (*[Build(building, waived=waived) for waived in waivers for building in members(buildings)], PASS)


def build(position: Position, seat: int, move: Build, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The price is fixed, then paid, then the building comes onto the board; a full city ends the game (R-41)."""
    building, person, good, vp, waived, _ = move
    paid = min(price(position, seat, building), position.doubloons[seat])
    if person is not None:
        recorder.record(position, PersonReturned(seat, *person))
    if good != NONE:
        recorder.record(position, GoodReturned(seat, good))
    if vp:
        recorder.record(position, VpReturned(seat))
    recorder.waived = waived
    recorder.record(position, BUILDING_BOUGHT(seat, building, paid))
    recorder.waived = 0
    if position.spaces[seat] == CITY_SPACES and not position.ends & CITY_FULL:
        recorder.record(position, EndMet(CITY_FULL))


CHOICES: Final[dict[int, effects.Choice]] = {BUILD: builds}
DUTIES: Final[dict[int, effects.Duty]] = {}
DEEDS: Final[dict[type, effects.Deed]] = {Build: build}

"""Evaluates a seat's board: the points it may expect at the end, part by part."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from projections.rules.puerto_rico.buildings import printed as b
from projections.rules.puerto_rico.buildings.printed import Building
from projections.rules.puerto_rico.buildings.table import EFFECTS
from projections.rules.puerto_rico.engine.effects import Scores
from projections.rules.puerto_rico.kinds import CORN, FOREST, INDIGO, QUARRY, SUGAR
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import PRICES
from workers.bots.puerto_rico import weights as w
from workers.bots.puerto_rico.outlook import Outlook

BONUSES: Final[dict[int, Callable[[Position, int], int]]] = {
    building: effect.points for building, effects in EFFECTS.items() for effect in effects if isinstance(effect, Scores)
}
PLENTY: Final = 99  # circles of corn, which needs none


class Crop(NamedTuple):
    """One good on a board: its tiles and circles, and the people on them."""

    tiles: int
    farmers: int
    circles: int
    workers: int

    @property
    def running(self) -> int:
        """Goods produced in one craftsman phase."""
        return min(self.farmers, self.workers)

    @property
    def planned(self) -> int:
        """Goods produced in one craftsman phase with enough people."""
        return min(self.tiles, self.circles)


Crops = tuple[Crop, ...]  # by good


def crop(position: Position, seat: int, good: int) -> Crop:
    """Returns the crop of one good."""
    tiles, farmers = position.tiles[seat][good], position.tile_people[seat][good]
    if good == CORN:
        return Crop(tiles, farmers, PLENTY, PLENTY)
    owned, people = position.owned[seat], position.city_people[seat]
    circles = workers = 0
    for building in b.PRODUCERS[good]:
        if owned >> building & 1:
            circles += b.CIRCLES[building]
            workers += people[building]
    return Crop(tiles, farmers, circles, workers)


def crops(position: Position, seat: int) -> Crops:
    """Returns the crops of all goods."""
    return tuple([crop(position, seat, good) for good in range(5)])


def amount(crop: Crop) -> float:
    """Returns the weighted size of a crop: a running part counts more, each further good less."""
    running, planned = crop.running, crop.planned
    counts = w.RUNNING * running + w.PLANNED * (planned - running)
    if crop.circles == PLENTY:
        loose = 0.0
    else:
        loose = w.LOOSE_TILE * min(2, crop.tiles - planned) + w.LOOSE_CIRCLE * (crop.circles - planned)
    return counts * (1.0 - w.CROWD * counts) + loose


def harvests(position: Position, seat: int, outlook: Outlook, crops: Crops) -> float:
    """Returns the points from production until the end: goods to ship, and some to sell."""
    markets = position.owned[seat]
    goods, sold = crop_worth(crops, (markets >> Building.SMALL_MARKET & 1) + 2 * (markets >> Building.LARGE_MARKET & 1))
    return outlook.crafts * w.GOOD * goods + outlook.sales * outlook.doubloon * w.SOLD * sold


@lru_cache(maxsize=1 << 16)
def crop_worth(crops: Crops, markup: int) -> tuple[float, float]:
    """Returns the weighted number of goods, and the doubloons of a sale with such markets."""
    prices = sorted(
        (
            (PRICES[good] + markup) * (w.RUNNING if one.running else w.PLANNED)
            for good, one in enumerate(crops)
            if one.planned
        ),
        reverse=True,
    )
    return sum(map(amount, crops)), prices[0] + w.NEXT_SOLD * sum(prices[1:]) if prices else 0.0


@lru_cache(maxsize=1 << 14)
def printed(owned: int) -> int:
    """Returns the points printed on a set of buildings."""
    return sum(b.VPS[building] for building in b.members(owned))


@lru_cache(maxsize=1 << 14)
def effective(owned: int) -> tuple[int, ...]:
    """Returns the buildings of a set with an effect besides production."""
    return tuple([building for building in b.members(owned) if b.VIOLET[building] or building == Building.JEWELER])


def effects(position: Position, seat: int, outlook: Outlook, crops: Crops) -> float:
    """Returns the points from violet and large buildings until the end."""
    total = 0.0
    people = position.city_people[seat]
    for building in effective(position.owned[seat]):
        worth = effect(position, seat, building, outlook, crops)
        total += worth if people[building] or not b.CIRCLES[building] else worth * w.UNSTAFFED
    return total


def effect(position: Position, seat: int, building: int, outlook: Outlook, crops: Crops) -> float:
    """Returns the points from one occupied building until the end, besides its printed points."""
    if building in BONUSES:
        return BONUSES[building](position, seat) + w.GROWTH[building] * outlook.rounds
    by_production = DEPENDING.get(building)
    if by_production is not None:
        return by_production(position, seat, outlook, crops)
    points, doubloons = w.EFFECT.get(building, (0.0, 0.0))
    return outlook.rounds * (points + doubloons * outlook.doubloon)


def kinds(crops: Crops) -> float:
    """Returns the number of kinds a board produces; kinds that lack people count in part."""
    return sum(w.RUNNING if one.running else w.PLANNED for one in crops if one.planned)


def volume(crops: Crops) -> float:
    """Returns the number of goods a board produces in one craftsman phase."""
    return sum(w.RUNNING * one.running + w.PLANNED * (one.planned - one.running) for one in crops)


def _factory(_position: Position, _seat: int, outlook: Outlook, crops: Crops) -> float:
    number = kinds(crops)
    whole = int(number)
    pay = w.FACTORY_PAY[whole] + (number - whole) * (w.FACTORY_PAY[min(5, whole + 1)] - w.FACTORY_PAY[whole])
    return outlook.crafts * pay * outlook.doubloon


def _harbor(_position: Position, _seat: int, outlook: Outlook, crops: Crops) -> float:
    return outlook.loads * w.HARBOR_PER_LOADING * min(w.MOST_LOADINGS, 0.6 + 0.6 * kinds(crops))


def _wharf(_position: Position, _seat: int, outlook: Outlook, crops: Crops) -> float:
    return outlook.loads * w.WHARF_PER_GOOD * min(8.0, volume(crops))


def _warehouse(position: Position, seat: int, outlook: Outlook, crops: Crops) -> float:
    del position, seat
    return outlook.loads * w.WAREHOUSE_PER_GOOD * min(6.0, volume(crops))


def _aqueduct(position: Position, seat: int, outlook: Outlook, crops: Crops) -> float:
    owned = position.owned[seat]
    more = sum(
        1
        for good, building in ((INDIGO, Building.INDIGO_PLANT), (SUGAR, Building.SUGAR_MILL))
        if crops[good].planned and owned >> building & 1
    )
    return outlook.crafts * w.GOOD * more


def _specialty_factory(_position: Position, _seat: int, outlook: Outlook, crops: Crops) -> float:
    most = max(w.RUNNING * one.running + w.PLANNED * (one.planned - one.running) for one in crops[1:])
    return outlook.crafts * max(0.0, most - 0.8) * outlook.doubloon


def _union_hall(_position: Position, _seat: int, outlook: Outlook, crops: Crops) -> float:
    return outlook.loads * 0.4 * volume(crops)


def _royal_supplier(position: Position, seat: int, outlook: Outlook, _crops: Crops) -> float:
    return outlook.loads * 0.4 * min(3, position.nobles_of(seat) + 1)


def _jeweler(position: Position, seat: int, outlook: Outlook, _crops: Crops) -> float:
    return outlook.crafts * outlook.doubloon * (position.nobles_of(seat) + 0.5)


DEPENDING: Final[dict[int, Callable[[Position, int, Outlook, Crops], float]]] = {
    Building.FACTORY: _factory,
    Building.HARBOR: _harbor,
    Building.WHARF: _wharf,
    Building.SMALL_WAREHOUSE: _warehouse,
    Building.LARGE_WAREHOUSE: _warehouse,
    Building.STOREHOUSE: _warehouse,
    Building.AQUEDUCT: _aqueduct,
    Building.SPECIALTY_FACTORY: _specialty_factory,
    Building.UNION_HALL: _union_hall,
    Building.ROYAL_SUPPLIER: _royal_supplier,
    Building.JEWELER: _jeweler,
}


def quarries(number: float, outlook: Outlook) -> float:
    """Returns the points from doubloons that working quarries save until the end."""
    return outlook.builds * outlook.doubloon * w.QUARRY * number * (1.0 - w.QUARRY_FADES * max(0.0, number - 1))


def quarry_number(position: Position, seat: int) -> float:
    """Returns the number of quarries; quarries without people count in part."""
    working = position.tile_people[seat][QUARRY]
    return working + w.PLANNED * (position.tiles[seat][QUARRY] - working)


def goods(position: Position, seat: int, outlook: Outlook) -> float:
    """Returns the points from the goods in hand: to ship, and the dearest to sell."""
    owned = position.goods[seat]
    time = min(1.0, outlook.loads + 0.2)
    heaps = sum(number * (1.0 - w.CROWD * number) for number in owned if number)
    dearest = max((PRICES[good] for good, number in enumerate(owned) if number), default=0)
    return w.GOOD * time * heaps + w.NEXT_SOLD * min(1.0, outlook.sales) * outlook.doubloon * dearest


def worth(position: Position, seat: int, outlook: Outlook) -> float:
    """Returns the points that a seat may expect at the end."""
    grown = crops(position, seat)
    points = position.chips[seat] + position.noted[seat] + position.nobles_of(seat)
    points += printed(position.owned[seat])
    return (
        points
        + position.doubloons[seat] * outlook.doubloon
        + goods(position, seat, outlook)
        + harvests(position, seat, outlook, grown)
        + effects(position, seat, outlook, grown)
        + quarries(quarry_number(position, seat), outlook)
        + w.SETTLER * min(3, position.san_juan[seat]) * min(1.0, outlook.mayors)
        + w.FOREST_PAIR * (position.tiles[seat][FOREST] // 2) * outlook.builds
    )

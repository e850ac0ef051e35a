"""The printed values of each building (rules 1.7-1.9), as rows, and the same by column for fast lookups."""

from enum import IntEnum, auto
from typing import Final, NamedTuple

from projections.rules.puerto_rico.kinds import BUILDINGS_FROM, COFFEE, INDIGO, NONE, SUGAR, TOBACCO

PRODUCTION_SMALL: Final = 0
PRODUCTION_LARGE: Final = 1
VIOLET_SMALL: Final = 2
VIOLET_LARGE: Final = 3
SORTS: Final = ("production_small", "production_large", "violet_small", "violet_large")

BASE: Final = 0
NEW_BUILDINGS: Final = 1
NOBLES: Final = 2


class PrintedBuilding(NamedTuple):
    """One kind of building as it is printed."""

    name: str
    cost: int
    vp: int
    column: int
    circles: int = 1
    sort: int = VIOLET_SMALL
    produces: int = NONE
    expansion: int = BASE


KINDS: Final = (
    PrintedBuilding("small_indigo_plant", 1, 1, 1, circles=1, sort=PRODUCTION_SMALL, produces=INDIGO),
    PrintedBuilding("small_sugar_mill", 2, 1, 1, circles=1, sort=PRODUCTION_SMALL, produces=SUGAR),
    PrintedBuilding("indigo_plant", 3, 2, 2, circles=3, sort=PRODUCTION_LARGE, produces=INDIGO),
    PrintedBuilding("sugar_mill", 4, 2, 2, circles=3, sort=PRODUCTION_LARGE, produces=SUGAR),
    PrintedBuilding("tobacco_storage", 5, 3, 3, circles=3, sort=PRODUCTION_LARGE, produces=TOBACCO),
    PrintedBuilding("coffee_roaster", 6, 3, 3, circles=2, sort=PRODUCTION_LARGE, produces=COFFEE),
    PrintedBuilding("small_market", 1, 1, 1),
    PrintedBuilding("hacienda", 2, 1, 1),
    PrintedBuilding("construction_hut", 2, 1, 1),
    PrintedBuilding("small_warehouse", 3, 1, 1),
    PrintedBuilding("hospice", 4, 2, 2),
    PrintedBuilding("office", 5, 2, 2),
    PrintedBuilding("large_market", 5, 2, 2),
    PrintedBuilding("large_warehouse", 6, 2, 2),
    PrintedBuilding("factory", 7, 3, 3),
    PrintedBuilding("university", 8, 3, 3),
    PrintedBuilding("harbor", 8, 3, 3),
    PrintedBuilding("wharf", 9, 3, 3),
    PrintedBuilding("guild_hall", 10, 4, 4, sort=VIOLET_LARGE),
    PrintedBuilding("residence", 10, 4, 4, sort=VIOLET_LARGE),
    PrintedBuilding("fortress", 10, 4, 4, sort=VIOLET_LARGE),
    PrintedBuilding("customs_house", 10, 4, 4, sort=VIOLET_LARGE),
    PrintedBuilding("city_hall", 10, 4, 4, sort=VIOLET_LARGE),
    PrintedBuilding("aqueduct", 1, 1, 1, expansion=NEW_BUILDINGS),
    PrintedBuilding("forest_house", 2, 1, 1, expansion=NEW_BUILDINGS),
    PrintedBuilding("black_market", 2, 1, 1, expansion=NEW_BUILDINGS),
    PrintedBuilding("storehouse", 3, 1, 1, expansion=NEW_BUILDINGS),
    PrintedBuilding("guesthouse", 4, 2, 2, circles=2, expansion=NEW_BUILDINGS),
    PrintedBuilding("trading_post", 5, 2, 2, expansion=NEW_BUILDINGS),
    PrintedBuilding("church", 5, 2, 2, expansion=NEW_BUILDINGS),
    PrintedBuilding("small_wharf", 6, 2, 2, expansion=NEW_BUILDINGS),
    PrintedBuilding("lighthouse", 7, 3, 3, expansion=NEW_BUILDINGS),
    PrintedBuilding("library", 8, 3, 3, expansion=NEW_BUILDINGS),
    PrintedBuilding("specialty_factory", 8, 3, 3, expansion=NEW_BUILDINGS),
    PrintedBuilding("union_hall", 9, 3, 3, expansion=NEW_BUILDINGS),
    PrintedBuilding("statue", 10, 8, 4, circles=0, sort=VIOLET_LARGE, expansion=NEW_BUILDINGS),
    PrintedBuilding("cloister", 10, 4, 4, sort=VIOLET_LARGE, expansion=NEW_BUILDINGS),
    PrintedBuilding("land_office", 2, 1, 1, expansion=NOBLES),
    PrintedBuilding("chapel", 3, 1, 1, expansion=NOBLES),
    PrintedBuilding("hunting_lodge", 4, 2, 2, expansion=NOBLES),
    PrintedBuilding("zoning_office", 5, 2, 2, expansion=NOBLES),
    PrintedBuilding("royal_supplier", 6, 2, 2, expansion=NOBLES),
    PrintedBuilding("villa", 7, 3, 3, expansion=NOBLES),
    PrintedBuilding("jeweler", 8, 3, 3, sort=PRODUCTION_LARGE, expansion=NOBLES),
    PrintedBuilding("royal_garden", 10, 4, 4, sort=VIOLET_LARGE, expansion=NOBLES),
)


class Building(IntEnum):
    """Every building by its number: the index of its row. A test compares the names of both."""

    @staticmethod
    def _generate_next_value_(_name: str, _start: int, count: int, _last: list[int]) -> int:
        return count

    SMALL_INDIGO_PLANT = auto()
    SMALL_SUGAR_MILL = auto()
    INDIGO_PLANT = auto()
    SUGAR_MILL = auto()
    TOBACCO_STORAGE = auto()
    COFFEE_ROASTER = auto()
    SMALL_MARKET = auto()
    HACIENDA = auto()
    CONSTRUCTION_HUT = auto()
    SMALL_WAREHOUSE = auto()
    HOSPICE = auto()
    OFFICE = auto()
    LARGE_MARKET = auto()
    LARGE_WAREHOUSE = auto()
    FACTORY = auto()
    UNIVERSITY = auto()
    HARBOR = auto()
    WHARF = auto()
    GUILD_HALL = auto()
    RESIDENCE = auto()
    FORTRESS = auto()
    CUSTOMS_HOUSE = auto()
    CITY_HALL = auto()
    AQUEDUCT = auto()
    FOREST_HOUSE = auto()
    BLACK_MARKET = auto()
    STOREHOUSE = auto()
    GUESTHOUSE = auto()
    TRADING_POST = auto()
    CHURCH = auto()
    SMALL_WHARF = auto()
    LIGHTHOUSE = auto()
    LIBRARY = auto()
    SPECIALTY_FACTORY = auto()
    UNION_HALL = auto()
    STATUE = auto()
    CLOISTER = auto()
    LAND_OFFICE = auto()
    CHAPEL = auto()
    HUNTING_LODGE = auto()
    ZONING_OFFICE = auto()
    ROYAL_SUPPLIER = auto()
    VILLA = auto()
    JEWELER = auto()
    ROYAL_GARDEN = auto()


NAMES: Final = tuple(kind.name for kind in KINDS)
NUMBERS: Final = {name: number for number, name in enumerate(NAMES)}
COUNT: Final = len(KINDS)
COSTS: Final = tuple(kind.cost for kind in KINDS)
COLUMNS: Final = tuple(kind.column for kind in KINDS)
VPS: Final = tuple(kind.vp for kind in KINDS)
CIRCLES: Final = tuple(kind.circles for kind in KINDS)
SORT: Final = tuple(kind.sort for kind in KINDS)
SPACES: Final = tuple(2 if kind.sort == VIOLET_LARGE else 1 for kind in KINDS)
VIOLET: Final = tuple(kind.sort in (VIOLET_SMALL, VIOLET_LARGE) for kind in KINDS)
LARGE_MASK: Final = sum(1 << number for number in range(COUNT) if SPACES[number] == 2)
PRODUCERS: Final = tuple(  # by good, the buildings that process it
    tuple(number for number in range(COUNT) if KINDS[number].produces == good) for good in range(5)
)

SAN_JUAN: Final = BUILDINGS_FROM + COUNT  # the last place a person can be

# These four work differently with a colonist and with a noble on their only circle (rules 4.4). A noble on one of
# them sets a bit of its own in the mask of working buildings, so that one mask answers every question.
_NOBLE_POSTS: Final[dict[int, int]] = {
    Building.LAND_OFFICE: COUNT,
    Building.CHAPEL: COUNT + 1,
    Building.HUNTING_LODGE: COUNT + 2,
    Building.ZONING_OFFICE: COUNT + 3,
}
POSTS: Final = tuple(1 << building for building in range(COUNT))  # a colonist there, or any person where it is the same
NOBLE_POSTS: Final = tuple(1 << _NOBLE_POSTS.get(building, building) for building in range(COUNT))


def mask_of(buildings: tuple[int, ...]) -> int:
    """A set of buildings as bits."""
    return sum(1 << building for building in buildings)


def members(mask: int) -> list[int]:
    """The buildings of a set of bits, in the reference's order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found

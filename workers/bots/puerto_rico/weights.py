"""Weights of the evaluation, in victory points and doubloons: tables to tune."""

from typing import Final

from projections.rules.puerto_rico.buildings.printed import Building

# The average number of phases in a round.
CRAFTS: Final = 0.7
LOADS: Final = 0.7
SALES: Final = 0.6
BUILDS: Final = 0.8
MAYORS: Final = 0.7

# A doubloon in points: while there is time to build with it, and when there is none.
DOUBLOON_EARLY: Final = 0.62
DOUBLOON_LATE: Final = 0.03
ROUNDS_TO_BUILD: Final = 4.0

# A good in hand, in points, while it can still be shipped.
GOOD: Final = 0.62

# Production that works, that lacks people, that lacks its other half.
RUNNING: Final = 1.0
PLANNED: Final = 0.72
LOOSE_TILE: Final = 0.25
LOOSE_CIRCLE: Final = 0.12
CROWD: Final = 0.045  # how much less each further good of a kind is worth

QUARRY: Final = 0.75  # doubloons a working quarry saves in a builder phase
QUARRY_FADES: Final = 0.12  # each further one saves less
SOLD: Final = 0.7  # of the price of the dearest good, the gain of a trader phase
NEXT_SOLD: Final = 0.35  # of the price of another good
FOREST_PAIR: Final = 0.1  # points for each builder phase
SETTLER: Final = 0.16  # a person in San Juan, in points, while there are circles to come
ENVY: Final = 0.8  # how much the others' gain hurts
UNSTAFFED: Final = 0.65  # of its worth, a building without its people

# The gain from an occupied violet building in a round: points, doubloons.
EFFECT: Final[dict[int, tuple[float, float]]] = {
    Building.SMALL_MARKET: (0.0, 0.5),
    Building.HACIENDA: (0.25, 0.0),
    Building.CONSTRUCTION_HUT: (0.0, 0.4),
    Building.SMALL_WAREHOUSE: (0.25, 0.0),
    Building.HOSPICE: (0.3, 0.0),
    Building.OFFICE: (0.0, 0.45),
    Building.LARGE_MARKET: (0.0, 1.0),
    Building.LARGE_WAREHOUSE: (0.4, 0.0),
    Building.FACTORY: (0.0, 0.0),  # by the owner's production
    Building.UNIVERSITY: (0.3, 0.0),
    Building.HARBOR: (0.0, 0.0),  # by the owner's production
    Building.WHARF: (0.0, 0.0),  # by the owner's production
    Building.AQUEDUCT: (0.0, 0.0),  # by the owner's production
    Building.FOREST_HOUSE: (0.1, 0.1),
    Building.BLACK_MARKET: (0.1, 0.3),
    Building.STOREHOUSE: (0.3, 0.0),
    Building.GUESTHOUSE: (0.4, 0.0),
    Building.TRADING_POST: (0.0, 0.7),
    Building.CHURCH: (0.7, 0.0),
    Building.SMALL_WHARF: (0.5, 0.0),
    Building.LIGHTHOUSE: (0.0, 1.4),
    Building.LIBRARY: (0.9, 0.6),
    Building.SPECIALTY_FACTORY: (0.0, 0.0),  # by the owner's production
    Building.UNION_HALL: (0.0, 0.0),  # by the owner's production
    Building.LAND_OFFICE: (0.1, 0.3),
    Building.CHAPEL: (0.4, 0.3),
    Building.HUNTING_LODGE: (0.4, 0.0),
    Building.ZONING_OFFICE: (0.0, 0.8),
    Building.ROYAL_SUPPLIER: (0.0, 0.0),  # by the owner's nobles
    Building.VILLA: (0.9, 0.0),
    Building.JEWELER: (0.0, 0.0),  # by the owner's nobles
}

# By how much the bonus of an occupied large building grows in a round.
GROWTH: Final[dict[int, float]] = {
    Building.GUILD_HALL: 0.4,
    Building.RESIDENCE: 0.3,
    Building.FORTRESS: 0.45,
    Building.CUSTOMS_HOUSE: 0.6,
    Building.CITY_HALL: 0.45,
    Building.CLOISTER: 0.35,
    Building.ROYAL_GARDEN: 0.6,
}

# The worth of buildings that depend on production: by the goods produced in a phase and by their kinds.
FACTORY_PAY: Final = (0, 0, 1, 2, 3, 5)
HARBOR_PER_LOADING: Final = 0.8
WHARF_PER_GOOD: Final = 0.24
WAREHOUSE_PER_GOOD: Final = 0.1
MOST_LOADINGS: Final = 3.0

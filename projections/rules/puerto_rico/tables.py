"""The numbers of rules 1 and 2 that depend on the number of players, as tables to proof-read."""

from typing import Final

from projections.rules.puerto_rico.buildings.printed import (
    COUNT,
    PRODUCTION_LARGE,
    PRODUCTION_SMALL,
    SORT,
    SPACES,
    Building,
)
from projections.rules.puerto_rico.kinds import CORN, INDIGO

SEATS: Final = range(2, 6)

START_DOUBLOONS: Final = {2: 3, 3: 2, 4: 3, 5: 4}
START_TILES: Final = {
    2: (INDIGO, CORN),
    3: (INDIGO, INDIGO, CORN),
    4: (INDIGO, INDIGO, CORN, CORN),
    5: (INDIGO, INDIGO, INDIGO, CORN, CORN),
}
VP_POOL: Final = {2: 65, 3: 75, 4: 100, 5: 126}
COLONISTS: Final = {2: 42, 3: 58, 4: 79, 5: 100}  # in the game, with those on the ship
COLONISTS_WITH_NOBLES: Final = 100
NOBLES_IN_GAME: Final = 20

ROLE_CARDS: Final = {  # by number, see kinds.ROLES
    2: (0, 1, 2, 3, 4, 5, 6),
    3: (0, 1, 2, 3, 4, 5),
    4: (0, 1, 2, 3, 4, 5, 6),
    5: (0, 1, 2, 3, 4, 5, 7, 8),
}
ROLES_EACH: Final = {2: 3, 3: 1, 4: 1, 5: 1}  # cards taken per player and round

HOLDS: Final = {2: (4, 6), 3: (4, 5, 6), 4: (5, 6, 7), 5: (6, 7, 8)}  # capacities of the cargo ships
GOODS_TOKENS: Final = {seats: (8, 9, 9, 7, 7) if seats == 2 else (10, 11, 11, 9, 9) for seats in SEATS}
PLANTATIONS: Final = {seats: (7, 9, 8, 6, 5) if seats == 2 else (10, 12, 11, 9, 8) for seats in SEATS}
QUARRIES: Final = {2: 5, 3: 8, 4: 8, 5: 8}
FORESTS: Final = 12

PRICES: Final = (0, 1, 2, 3, 4)  # prices of the trading house, by good
HOUSE_PLACES: Final = 4
ISLAND_SPACES: Final = 12
CITY_SPACES: Final = 12
LARGE_PER_GRID: Final = 4  # four columns of three spaces take four large buildings

SMALL_PRODUCTION_COPIES: Final = (4, 4)
LARGE_PRODUCTION_COPIES: Final = 3

DRAFT_PLACES: Final = {1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5}  # printed cost -> places


def copies(building: int, seats: int) -> int:
    """How many tiles of a kind are in the game."""
    if building == Building.JEWELER:
        return 2
    if SORT[building] == PRODUCTION_SMALL:
        return 2 if seats == 2 else SMALL_PRODUCTION_COPIES[building]
    if SORT[building] == PRODUCTION_LARGE:
        return 2 if seats == 2 else LARGE_PRODUCTION_COPIES
    return 1 if seats == 2 or SPACES[building] == 2 else 2


COPIES: Final = {seats: tuple(copies(building, seats) for building in range(COUNT)) for seats in SEATS}

READ_BY_THE_RULES: Final = (  # every table above
    "SEATS",
    "START_DOUBLOONS",
    "START_TILES",
    "VP_POOL",
    "COLONISTS",
    "COLONISTS_WITH_NOBLES",
    "NOBLES_IN_GAME",
    "ROLE_CARDS",
    "ROLES_EACH",
    "HOLDS",
    "GOODS_TOKENS",
    "PLANTATIONS",
    "QUARRIES",
    "FORESTS",
    "PRICES",
    "HOUSE_PLACES",
    "ISLAND_SPACES",
    "CITY_SPACES",
    "LARGE_PER_GRID",
    "SMALL_PRODUCTION_COPIES",
    "LARGE_PRODUCTION_COPIES",
    "DRAFT_PLACES",
    "COPIES",
)

"""Small numbers for the names of the rules, and those names."""

from typing import Final, TypeAlias

Seat: TypeAlias = int
Good: TypeAlias = int
Tile: TypeAlias = int
Role: TypeAlias = int
BuildingKind: TypeAlias = int
Place: TypeAlias = int  # where a person stands: a kind of tile, a building, San Juan
Goods5: TypeAlias = tuple[int, int, int, int, int]  # how many of each good

GOODS: Final = ("corn", "indigo", "sugar", "tobacco", "coffee")
CORN: Final = 0
INDIGO: Final = 1
SUGAR: Final = 2
TOBACCO: Final = 3
COFFEE: Final = 4

TILES: Final = (*GOODS, "quarry", "forest")
QUARRY: Final = 5
FOREST: Final = 6
CIRCLED_TILES: Final = 6  # the first six kinds have a circle, the forest has none

ROLES: Final = (
    "settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector", "prospector_a", "prospector_b",
)  # fmt: skip

PHASES: Final = (
    "settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector",
    "draft", "role_choice", "final_guests", "over",
)  # fmt: skip
SETTLER: Final = 0
MAYOR: Final = 1
BUILDER: Final = 2
CRAFTSMAN: Final = 3
TRADER: Final = 4
CAPTAIN: Final = 5
PROSPECTOR: Final = 6
DRAFT: Final = 7
ROLE_CHOICE: Final = 8
FINAL_GUESTS: Final = 9
OVER: Final = 10

ENDS: Final = ("colonists", "city", "vp")  # the end conditions of rules 5.1, one bit each
COLONISTS_SHORT: Final = 1
CITY_FULL: Final = 2
VP_GONE: Final = 4

PERSONS: Final = ("nobody", "colonist", "noble")
NOBODY: Final = 0
COLONIST: Final = 1
NOBLE: Final = 2

SOURCES: Final = ("supply", "ship")  # where a single colonist comes from
FROM_SUPPLY: Final = 0
FROM_SHIP: Final = 1

# Deeds of the running phase, one bit each, by seat.
DEEDS_DONE: Final = (
    "had_turn", "loaded", "loaded_again", "wharf_used", "small_wharf_used", "sold", "office_used", "finished", "drew",
    "greeted",
)  # fmt: skip
HAD_TURN: Final = 1
LOADED: Final = 2
LOADED_AGAIN: Final = 4
WHARF_USED: Final = 8
SMALL_WHARF_USED: Final = 16
SOLD: Final = 32
OFFICE_USED: Final = 64
FINISHED: Final = 128
DREW: Final = 256
GREETED: Final = 512

NO_GOODS: Final[Goods5] = (0, 0, 0, 0, 0)
NONE: Final = -1  # no good on a ship, no tile in hand, nobody's role card

BUILDINGS_FROM: Final = 7  # places: the seven kinds of tile, then the buildings, then San Juan

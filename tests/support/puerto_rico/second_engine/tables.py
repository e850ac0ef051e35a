"""The numbers of the rules reference: player counts, buildings (1.1-1.9), places of the draft (6.1), options (11)."""

from typing import Final, NamedTuple

GOODS: Final = ("corn", "indigo", "sugar", "tobacco", "coffee")
PRICES: Final = dict(zip(GOODS, range(5), strict=True))  # 1.2
FACTORY: Final = (0, 0, 1, 2, 3, 5)  # doubloons by kinds produced
CHURCH: Final = (0, 0, 1, 1, 2)  # victory points by column
ROLES: Final = ("settler", "mayor", "builder", "craftsman", "trader", "captain")
WINDOWS: Final = {  # 4.5 and R-65
    "full": frozenset(f"GW-{number}" for number in range(1, 11)),
    "coarse": frozenset({"GW-1", "GW-2", "GW-3", "GW-8", "GW-10"}),
}


class Count(NamedTuple):
    """A column of the table 1.1."""

    doubloons: int
    first_tiles: tuple[str, ...]
    vp: int
    colonists: int
    prospectors: tuple[str, ...]
    roles_each: int
    ships: tuple[int, ...]
    quarries: int
    tiles: tuple[int, ...]
    goods: tuple[int, ...]


_TILES: Final = (10, 12, 11, 9, 8)
_GOODS: Final = (10, 11, 11, 9, 9)
COUNTS: Final = {
    2: Count(3, ("indigo", "corn"), 65, 40, ("prospector",), 3, (4, 6), 5, (7, 9, 8, 6, 5), (8, 9, 9, 7, 7)),
    3: Count(2, ("indigo",) * 2 + ("corn",), 75, 55, (), 1, (4, 5, 6), 8, _TILES, _GOODS),
    4: Count(3, ("indigo",) * 2 + ("corn",) * 2, 100, 75, ("prospector",), 1, (5, 6, 7), 8, _TILES, _GOODS),
    5: Count(4, ("indigo",) * 3 + ("corn",) * 2, 126, 95, ("prospector_a", "prospector_b"), 1, (6, 7, 8), 8,
             _TILES, _GOODS),
}  # fmt: skip


class Row(NamedTuple):
    """A building; copies for more than two players."""

    cost: int
    column: int
    circles: int
    copies: int
    makes: str = ""  # the good of a production building

    @property
    def spaces(self) -> int:
        """City spaces."""
        return 2 if self.cost == 10 else 1


def _violet(names: str) -> dict[str, Row]:
    """Lines such as `church 5 2`: cost and column; one circle and two copies."""
    lines = (line.split() for line in names.split(","))
    return {name: Row(int(cost), int(column), 1, 2) for name, cost, column in lines}


def _large(names: str) -> dict[str, Row]:
    return {name: Row(10, 4, 1, 1) for name in names.split()}


PRODUCTION: Final = {
    "small_indigo_plant": Row(1, 1, 1, 4, "indigo"), "small_sugar_mill": Row(2, 1, 1, 4, "sugar"),
    "indigo_plant": Row(3, 2, 3, 3, "indigo"), "sugar_mill": Row(4, 2, 3, 3, "sugar"),
    "tobacco_storage": Row(5, 3, 3, 3, "tobacco"), "coffee_roaster": Row(6, 3, 2, 3, "coffee"),
}  # fmt: skip
JEWELER: Final = {"jeweler": Row(8, 3, 1, 2)}
BASE: Final = _violet(
    "small_market 1 1,hacienda 2 1,construction_hut 2 1,small_warehouse 3 1,hospice 4 2,office 5 2,large_market 5 2,"
    "large_warehouse 6 2,factory 7 3,university 8 3,harbor 8 3,wharf 9 3"
) | _large("guild_hall residence fortress customs_house city_hall")
NEW: Final = (
    _violet(
        "aqueduct 1 1,forest_house 2 1,black_market 2 1,storehouse 3 1,guesthouse 4 2,trading_post 5 2,church 5 2,"
        "small_wharf 6 2,lighthouse 7 3,library 8 3,specialty_factory 8 3,union_hall 9 3"
    )
    | _large("cloister")
    | {"guesthouse": Row(4, 2, 2, 2), "statue": Row(10, 4, 0, 1)}
)
NOBLES: Final = _violet(
    "land_office 2 1,chapel 3 1,hunting_lodge 4 2,zoning_office 5 2,royal_supplier 6 2,villa 7 3"
) | _large("royal_garden")
BUILDINGS: Final = PRODUCTION | JEWELER | BASE | NEW | NOBLES
PLACES: Final = {1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5}  # cost -> places on the board (6.1)
BALANCED: Final = {"university": 7, "factory": 8}  # costs in the balanced variant

DEFAULTS: Final[dict[str, object]] = {
    "edition": "deluxe", "vp_pool_5p": 126, "start_player": "random", "hospice_ship_fallback": True,
    "forest_mode": "face_down_plantation", "forest_face": "reveal", "mayor_placement": "sequential",
    "short_ship": "partial", "city_geometry": "free", "specialty_factory_count": "all_received",
    "exclude_office_and_trading_post": False, "guest_windows": "full", "final_guest_window": True,
    "nobles_setup": "add_all", "land_office_source": "face_down", "land_office_sell_forest": True,
    "vp_end_scope": "any_phase", "vp_display": "hidden", "exp1_selection": "draft", "violet_buildings": [],
    "expansions": [], "variant": "standard",
}  # fmt: skip
CLASSIC: Final[dict[str, object]] = {"vp_pool_5p": 122, "forest_mode": "tile_stack", "short_ship": "none"}

"""What the second bookkeeper knows by heart: the tables of rules 1, and what seats and table hold."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

PRICES: Final = {"corn": 0, "indigo": 1, "sugar": 2, "tobacco": 3, "coffee": 4}  # rules 1.2
FACTORY: Final = (0, 0, 1, 2, 3, 5)  # doubloons by kinds produced (rules 1.7)


class Table(NamedTuple):
    """What stands on the table for a number of players (rules 1.1 to 1.3)."""

    doubloons: int
    first_tiles: str
    vp: int
    colonists: int
    ships: tuple[int, ...]
    quarries: int = 8
    cards_each: int = 1
    prospectors: tuple[str, ...] = ()
    goods: tuple[int, ...] = (10, 11, 11, 9, 9)
    plantations: tuple[int, ...] = (10, 12, 11, 9, 8)


TABLES: Final = {
    2: Table(3, "indigo corn", 65, 40, (4, 6), 5, 3, ("prospector",), (8, 9, 9, 7, 7), (7, 9, 8, 6, 5)),
    3: Table(2, "indigo indigo corn", 75, 55, (4, 5, 6)),
    4: Table(3, "indigo indigo corn corn", 100, 75, (5, 6, 7), prospectors=("prospector",)),
    5: Table(4, "indigo indigo indigo corn corn", 126, 95, (6, 7, 8), prospectors=("prospector_a", "prospector_b")),
}


class Building(NamedTuple):
    """A line of rules 1.7; copies are those for two players, and for more."""

    cost: int
    column: int
    circles: int = 1
    copies: tuple[int, int] = (1, 2)
    produces: str = ""
    spaces: int = 1


LARGE: Final = Building(10, 4, copies=(1, 1), spaces=2)
BUILDINGS: Final = {
    "small_indigo_plant": Building(1, 1, 1, (2, 4), "indigo"), "small_sugar_mill": Building(2, 1, 1, (2, 4), "sugar"),
    "indigo_plant": Building(3, 2, 3, (2, 3), "indigo"), "sugar_mill": Building(4, 2, 3, (2, 3), "sugar"),
    "tobacco_storage": Building(5, 3, 3, (2, 3), "tobacco"), "coffee_roaster": Building(6, 3, 2, (2, 3), "coffee"),
    "small_market": Building(1, 1), "hacienda": Building(2, 1), "construction_hut": Building(2, 1),
    "small_warehouse": Building(3, 1), "hospice": Building(4, 2), "office": Building(5, 2),
    "large_market": Building(5, 2), "large_warehouse": Building(6, 2), "factory": Building(7, 3),
    "university": Building(8, 3), "harbor": Building(8, 3), "wharf": Building(9, 3),
    "guild_hall": LARGE, "residence": LARGE, "fortress": LARGE, "customs_house": LARGE, "city_hall": LARGE,
}  # fmt: skip


class Board:
    """What a seat owns."""

    def __init__(self, doubloons: int, tile: str) -> None:
        self.doubloons = doubloons
        self.chips = self.noted = self.san_juan = 0
        self.goods: Counter[str] = Counter()
        self.tiles = Counter([tile])
        self.city: dict[str, int] = {}  # a building -> people on it
        self.land: Counter[str] = Counter()  # a kind of tile -> people on it

    def runs(self, building: str) -> bool:
        """Whether somebody stands on it (rules 3.2)."""
        return self.city.get(building, 0) > 0

    def circles(self) -> dict[str, int]:
        """Every kind of place with the number of its circles."""
        return dict(+self.tiles) | {name: BUILDINGS[name].circles for name in self.city}

    def people(self) -> int:
        """Everybody on the board."""
        return self.san_juan + self.land.total() + sum(self.city.values())

    def stand(self, places: dict[str, int]) -> None:
        """Put people where they go, the rest into San Juan."""
        self.san_juan = self.people() - sum(places.values())
        self.city = {name: places.get(name, 0) for name in self.city}
        self.land = Counter({tile: places[tile] for tile in self.tiles if tile in places})

    def city_spaces(self) -> int:
        """City spaces in use."""
        return sum(BUILDINGS[name].spaces for name in self.city)

    def capacity(self, good: str) -> int:
        """What can be produced of a kind (rules 3.7)."""
        if good == "corn":
            return self.land["corn"]
        return min(self.land[good], sum(n for name, n in self.city.items() if BUILDINGS[name].produces == good))

    def can_store(self, goods: Counter[str]) -> bool:
        """Whether goods fit: whole kinds in warehouses, and one single good (rules 3.9, E-22)."""
        kinds = self.runs("small_warehouse") + 2 * self.runs("large_warehouse")
        return sum(sorted(goods.values(), reverse=True)[kinds:]) <= 1


class Books:
    """What lies on the table, and how goods, points, tiles and people leave it."""

    def __init__(self, seats: int, row: Sequence[str]) -> None:
        table = TABLES[seats]
        self.boards = [Board(table.doubloons, tile) for tile in table.first_tiles.split()]
        self.cards = dict.fromkeys(("settler", "mayor", "builder", "craftsman", "trader", "captain"), 0)
        self.cards |= dict.fromkeys(table.prospectors, 0)
        self.taken: dict[str, int] = {}
        self.cards_each, self.governor, self.ends = table.cards_each, 0, set[str]()
        self.vp, self.quarries, self.colonists, self.colonist_ship = table.vp, table.quarries, table.colonists, seats
        self.goods = Counter(dict(zip(PRICES, table.goods, strict=True)))
        self.display = {name: building.copies[seats > 2] for name, building in BUILDINGS.items()}
        self.ships = {capacity: Counter[str]() for capacity in table.ships}
        self.house: list[str] = []
        self.pile = Counter(dict(zip(PRICES, table.plantations, strict=True))) - Counter(table.first_tiles.split())
        self.row, self.discards = Counter[str](), Counter[str]()
        self.drawn = list(row)
        self.deal()

    def deal(self) -> None:
        for _ in range(min(len(self.boards) + 1, self.pile.total() + self.discards.total())):
            self.row[self.turn_over()] += 1

    def turn_over(self) -> str:
        """The top face-down plantation (R-12)."""
        if not self.pile.total():
            self.pile, self.discards = self.discards, Counter()
        tile = self.drawn.pop(0)
        assert self.pile[tile] > 0
        self.pile[tile] -= 1
        return tile

    def colonist(self) -> int:
        """A colonist from the supply, else from the ship (R-17, R-39)."""
        self.colonist_ship -= not self.colonists
        self.colonists -= self.colonists > 0
        return 1

    def prices(self, board: Board, builder: bool) -> Iterator[tuple[str, int]]:
        """What a board may buy, and for how many doubloons."""
        for name, building in BUILDINGS.items():
            price = max(0, building.cost - builder - min(board.land["quarry"], building.column))
            room = board.city_spaces() + building.spaces <= 12
            if self.display[name] and name not in board.city and room and price <= board.doubloons:
                yield name, price

    def produce(self, board: Board) -> set[str]:
        """Goods from the supply, as far as they last; the kinds that came."""
        made = +Counter({good: min(board.capacity(good), self.goods[good]) for good in PRICES})
        board.goods += made
        self.goods -= made
        return set(made)

    def pay_out(self, board: Board, kinds: set[str]) -> None:
        board.doubloons += FACTORY[len(kinds)] if board.runs("factory") else 0

    def loadings(self, board: Board) -> Iterator[str]:
        """Ships that a board may load, and must (R-54)."""
        for good, owned in (+board.goods).items():
            carrying = [capacity for capacity, hold in self.ships.items() if hold[good]]
            empty = [capacity for capacity, hold in self.ships.items() if not hold.total()]
            most = max((min(owned, capacity) for capacity in empty), default=0)
            for capacity in carrying or [capacity for capacity in empty if min(owned, capacity) == most]:
                if self.ships[capacity].total() < capacity:
                    yield f"ship {good} {capacity}"

    def load(self, board: Board, good: str, ship: str = "") -> int:
        """Load all that fits on a ship, or everything by the wharf."""
        hold = self.ships[int(ship)] if ship else self.goods
        amount = min(board.goods[good], int(ship) - hold.total()) if ship else board.goods[good]
        hold[good] += amount
        board.goods[good] -= amount
        return amount

    def award(self, board: Board, points: int) -> None:
        """Rules 5.2."""
        chips = min(points, self.vp)
        board.chips, board.noted = board.chips + chips, board.noted + points - chips
        self.vp -= chips
        if not self.vp:
            self.ends.add("vp")

"""What lies on the table and on the boards, and how pieces move between them. Decides nothing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.support.puerto_rico.second_engine.tables import (
    BALANCED,
    BUILDINGS,
    CLASSIC,
    COUNTS,
    DEFAULTS,
    GOODS,
    JEWELER,
    PRODUCTION,
    ROLES,
)


@dataclass
class Tile:
    """An island tile; `face` is the hidden face of a forest."""

    kind: str
    who: str = ""  # colonist, noble or empty
    face: str = ""


@dataclass
class Player:
    """The possessions of a seat."""

    doubloons: int
    island: list[Tile]
    goods: Counter[str] = field(default_factory=Counter)
    city: dict[str, Counter[str]] = field(default_factory=dict)  # building -> people on it
    san_juan: Counter[str] = field(default_factory=Counter)
    chips: int = 0
    noted: int = 0

    def runs(self, building: str) -> bool:
        """Whether it is owned and occupied (3.2)."""
        return building in self.city and self.city[building].total() > 0

    def staffed(self, building: str, who: str) -> bool:
        """Whether this sort of person is on it."""
        return building in self.city and self.city[building][who] > 0

    def tiles(self, kind: str, *, occupied: bool = False) -> int:
        """Tiles of a kind."""
        return sum(1 for tile in self.island if tile.kind == kind and (tile.who or not occupied))

    def room(self) -> bool:
        """Whether an island space is empty."""
        return len(self.island) < 12

    def people(self, who: str) -> int:
        """People of a sort, anywhere on the board."""
        on_tiles = sum(1 for tile in self.island if tile.who == who)
        return on_tiles + sum(staff[who] for staff in self.city.values()) + self.san_juan[who]

    def circles(self) -> dict[str, int]:
        """Kinds of places with their circles."""
        tiles = Counter(tile.kind for tile in self.island if tile.kind != "forest")
        return dict(tiles) | {name: BUILDINGS[name].circles for name in self.city if BUILDINGS[name].circles}

    def empty_circles(self) -> Counter[str]:
        """Kinds of places with their empty circles."""
        empty = Counter(tile.kind for tile in self.island if tile.kind != "forest" and not tile.who)
        empty.update({name: BUILDINGS[name].circles - staff.total() for name, staff in self.city.items()})
        return +empty

    def add(self, who: str, place: str) -> None:
        """Put a person on a kind of tile, a building or into San Juan."""
        if place in self.city:
            self.city[place][who] += 1
        elif place == "san_juan":
            self.san_juan[who] += 1
        else:
            next(tile for tile in self.island if tile.kind == place and not tile.who).who = who

    def remove(self, who: str, place: str) -> None:
        """Take a person off a place."""
        if place in self.city:
            self.city[place][who] -= 1
        elif place == "san_juan":
            self.san_juan[who] -= 1
        else:
            next(tile for tile in self.island if tile.kind == place and tile.who == who).who = ""

    def spaces(self) -> int:
        """City spaces in use."""
        return sum(BUILDINGS[name].spaces for name in self.city)


class Books:
    """The books of one game (2.1)."""

    def __init__(self, seats: int, options: Mapping[str, object], drawn: Sequence[str]) -> None:
        preset = CLASSIC if options.get("edition") == "classic" else {}
        self.options = DEFAULTS | preset | dict(options)
        self.expansions = self.options["expansions"]
        assert isinstance(self.expansions, list)
        self.nobles_play, self.new_play = "nobles" in self.expansions, "new_buildings" in self.expansions
        self.drawn, self.automatic = list(drawn), list[tuple[int, object]]()
        self.seats, self.count = seats, COUNTS[seats]
        poorer = self.options["variant"] == "balanced"
        self.players = [
            Player(self.count.doubloons - (poorer and tile == "corn"), [Tile(tile)]) for tile in self.count.first_tiles
        ]
        self.cards = dict.fromkeys(ROLES + self.count.prospectors, 0)
        self.taken: dict[str, int] = {}
        self._lay_out()

    def _lay_out(self) -> None:
        self.governor = self.round = 0
        self.ends, self.staying, self.over = set[str](), set[int](), False
        self.chips = self.count.vp if self.seats < 5 else int(str(self.options["vp_pool_5p"]))
        self.goods = Counter(dict(zip(GOODS, self.count.goods, strict=True)))
        self.ships = {capacity: Counter[str]() for capacity in self.count.ships}
        self.house: list[str] = []
        self.quarries = self.count.quarries
        self.forests = 12 if self.new_play and self.stacked else 0
        if self.nobles_play:  # 6.2
            self.ship, self.supply = Counter(colonist=self.seats - 1, noble=1), Counter(noble=19)
            self.supply["colonist"] = 100 - (self.seats - 1)
        else:
            self.ship, self.supply = Counter(colonist=self.seats), Counter(colonist=self.count.colonists)
        self.pile = Counter(dict(zip(GOODS, self.count.tiles, strict=True))) - Counter(self.count.first_tiles)
        self.row, self.discards = Counter[str](), Counter[str]()
        self.holding: str | None = None  # a drawn tile not placed yet
        self.display = {name: self.copies(name) for name in PRODUCTION | (JEWELER if self.nobles_play else {})}

    @property
    def stacked(self) -> bool:
        """Whether forests are tiles of their own (R-20)."""
        return self.options["forest_mode"] == "tile_stack"

    def copies(self, building: str) -> int:
        """Copies in play (1.7-1.9, 2.3)."""
        if self.seats > 2 or building in JEWELER:
            return BUILDINGS[building].copies
        return 2 if building in PRODUCTION else 1

    def bring(self, *buildings: str) -> None:
        """Violet buildings come into play."""
        self.display |= {name: self.copies(name) for name in buildings}

    def cost(self, building: str) -> int:
        """The printed cost, or that of the variant."""
        balanced = BALANCED if self.options["variant"] == "balanced" else {}
        return balanced.get(building, BUILDINGS[building].cost)

    def order(self, first: int) -> list[int]:
        """All seats clockwise."""
        return [(first + seat) % self.seats for seat in range(self.seats)]

    def award(self, seat: int, points: int) -> None:
        """Takes victory points from the supply and records missing ones (5.2, R-80)."""
        if points <= 0:
            return
        chips = min(points, self.chips)
        self.chips -= chips
        self.players[seat].chips += chips
        self.players[seat].noted += points - chips
        if not self.chips and self.options["vp_end_scope"] == "any_phase":
            self.ends.add("vp")

    def obtainable(self) -> bool:
        """Whether a face-down tile can be had (R-12)."""
        return self.pile.total() + self.discards.total() > 0

    def turn_over(self) -> str:
        """The top face-down tile."""
        if not self.pile.total():
            self.pile, self.discards = self.discards, Counter()
        tile = self.drawn.pop(0)
        assert self.pile[tile] > 0
        self.pile[tile] -= 1
        return tile

    def deal_row(self) -> None:
        """Turn up the row as far as tiles last (R-13)."""
        for _ in range(self.seats + 1):
            if self.obtainable():
                self.row[self.turn_over()] += 1

    def fetch_colonist(self, *, from_ship: bool) -> bool:
        """Take a colonist out of the supply, else off the ship; says whether there was one."""
        for stock in (self.supply, self.ship) if from_ship else (self.supply,):
            if stock["colonist"]:
                stock["colonist"] -= 1
                return True
        return False

    def has_colonist(self, *, from_ship: bool) -> bool:
        """Whether a colonist can be fetched."""
        return self.supply["colonist"] + (self.ship["colonist"] if from_ship else 0) > 0

    def can_make_forest(self, seat: int) -> bool:
        """Whether a tile just taken may become a forest (4.3, R-20)."""
        return self.players[seat].runs("forest_house") and (not self.stacked or self.forests > 0)

    def plant(self, seat: int, tile: str, *, forest: bool) -> None:
        """Lay a tile on an island, or as a forest in its stead."""
        if forest and self.stacked:
            self.forests -= 1
            self.discards[tile] += 1
            self.players[seat].island.append(Tile("forest"))
        else:
            self.players[seat].island.append(Tile("forest", face=tile) if forest else Tile(tile))

    def unplant(self, seat: int, kind: str, who: str, face: str) -> None:
        """Remove a tile; its occupant goes to San Juan (R-76)."""
        self.players[seat].island.remove(Tile(kind, who, face))
        if who:
            self.players[seat].san_juan[who] += 1
        if kind == "forest" and not face:
            self.forests += 1
        else:
            self.discards[face or kind] += 1

    def removable(self, seat: int, *, forests: bool = True) -> set[tuple[str, ...]]:
        """Moves that remove a plantation or a forest."""
        tiles = [tile for tile in self.players[seat].island if tile.kind != "quarry"]
        kept = (tile for tile in tiles if forests or tile.kind != "forest")
        return {("unplant", *filter(None, (tile.kind, tile.who, tile.face))) for tile in kept}

    def privilege(self, seat: int) -> int:
        """How much the chooser's privilege is: doubled by a library."""
        return 2 if self.players[seat].runs("library") else 1

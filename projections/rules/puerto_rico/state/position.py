"""The one mutable object: everything that is on the table, as small numbers and lists, cheap to copy."""

from operator import attrgetter
from typing import Final

from projections.rules.move_collection import Moves
from projections.rules.puerto_rico.buildings.printed import CIRCLES, COUNT, NOBLE_POSTS, POSTS
from projections.rules.puerto_rico.kinds import BUILDINGS_FROM, CIRCLED_TILES, FOREST, NO_GOODS, NONE, OVER, Goods5
from projections.rules.puerto_rico.moves import Move, People
from projections.rules.puerto_rico.plan import START, PhaseProgram
from projections.rules.puerto_rico.rulings import Rulings
from projections.rules.puerto_rico.tables import HOLDS

# The fields of the position. `offer`, `programs` and `bargains` are remembered answers; the others follow from these.
STATE: Final = (
    "rulings", "seats", "round", "governor", "phase", "chooser", "step", "actor", "ends",
    "cards_out", "card_doubloons", "card_taken_by", "cards_taken",
    "doubloons", "chips", "noted", "goods", "tiles", "tile_people", "tile_nobles", "faces", "hidden_faces",
    "city_people", "city_nobles", "spaces", "san_juan", "san_juan_nobles",
    "ship_good", "ship_load", "house", "goods_supply", "vp_supply", "in_play", "display",
    "pile", "row", "discards", "quarries", "forests",
    "colonist_supply", "colonist_ship", "noble_supply", "noble_ship",
    "done", "turns", "produced", "received", "hand", "staying", "sealed",
)  # fmt: skip
_state = attrgetter(*STATE)


class Position:
    """A game of Puerto Rico between two facts. Lists are by seat, lists of lists by seat and kind."""

    __slots__ = (
        *STATE, "owned", "working", "circles", "people", "nobles", "on_display", "holds",
        "offer", "programs", "bargains",
    )  # fmt: skip

    @staticmethod
    def empty(rulings: Rulings, seats: int) -> "Position":
        """A table with nothing on it."""
        position = Position()
        position.clear(rulings, seats)
        return position

    def clear(self, rulings: Rulings, seats: int) -> None:
        """Take everything off the table."""
        self.rulings: Rulings = rulings
        self.seats: int = seats
        self.holds: tuple[int, ...] = HOLDS[seats]  # capacities of the cargo ships
        # the frame
        self.round: int = 1
        self.governor: int = 0
        self.phase: int = OVER
        self.chooser: int = 0
        self.step: int = START
        self.actor: int = NONE
        self.ends: int = 0  # bits of the end conditions met
        # role cards
        self.cards_out: int = 0  # bits of the cards on display
        self.card_doubloons: list[int] = [0] * 9
        self.card_taken_by: list[int] = [NONE] * 9
        self.cards_taken: int = 0
        # players
        self.doubloons: list[int] = [0] * seats
        self.chips: list[int] = [0] * seats
        self.noted: list[int] = [0] * seats  # points owed after the chips ran out
        self.goods: list[list[int]] = [[0] * 5 for _ in range(seats)]
        self.tiles: list[list[int]] = [[0] * 7 for _ in range(seats)]
        self.tile_people: list[list[int]] = [[0] * 7 for _ in range(seats)]  # colonists and nobles
        self.tile_nobles: list[list[int]] = [[0] * 7 for _ in range(seats)]
        self.faces: list[list[int]] = [[0] * 5 for _ in range(seats)]  # under own forests, known to all
        self.hidden_faces: list[list[int]] = [[0] * 5 for _ in range(seats)]  # known to the owner alone
        self.city_people: list[list[int]] = [[0] * COUNT for _ in range(seats)]
        self.city_nobles: list[list[int]] = [[0] * COUNT for _ in range(seats)]
        self.owned: list[int] = [0] * seats  # bits of the buildings on each board
        self.working: list[int] = [0] * seats  # bits of the occupied ones, see buildings.kinds.POSTS
        self.spaces: list[int] = [0] * seats  # city spaces filled
        self.circles: list[int] = [0] * seats  # circles on the buildings of each board
        self.san_juan: list[int] = [0] * seats  # colonists and nobles
        self.san_juan_nobles: list[int] = [0] * seats
        self.people: list[int] = [0] * seats  # colonists and nobles anywhere on each board
        self.nobles: list[int] = [0] * seats
        # the middle of the table
        self.ship_good: list[int] = [NONE] * len(self.holds)
        self.ship_load: list[int] = [0] * len(self.holds)
        self.house: list[int] = []
        self.goods_supply: list[int] = [0] * 5
        self.vp_supply: int = 0
        self.in_play: int = 0  # bits of the kinds of buildings of this game
        self.display: list[int] = [0] * COUNT  # copies left
        self.on_display: int = 0  # bits of the kinds with a copy left
        self.pile: list[int] = [0] * 5
        self.row: list[int] = [0] * 5
        self.discards: list[int] = [0] * 5
        self.quarries: int = 0
        self.forests: int = 0
        self.colonist_supply: int = 0
        self.colonist_ship: int = 0
        self.noble_supply: int = 0
        self.noble_ship: int = 0
        # the running phase
        self.done: list[int] = [0] * seats  # bits, see kinds.DEEDS_DONE
        self.turns: int = 0  # captain: turns in a row without a loading; mayor: people picked from the ship
        self.produced: list[Goods5] = [NO_GOODS] * seats  # own production of this phase
        self.received: list[Goods5] = [NO_GOODS] * seats  # everything received in this phase
        self.hand: int = NONE  # the tile drawn and not yet placed
        self.staying: int = 0  # bits of the seats whose guests stay until the end of the phase
        self.sealed: list[People | None] = [None] * seats  # placements decided and not yet made
        # remembered answers
        self.offer: Moves[Move] | None = None
        self.programs: dict[int, PhaseProgram] | None = None
        self.bargains: tuple[tuple[int, ...], ...] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and bool(_state(self) == _state(other))

    def copy(self) -> "Position":
        """An independent position that is equal."""
        twin = Position()
        twin.rulings = self.rulings
        twin.seats = self.seats
        twin.holds = self.holds
        twin.round = self.round
        twin.governor = self.governor
        twin.phase = self.phase
        twin.chooser = self.chooser
        twin.step = self.step
        twin.actor = self.actor
        twin.ends = self.ends
        twin.cards_out = self.cards_out
        twin.card_doubloons = self.card_doubloons[:]
        twin.card_taken_by = self.card_taken_by[:]
        twin.cards_taken = self.cards_taken
        twin.doubloons = self.doubloons[:]
        twin.chips = self.chips[:]
        twin.noted = self.noted[:]
        twin.goods = [row[:] for row in self.goods]
        twin.tiles = [row[:] for row in self.tiles]
        twin.tile_people = [row[:] for row in self.tile_people]
        twin.tile_nobles = [row[:] for row in self.tile_nobles]
        twin.faces = [row[:] for row in self.faces]
        twin.hidden_faces = [row[:] for row in self.hidden_faces]
        twin.city_people = [row[:] for row in self.city_people]
        twin.city_nobles = [row[:] for row in self.city_nobles]
        twin.owned = self.owned[:]
        twin.working = self.working[:]
        twin.spaces = self.spaces[:]
        twin.circles = self.circles[:]
        twin.san_juan = self.san_juan[:]
        twin.san_juan_nobles = self.san_juan_nobles[:]
        twin.people = self.people[:]
        twin.nobles = self.nobles[:]
        self._copy_table(twin)
        return twin

    def _copy_table(self, twin: "Position") -> None:
        twin.ship_good = self.ship_good[:]
        twin.ship_load = self.ship_load[:]
        twin.house = self.house[:]
        twin.goods_supply = self.goods_supply[:]
        twin.vp_supply = self.vp_supply
        twin.in_play = self.in_play
        twin.display = self.display[:]
        twin.on_display = self.on_display
        twin.pile = self.pile[:]
        twin.row = self.row[:]
        twin.discards = self.discards[:]
        twin.quarries = self.quarries
        twin.forests = self.forests
        twin.colonist_supply = self.colonist_supply
        twin.colonist_ship = self.colonist_ship
        twin.noble_supply = self.noble_supply
        twin.noble_ship = self.noble_ship
        twin.done = self.done[:]
        twin.turns = self.turns
        twin.produced = self.produced[:]
        twin.received = self.received[:]
        twin.hand = self.hand
        twin.staying = self.staying
        twin.sealed = self.sealed[:]
        twin.offer = self.offer
        twin.programs = self.programs
        twin.bargains = self.bargains

    # --- questions that need nothing but the position --------------------------------------------------------------

    def order(self, first: int) -> list[int]:
        """All seats clockwise from this one."""
        return [*range(first, self.seats), *range(first)]

    def island(self, seat: int) -> int:
        """How many island spaces are filled."""
        return sum(self.tiles[seat])

    def nobles_of(self, seat: int) -> int:
        """The nobles anywhere on a board."""
        return self.nobles[seat]

    def people_of(self, seat: int) -> int:
        """The colonists and nobles anywhere on a board."""
        return self.people[seat]

    def people_in_city(self, seat: int) -> int:
        """The colonists and nobles on the buildings of a board."""
        return self.people[seat] - self.san_juan[seat] - sum(self.tile_people[seat])

    def room(self, seat: int) -> int:
        """The circles of a board, occupied or not; a forest has none."""
        return self.circles[seat] + sum(self.tiles[seat]) - self.tiles[seat][FOREST]

    def count_people(self, seat: int) -> None:
        """Counts the people of a board that were put there one by one."""
        self.people[seat] = sum(self.tile_people[seat]) + sum(self.city_people[seat]) + self.san_juan[seat]
        self.nobles[seat] = sum(self.tile_nobles[seat]) + sum(self.city_nobles[seat]) + self.san_juan_nobles[seat]

    def empty_circles(self, seat: int, place: int) -> int:
        """The empty circles at a place of a board: a kind of tile, or a building of the owner."""
        if place < CIRCLED_TILES:
            return self.tiles[seat][place] - self.tile_people[seat][place]
        if place < BUILDINGS_FROM:
            return 0  # a forest has no circle
        building = place - BUILDINGS_FROM
        return CIRCLES[building] - self.city_people[seat][building] if self.owned[seat] >> building & 1 else 0

    def rework(self, seat: int, building: int) -> None:
        """Updates the mask of working buildings after people came to a building or left it."""
        mask = self.working[seat] & ~(POSTS[building] | NOBLE_POSTS[building])
        if self.city_people[seat][building]:
            mask |= (NOBLE_POSTS if self.city_nobles[seat][building] else POSTS)[building]
        self.working[seat] = mask

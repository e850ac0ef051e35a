"""Sets a scene: changes the document of a fresh game until it is the position a test wants, conserving every piece."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from events.json_types import Json
from projections.rules.dealer import RandomDealer
from projections.rules.puerto_rico.state.position import Position
from tests.support.puerto_rico.scenes import GAME, GOODS, Board, Scene, board, counts

# Items that a scene takes from the supplies without placing them go to the last seat.


def scene(
    *boards: Board,
    seats: int = 4,
    ships: Mapping[int, tuple[str, int]] | None = None,
    house: Iterable[str] = (),
    row: str = "",
    cards: Mapping[str, int] | None = None,
    options: Mapping[str, Json] | None = None,
    ends: Iterable[str] = (),
    **left: Any,
) -> Scene:
    """A position before the choice of a role by seat 0.

    `left` says how much is left of a supply: colonists, nobles, colonist_ship, noble_ship, vp, goods, pile, quarries.
    """
    stage = Stage(seats, options or {})
    for seat, what in enumerate([*boards, *[board()] * (seats - len(boards))]):
        stage.set_board(seat, what)
    stage.set_table(ships or {}, list(house), row.split(), cards or {})
    for name in sorted(left, key=lambda name: not name.endswith("ship")):  # the rest is in the supply
        getattr(stage, f"leave_{name}")(left[name])
    stage.document["ends"] = list(ends)
    return Scene(GAME.restore(stage.document))


def all_tiles_out(city: str, row: str = "corn corn corn corn corn", **named: Any) -> Scene:
    """All fifty plantations lie on islands or in the row; a shorter row of corn leaves tiles to draw."""
    return scene(
        board(island="coffee " * 8 + "corn", city=city),
        board(island="indigo " * 12),
        board(island="sugar " * 11 + "corn"),
        board(island="tobacco " * 9 + "corn corn corn"),
        row=row,
        **named,
    )


def fresh(seats: int, **options: Json) -> Any:
    """The document of a game that has just been set up."""
    return thawed(GAME.document(set_up(seats, options)))


def set_up(seats: int, options: Mapping[str, Json], seed: int = 0) -> Position:
    """A game before its first decision."""
    chosen = GAME.read_options(options, seats)
    recorder = GAME.recorder(recording=False)
    return GAME.set_up(chosen, seats, RandomDealer(random.Random(seed)), recorder)


class Stage:
    """A document being changed; every piece comes from a supply and goes back to one."""

    def __init__(self, seats: int, options: Mapping[str, Json]) -> None:
        self.document: Any = fresh(seats, **options)
        self.last = seats - 1
        plantations, supply = self.document["plantations"], self.document["supply"]
        plantations["face_down"] = Counter(plantations["face_down"])
        plantations["discarded"] = Counter(plantations["discarded"])
        supply["goods"] = Counter(supply["goods"])
        for player in self.document["players"]:
            for tile in player["island"]:
                plantations["face_down"][tile["tile"]] += 1
            player["island"].clear()
            player["goods"] = Counter()
        for tile in plantations["face_up"]:
            plantations["face_down"][tile] += 1
        plantations["face_up"] = []

    def set_board(self, seat: int, what: Board) -> None:
        """Sets the possessions of a seat."""
        player = self.document["players"][seat]
        player["doubloons"] = what.doubloons
        player["vp_chips"], player["vp_noted"] = what.vp, what.noted
        self.document["supply"]["vp_chips"] -= what.vp
        for good, number in counts(what.goods).items():
            self._give_good(seat, good, number)
        for text in what.island.split():
            self._give_tile(seat, text)
        for text in what.city.split():
            building, colonists, nobles = self._people(text)
            self.document["supply"]["buildings"][building] -= 1
            player["city"].append({"building": building, "colonists": colonists, "nobles": nobles})
        _, colonists, nobles = self._people(what.san_juan)
        player["san_juan"] = {"colonists": colonists, "nobles": nobles}

    def set_table(
        self, ships: Mapping[int, tuple[str, int]], house: list[str], row: list[str], cards: Mapping[str, int]
    ) -> None:
        """Load ships and trading house, turn up a row, put doubloons on role cards."""
        for ship in self.document["ships"]:
            if ship["capacity"] in ships:
                ship["good"], ship["loaded"] = ships[ship["capacity"]]
                self.document["supply"]["goods"][ship["good"]] -= ship["loaded"]
        self.document["trading_house"] = house
        for good in house:
            self.document["supply"]["goods"][good] -= 1
        for tile in row:
            self.document["plantations"]["face_down"][tile] -= 1
        self.document["plantations"]["face_up"] = row
        for role, doubloons in cards.items():
            self.document["roles"][role]["doubloons"] = doubloons

    def _give_good(self, seat: int, good: str, number: int) -> None:
        self.document["supply"]["goods"][good] -= number
        self.document["players"][seat]["goods"][good] += number

    def _give_tile(self, seat: int, text: str) -> None:
        """Put `corn+` or `quarry` on an island; a forest is `forest:corn`, on tiles of their own just `forest`."""
        named, colonists, nobles = self._people(text)
        tile, _, face = named.partition(":")
        plantations = self.document["plantations"]
        placed: dict[str, Json] = {"tile": tile, "colonists": colonists, "nobles": nobles}
        if tile == "quarry":
            plantations["quarries"] -= 1
        elif tile == "forest" and not face:
            plantations["forests"] -= 1
        else:
            plantations["face_down"][face or tile] -= 1
        if face:
            placed["face"] = face
        self.document["players"][seat]["island"].append(placed)

    def _people(self, text: str) -> tuple[str, int, int]:
        """Split `wharf+` and take the people from the supply."""
        colonists, nobles = text.count("+"), text.count("*")
        self.document["colonists"]["supply"] -= colonists
        self.document["nobles"]["supply"] -= nobles
        return text.rstrip("+*"), colonists, nobles

    # --- what is left of a supply; the rest lies with the last seat ------------------------------------------------

    def leave_colonists(self, wanted: int) -> None:
        self._crowd("colonists", wanted)

    def leave_nobles(self, wanted: int) -> None:
        self._crowd("nobles", wanted)

    def _crowd(self, sort: str, wanted: int) -> None:
        self.document["players"][self.last]["san_juan"][sort] += self.document[sort]["supply"] - wanted
        self.document[sort]["supply"] = wanted

    def leave_colonist_ship(self, wanted: int) -> None:
        self._sail("colonists", wanted)

    def leave_noble_ship(self, wanted: int) -> None:
        self._sail("nobles", wanted)

    def _sail(self, sort: str, wanted: int) -> None:
        self.document[sort]["supply"] += self.document[sort]["ship"] - wanted
        self.document[sort]["ship"] = wanted

    def leave_vp(self, wanted: int) -> None:
        supply = self.document["supply"]
        self.document["players"][self.last]["vp_chips"] += supply["vp_chips"] - wanted
        supply["vp_chips"] = wanted

    def leave_goods(self, wanted: str) -> None:
        for good, number in counts(wanted).items():
            self._give_good(self.last, good, self.document["supply"]["goods"][good] - number)

    def leave_pile(self, wanted: str) -> None:
        plantations, left = self.document["plantations"], counts(wanted)
        for good in GOODS:
            plantations["discarded"][good] += plantations["face_down"][good] - left[good]
            plantations["face_down"][good] = left[good]

    def leave_quarries(self, wanted: int) -> None:
        while self.document["plantations"]["quarries"] > wanted:
            self._give_tile(self.last, "quarry")


def thawed(document: Any) -> Any:
    """A deep copy with plain dicts and lists, free to change."""
    if isinstance(document, Mapping):
        return {name: thawed(value) for name, value in document.items()}
    return [thawed(value) for value in document] if isinstance(document, list | tuple) else document

"""The adapter of Puerto Rico: vocabulary, placements written place by place, and the board as numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from projections.rules.move_collection import Moves
from projections.rules.protocol import Game
from projections.rules.puerto_rico import moves
from projections.rules.puerto_rico.buildings.printed import NAMES
from projections.rules.puerto_rico.kinds import DEEDS_DONE, ENDS, GOODS, PERSONS, PHASES, ROLES, TILES, Place
from projections.rules.puerto_rico.long_choices.placements import Placements
from projections.rules.puerto_rico.moves import PlacePeople
from projections.rules.puerto_rico.state.places import place_name, rank
from workers.rl.game_adapter import GameAdapter, amounts, counted, from_seat, one_of, relative_seat
from workers.rl.move_writer import END, ListedMoveWriter, MoveWriter

VERBS: Final = (*(kind._field_defaults["word"] for kind in get_args(moves.Move)), "forest")
MOST: Final = 20  # nobles or colonists of a kind of tile
NUMBERS: Final = tuple(str(number) for number in range(MOST + 1))
NAMED: Final = (*TILES, *NAMES, "san_juan", *PERSONS[1:], "vp")
VOCABULARY: Final = tuple(
    dict.fromkeys((
        END,
        *VERBS,
        *(f" {name}" for name in (*ROLES, *NAMED, "black_market", "phase", *NUMBERS)),
        *(f" -{name}" for name in NAMES),
        *NAMED,
        *NUMBERS,
        *(f"{number}n" for number in NUMBERS),
        "n",
        *"=@,+",
    ))
)  # fmt: skip


class PlacementWriter:
    """Writes a placement of the mayor phase, of which there can be millions: place by place, colonists, then nobles."""

    def __init__(self, legal: Placements) -> None:
        self._room = sorted(legal.circles, key=lambda circles: rank(circles[0]))
        self._left, self._colonists, self._nobles = legal.filled, legal.colonists, legal.nobles
        self._placed: list[tuple[Place, int, int]] = []
        self._at = 0  # in the row of places
        self._chosen: int | None = None  # the number of colonists at the place, once written
        self._named = False

    @property
    def move(self) -> PlacePeople | None:
        """The placement; None while people are left to place."""
        return None if self._left or self._named else PlacePeople(tuple(sorted(self._placed)))

    def choices(self) -> Sequence[str]:
        """Returns the places from here on that leave room enough, or the numbers of people for the place."""
        if not self._named:
            return [f" {place_name(place)}" for at, (place, _) in self._open() if self._later(at) >= self._left]
        if self._chosen is None:
            return list(dict.fromkeys(str(colonists) for colonists, _ in self._splits()))
        return [f"{nobles}n" for colonists, nobles in self._splits() if colonists == self._chosen]

    def write(self, atom: str) -> None:
        """Writes the place, then its people."""
        if not self._named:
            self._at = next(at for at, (place, _) in self._open() if f" {place_name(place)}" == atom)
            self._named = True
        elif self._chosen is None:
            self._chosen = int(atom)
            if not self._nobles:
                self._put(0)
        else:
            self._put(int(atom.removesuffix("n")))

    def _open(self) -> list[tuple[int, tuple[Place, int]]]:
        return list(enumerate(self._room))[self._at :]

    def _later(self, at: int) -> int:
        return sum(number for _, number in self._room[at:])

    def _splits(self) -> list[tuple[int, int]]:
        """Returns the splits into colonists and nobles for the place that leave a circle for all others."""
        most, least = min(self._room[self._at][1], self._left), self._left - self._later(self._at + 1)
        return [
            (colonists, nobles)
            for colonists in range(min(most, self._colonists) + 1)
            for nobles in range(min(most - colonists, self._nobles) + 1)
            if colonists + nobles >= max(1, least)
        ]

    def _put(self, nobles: int) -> None:
        colonists = self._chosen or 0
        self._placed.append((self._room[self._at][0], colonists, nobles))
        self._colonists, self._nobles = self._colonists - colonists, self._nobles - nobles
        self._left -= colonists + nobles
        self._at, self._chosen, self._named = self._at + 1, None, False


def write(game: Game[Any, Any], legal: Moves[Any]) -> MoveWriter:
    """Returns a writer for a move among the legal ones."""
    return PlacementWriter(legal) if isinstance(legal, Placements) else ListedMoveWriter(game, legal)


def observe(view: Mapping[str, Any], seat: int) -> list[int]:
    """Returns the board from a seat as numbers: its own player, the others, then the table; hidden values are 0."""
    seats = len(view["players"])
    numbers = [number for other in from_seat(seat, seats) for number in _player(view, other)]
    return numbers + _table(view, seat, seats) + _supply(view)


def _player(view: Mapping[str, Any], seat: int) -> list[int]:
    player, phase = view["players"][seat], view.get("phase") or {}
    numbers = [player["doubloons"], player["vp_chips"] or 0, player["vp_noted"] or 0]
    numbers += amounts(GOODS, player["goods"]) + amounts(("colonists", "nobles"), player["san_juan"])
    for tile in TILES:
        alike = [one for one in player["island"] if one["tile"] == tile]
        numbers += [len(alike), *(sum(one[people] for one in alike) for people in ("colonists", "nobles"))]
    numbers += counted(GOODS, [one["face"] for one in player["island"] if one.get("face")])
    city = {own["building"]: own for own in player["city"]}
    for building in NAMES:
        own = city.get(building)
        numbers += [0, 0, 0] if own is None else [1, own["colonists"], own["nobles"]]
    numbers += counted(ROLES, player["role"]) + counted(DEEDS_DONE, _of(phase, "done", seat, []))
    numbers += amounts(GOODS, _of(phase, "produced", seat, {})) + amounts(GOODS, _of(phase, "received", seat, {}))
    return [*numbers, int(seat in phase.get("guests_stay", ()))]


def _of(phase: Mapping[str, Any], what: str, seat: int, none: Any) -> Any:
    return phase[what][seat] if what in phase else none


def _table(view: Mapping[str, Any], seat: int, seats: int) -> list[int]:
    turn, phase = view["turn"] or {}, view.get("phase") or {}
    numbers = [
        view["round"],
        *relative_seat(view["governor"], seat, seats),
        *relative_seat(turn.get("seat"), seat, seats),
    ]
    numbers += (
        one_of(PHASES, phase.get("name"))
        + relative_seat(phase.get("chooser"), seat, seats)
        + counted(ENDS, view["ends"])
    )
    for role in ROLES:
        card = view["roles"].get(role)
        numbers += [0, 0] if card is None else [card["doubloons"], int(card["taken_by"] is None)]
    for ship in view["ships"]:
        numbers += [ship["capacity"], ship["loaded"], *one_of(GOODS, ship["good"])]
    return numbers + counted(GOODS, view["trading_house"]) + one_of(TILES, phase.get("drawn_tile"))


def _supply(view: Mapping[str, Any]) -> list[int]:
    land, supply = view["plantations"], view["supply"]
    numbers = counted(GOODS, land["face_up"]) + amounts(GOODS, land["face_down"]) + amounts(GOODS, land["discarded"])
    numbers += amounts(("quarries", "forests"), land)
    numbers += amounts(("ship", "supply"), view["colonists"]) + amounts(("ship", "supply"), view["nobles"])
    return numbers + amounts(GOODS, supply["goods"]) + [supply["vp_chips"] or 0] + amounts(NAMES, supply["buildings"])


PUERTO_RICO: Final = GameAdapter(VOCABULARY, write, observe)

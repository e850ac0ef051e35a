"""Scenes: positions made for one question, through position documents, and played with move strings."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from events.json_types import Json
from projections.rules.dealer import Dealer, DeclaredDealer, RandomDealer
from projections.rules.errors import IllegalMove
from projections.rules.puerto_rico.game import PuertoRico
from projections.rules.puerto_rico.state.position import Position

GAME: Final = PuertoRico()
A, B, C, D, E = range(5)
GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")
EVERYTHING: dict[str, Json] = {"expansions": ["new_buildings", "nobles"], "exp1_selection": "all"}
NEW_BUILDINGS: dict[str, Json] = {"expansions": ["new_buildings"], "exp1_selection": "all"}
NOBLES: dict[str, Json] = {"expansions": ["nobles"]}


class Board(NamedTuple):
    """The possessions of a seat; `+` after a tile or building is a colonist on it, `*` a noble."""

    doubloons: int
    vp: int
    noted: int
    goods: str
    island: str
    city: str
    san_juan: str


def board(
    *,
    doubloons: int = 0,
    vp: int = 0,
    noted: int = 0,
    goods: str = "",
    island: str = "",
    city: str = "",
    san_juan: str = "",
) -> Board:
    """A seat's side of a scene: `board(goods="corn=2", island="corn+ quarry", city="wharf+", san_juan="++")`."""
    return Board(doubloons, vp, noted, goods, island, city, san_juan)


class Scene:
    """A position to play from; answers come from its document or its legal moves."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.facts: list[Any] = []

    def play(self, *moves: str, drew: Iterable[str] | None = None) -> "Scene":
        """Makes these moves; `drew` declares the draws, otherwise they are random."""
        dealer: Dealer = RandomDealer(random.Random(1)) if drew is None else DeclaredDealer(drew)
        for text in moves:
            recorder = GAME.recorder(recording=True)
            move = GAME.canonical(self.position, GAME.parse(text))
            GAME.play(self.position, move, dealer, recorder)
            self.facts = [GAME.encode(fact) for fact in recorder.facts]
        return self

    def rest(self) -> "Scene":
        """Decline everything up to the next choice of a role, or the end."""
        return self._decline(lambda: self.decision in ("D-ROLE", None))

    def until(self, seat: int, decision: str) -> "Scene":
        """Decline everything up to this decision of this seat."""
        return self._decline(lambda: self.asked == (seat, decision))

    def _decline(self, enough: Callable[[], bool]) -> "Scene":
        for _ in range(200):
            if enough():
                return self
            listed = self.moves
            declining = (text for text in ("stay", "pass", "supply", "keep", "store", "place") if text in listed)
            self.play(next(declining, min(listed)))
        raise AssertionError("what is waited for never comes")

    @property
    def moves(self) -> set[str]:
        """The legal moves as texts."""
        return {GAME.notation(move) for move in GAME.legal(self.position)}

    @property
    def seat(self) -> int | None:
        """The seat to act."""
        return GAME.actor(self.position)

    @property
    def decision(self) -> str | None:
        """The decision point."""
        return GAME.decision(self.position)

    @property
    def asked(self) -> tuple[int | None, str | None]:
        """Returns the seat to act and its decision."""
        return self.seat, self.decision

    @property
    def over(self) -> bool:
        """Returns whether no seat has to act."""
        return self.seat is None

    @property
    def document(self) -> dict[str, Any]:
        """The whole position."""
        return dict(GAME.document(self.position))

    def player(self, seat: int) -> dict[str, Any]:
        """A seat's part of the document."""
        part: dict[str, Any] = self.document["players"][seat]
        return part

    def doubloons(self, seat: int) -> int:
        """Doubloons of a seat."""
        return int(self.player(seat)["doubloons"])

    def vp(self, seat: int) -> int:
        """Victory points earned in play: chips and noted points."""
        player = self.player(seat)
        return int(player["vp_chips"]) + int(player["vp_noted"])

    def goods(self, seat: int) -> str:
        """Goods of a seat, as `corn=2 coffee=1`."""
        return counted(self.player(seat)["goods"])

    def island(self, seat: int) -> str:
        """Returns the tiles of a seat with their colonists, sorted."""
        return " ".join(sorted(tile["tile"] + people(tile) for tile in self.player(seat)["island"]))

    def city(self, seat: int) -> str:
        """Returns the buildings of a seat with their colonists, sorted."""
        return " ".join(sorted(place["building"] + people(place) for place in self.player(seat)["city"]))

    def san_juan(self, seat: int) -> str:
        """Returns the colonists in San Juan."""
        return people(self.player(seat)["san_juan"])

    def bonus(self, seat: int, building: str) -> int | None:
        """Returns the points of a large building if the game ended now; None when it does not count."""
        bonuses: Any = GAME.scores(self.position)[seat]["bonuses"]
        points: int | None = bonuses.get(building)
        return points

    def total(self, seat: int) -> int:
        """A seat's points if the game ended now."""
        total: Any = GAME.scores(self.position)[seat]["total"]
        return int(total)

    def supply(self) -> str:
        """Goods in the supply."""
        return counted(self.document["supply"]["goods"])

    def ships(self) -> list[tuple[int, str | None, int]]:
        """Cargo ships: capacity, good, load."""
        return [(ship["capacity"], ship["good"], ship["loaded"]) for ship in self.document["ships"]]

    def refusal(self, text: str) -> IllegalMove:
        """Why a move is refused; fails when it is not."""
        assert text not in self.moves
        before = GAME.document(self.position)
        try:
            self.play(text)
        except IllegalMove as refused:
            assert GAME.document(self.position) == before
            return refused
        raise AssertionError(f"{text!r} was not refused")

    def view(self, seat: int | None) -> Any:
        """The position as a seat, or a spectator, may see it."""
        return GAME.view(self.position, seat)

    def copy(self) -> "Scene":
        """The same scene, to try another move."""
        return Scene(GAME.copy(self.position))


def people(place: dict[str, int]) -> str:
    """Returns the colonists on a place."""
    return "+" * place["colonists"] + "*" * place["nobles"]


def counted(goods: dict[str, int]) -> str:
    """Counts of goods without the zeros."""
    return " ".join(f"{good}={goods[good]}" for good in GOODS if goods.get(good))


def counts(text: str) -> Counter[str]:
    """`corn=2 coffee=1` as counts."""
    pairs = (item.partition("=") for item in text.split())
    return Counter({good: int(number) for good, _, number in pairs})

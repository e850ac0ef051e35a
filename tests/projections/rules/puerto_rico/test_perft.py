"""Ways to make so many moves from fixed tables: a changed number is a changed rule."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from projections.rules.puerto_rico.moves import Move
from projections.rules.puerto_rico.state.position import Position
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import EVERYTHING, GAME, NEW_BUILDINGS, NOBLES, board


class LastInOrder:
    """Deals the kind whose name comes last: a row of tobacco, then of sugar."""

    def draw(self, counts: Mapping[str, int]) -> str:
        return max(kind for kind, number in counts.items() if number)


def perft(position: Position, depth: int) -> int:
    """The number of ways to make so many moves; a finished game has none."""
    if GAME.actor(position) is None:
        return 0
    moves = GAME.legal(position)
    return len(moves) if depth == 1 else sum(perft(after(position, move), depth - 1) for move in moves)


def after(position: Position, move: Move) -> Position:
    """The position after a move."""
    following = GAME.copy(position)
    GAME.play(following, move, LastInOrder(), GAME.recorder(recording=False))
    return following


def ways(position: Position, depth: int) -> tuple[int, ...]:
    """The numbers of ways up to a depth."""
    return tuple(perft(position, moves) for moves in range(1, depth + 1))


def a_start(seats: int, options: Mapping[str, Any]) -> Position:
    """A game that has just been laid out."""
    chosen = GAME.read_options(dict(options), seats)
    return GAME.set_up(chosen, seats, LastInOrder(), GAME.recorder(recording=False))


@pytest.mark.parametrize(
    ("seats", "second"),
    [(2, 3 + 10 + 5 * 6), (3, 3 + 8 + 4 * 5), (4, 3 + 10 + 5 * 6), (5, 3 + 13 + 6 * 7)],
)
def test_the_first_two_moves_counted_by_hand(seats: int, second: int) -> None:
    """Settler: tobacco, quarry or pass; builder: a building one doubloon too expensive, or pass; else a role."""
    roles = {2: 7, 3: 6, 4: 7, 5: 8}
    assert ways(a_start(seats, {}), 2) == (roles[seats], second)


# Second moves by hand: four with nobles 3 + 2 + 13 + 4 * 6; three with all buildings 3 + 5 + 12 + 3 * 5; five with
# everything 3 + 2 + 24 + 5 * 7. In a draft twelve kinds stand alone in their cost, so that each closes its rival.
STARTS: Final[Mapping[str, tuple[int, dict[str, Any], tuple[int, ...]]]] = {
    "two players": (2, {}, (7, 43, 247, 1429, 7220)),
    "three players": (3, {}, (6, 31, 146, 782, 4057)),
    "four players": (4, {}, (7, 43, 251, 1575, 11518)),
    "five players": (5, {}, (8, 58, 412, 3198, 28046)),
    "four players, balanced": (4, {"variant": "balanced"}, (7, 43, 251, 1276, 7171)),
    "four players, nobles": (4, NOBLES, (7, 42, 272, 2198, 20475)),
    "three players, all buildings": (3, NEW_BUILDINGS, (6, 35, 222, 1751, 11016)),
    "five players, everything": (5, EVERYTHING, (8, 64, 707, 10888)),
    "two players, a draft": (2, {"expansions": ["new_buildings"]}, (31, 12 * 29 + 19 * 30, 25854)),
}


@pytest.mark.parametrize(("seats", "options", "counts"), STARTS.values(), ids=STARTS)
def test_ways_from_the_start(seats: int, options: dict[str, Any], counts: tuple[int, ...]) -> None:
    assert ways(a_start(seats, options), len(counts)) == counts


def test_ways_from_the_middle_of_a_game() -> None:
    rich = board(
        doubloons=12, goods="corn=3 sugar=2 coffee=1", island="corn+ corn+ indigo sugar+ quarry+ coffee",
        city="harbor+ wharf+ small_market+ hospice+ hacienda+ coffee_roaster+ factory university+",
    )  # fmt: skip
    middling = board(
        doubloons=6, goods="indigo=2 tobacco=2", island="indigo+ tobacco+ corn",
        city="small_warehouse+ office+ construction_hut+ indigo_plant+",
    )  # fmt: skip
    poor = board(doubloons=3, goods="corn=2", island="corn+", city="large_market+")
    table = scene(
        rich, middling, poor, seats=3, row="corn indigo sugar tobacco", ships={4: ("corn", 2)}, house=["indigo"]
    )
    assert ways(table.position, 4) == (6, 130, 2189, 13939)

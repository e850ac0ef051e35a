"""Games of a few moves, counted from fixed tables: a changed number is a changed rule."""

from collections.abc import Mapping

import pytest

from projections.rules.spice_road.moves import Move
from projections.rules.spice_road.state.position import Position
from tests.support.spice_road.tables import GAME, merchant, points, table


class FirstInOrder:
    """Deals the first card in the order of the ids."""

    def draw(self, counts: Mapping[str, int]) -> str:
        return min(counts)


def perft(position: Position, depth: int) -> int:
    """The number of ways to make so many moves; a finished game has none."""
    moves = GAME.legal(position)
    if depth == 1:
        return len(moves)
    return sum(perft(after(position, move), depth - 1) for move in moves)


def after(position: Position, move: Move) -> Position:
    following = GAME.copy(position)
    GAME.play(following, move, FirstInOrder(), GAME.recorder(recording=False))
    return following


def a_start(seats: int) -> Position:
    return GAME.set_up({}, seats, FirstInOrder(), GAME.recorder(recording=False))


@pytest.mark.parametrize(
    ("seats", "counts"), [(2, (9, 90, 800, 8995)), (3, (9, 90, 900, 8000)), (5, (9, 90, 900, 18900))]
)
def test_ways_from_the_start(seats: int, counts: tuple[int, ...]) -> None:
    assert tuple(perft(a_start(seats), depth) for depth in range(1, 5)) == counts


def test_ways_from_a_rich_table() -> None:
    rich = table(
        caravan=(3, 2, 2, 1),
        others=(2, 1, 1, 1),
        hand=["trade_g_yyyyr", "get_yyr", "upgrade_3"],
        played=["trade_yy_g"],
        row=[merchant(number) for number in (1, 13, 14)],
        cubes_on_row=["yy"],
        merchant_deck=[],
        point_row=[points(number) for number in (13, 16, 4)],
        claims={0: 5, 1: 4},
        coin_taking="optional",
    )
    assert tuple(perft(rich, depth) for depth in range(1, 4)) == (60, 2380, 72329)


def test_ways_to_the_end() -> None:
    last = table(turn=1, caravan=(10, 0, 0, 0), others=(1, 0, 0, 0), claims={0: 6}, row=[], merchant_deck=[])
    assert tuple(perft(last, depth) for depth in range(1, 4)) == (5, 1, 0)

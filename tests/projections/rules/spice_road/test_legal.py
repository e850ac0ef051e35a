"""The legal moves are complete and exact: compared with every move there could be, judged one by one."""

import random
from collections.abc import Iterator
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.rules.errors import IllegalMove
from projections.rules.spice_road.actions.acquire import Payments, arrangements
from projections.rules.spice_road.actions.limit import Drops
from projections.rules.spice_road.cards import MERCHANT
from projections.rules.spice_road.choices import LONG
from projections.rules.spice_road.cubes import INDEX, LETTERS, RAISED, Cubes, spelled
from projections.rules.spice_road.moves import Buy, Claim, Drop, Move, PlaySpice, PlayTrade, PlayUpgrade, Rest
from projections.rules.spice_road.state.position import Position
from projections.rules.spice_road.ways import ways_with
from tests.support.spice_road.tables import GAME, merchant, play, points, table

SMALL: list[Cubes] = [(y, r, g, b) for y, r, g, b in product(range(4), repeat=4) if y + r + g + b <= 4]
caravans = st.tuples(*[st.integers(0, 10)] * 4).filter(lambda cubes: sum(cubes) <= 10)
too_full = st.tuples(*[st.integers(0, 12)] * 4).filter(lambda cubes: 10 < sum(cubes) <= 30)


def every_move() -> Iterator[Move]:
    """Far more moves than any position allows, in canonical and other forms."""
    for card in MERCHANT:
        yield PlaySpice(card)
        yield from (PlayTrade(card, times) for times in range(-1, 5))
        yield from (PlayUpgrade(card, "".join(steps)) for n in range(5) for steps in product(LETTERS, repeat=n))
    yield from (
        Buy(place, "".join(cubes)) for place in range(-1, 8) for n in range(4) for cubes in product(LETTERS, repeat=n)
    )
    yield Rest()
    yield from (Claim(place, coin) for place in range(-1, 7) for coin in (True, False))
    yield from (Drop((y, r, g, b)) for y, r, g, b in product(range(-1, 4), repeat=4))


def accepted(position: Position) -> set[Move]:
    """The moves that are not refused, in the form they are listed in."""
    moves: set[Move] = set()
    for move in every_move():
        try:
            moves.add(GAME.canonical(position, move))
        except IllegalMove:
            assert move not in GAME.legal(position)
    return moves


@pytest.mark.parametrize(
    "position",
    [
        table(caravan=(2, 1, 0, 0), hand=["upgrade_3", "trade_yy_g"], cubes_on_row="yy"),
        table(caravan=(1, 0, 1, 1), played=["trade_g_rr"], row=(merchant(1), merchant(9)), merchant_deck=()),
        table(caravan=(1, 1, 1, 0), hand=["get_yyyy", "trade_r_yyy"], min_upgrade_steps=1, empty_rest="allow"),
        table(
            caravan=(0, 0, 2, 2), point_row=(points(24), points(7)), row=(), merchant_deck=(), coin_taking="optional"
        ),
        table(caravan=(5, 4, 2, 2)),
    ],
)
def test_what_is_listed_is_what_is_accepted(position: Position) -> None:
    listed = list(GAME.legal(position))
    assert len(listed) == len(set(listed)) == len(GAME.legal(position))
    assert set(listed) == accepted(position)


@pytest.mark.parametrize("card", ["upgrade_2", "upgrade_3"])
def test_upgrades_are_every_result_of_every_order_of_steps_once(card: str) -> None:  # R-10
    for caravan in SMALL:
        results = [
            upgraded(caravan, move.steps) for move in ways_with(caravan, 0)[card] if isinstance(move, PlayUpgrade)
        ]
        assert len(results) == len(set(results))
        assert set(results) == reachable(caravan, MERCHANT[card].steps)


def upgraded(caravan: Cubes, steps: str) -> Cubes:
    for spice in steps:
        caravan = one_step(caravan, spice)
        assert min(caravan) >= 0
    return caravan


def one_step(caravan: Cubes, spice: str) -> Cubes:
    after = list(caravan)
    after[INDEX[spice]] -= 1
    after[INDEX[RAISED[spice]]] += 1
    y, r, g, b = after
    return y, r, g, b


def reachable(caravan: Cubes, steps: int) -> set[Cubes]:
    found = {caravan}
    for _ in range(steps):
        found |= {one_step(before, spice) for before in found for spice in RAISED if before[INDEX[spice]]}
    return found


def test_payments_are_every_distinct_order_of_every_choice_of_cubes() -> None:  # R-13
    for caravan in SMALL:
        for place in range(1, 7):
            listed = [move.cubes for move in Payments(place, caravan)]
            assert len(listed) == len(set(listed)) == arrangements(caravan, place - 1)
            assert set(listed) == {"".join(cubes) for cubes in permutations(spelled(caravan), place - 1)}


@given(caravan=caravans, place=st.integers(1, 6))
def test_a_payment_can_be_picked_by_its_number(caravan: Cubes, place: int) -> None:
    payments = Payments(place, caravan)
    assert [payments[number] for number in range(len(payments))] == list(payments)
    assert payments[-3:] == list(payments)[-3:]
    with pytest.raises(IndexError):
        payments[len(payments)]
    for move in payments.suggested() if payments else []:
        assert move in payments


@given(caravan=too_full)
def test_drops_are_every_way_to_keep_ten(caravan: Cubes) -> None:  # R-22
    drops = Drops(caravan)
    kept = [tuple(held - gone for held, gone in zip(caravan, move.cubes, strict=True)) for move in drops]
    ranges = [range(min(held, 10) + 1) for held in caravan]
    assert sorted(kept) == [cubes for cubes in product(*ranges) if sum(cubes) == 10]
    assert len(drops) <= 286
    assert drops[0] in drops[:1]


@given(caravan=caravans, seed=st.integers(0, 9))
def test_a_long_collection_says_what_there_is_to_fill(caravan: Cubes, seed: int) -> None:
    moves = GAME.legal(table(caravan=caravan, hand=["upgrade_3"], played=["trade_g_rr"]))
    slots, suggested = moves.slots(), moves.suggested()
    assert (slots is None) is (len(moves) <= LONG)
    assert len(suggested) <= LONG
    assert all(move in moves for move in suggested)
    if slots is None:
        assert list(suggested) == list(moves)
    assert moves.sample(random.Random(seed)) in moves


def test_a_caravan_with_a_hundred_ways_out_has_slots() -> None:
    position = table(caravan=(3, 3, 2, 2), hand=["trade_g_yyyyr", "get_yyr"])
    play(position, "play get_yyr")
    assert GAME.legal(position).slots() is None
    position = table(caravan=(4, 4, 10, 4))
    assert GAME.legal(position).slots() == {
        "drop": {"cubes": 12, "of": {"turmeric": 4, "saffron": 4, "cardamom": 10, "cinnamon": 4}}
    }


def test_slots_name_the_cubes_of_a_payment() -> None:
    slots = GAME.legal(table(caravan=(3, 3, 2, 2))).slots()
    assert slots is not None
    assert slots["buy 4"] == {"cubes": 3, "of": {"turmeric": 3, "saffron": 3, "cardamom": 2, "cinnamon": 2}}


def test_every_legal_move_is_sampled() -> None:
    moves = GAME.legal(table(caravan=(1, 1, 0, 0), played=["trade_g_rr"]))
    source = random.Random(3)
    assert {moves.sample(source) for _ in range(2000)} == set(moves)


def test_moves_of_another_shape_are_no_moves() -> None:
    moves = GAME.legal(table(played=["trade_g_rr"]))
    assert Rest() in moves
    assert () not in moves
    assert ("create_2",) not in moves


def test_unknown_cubes_pay_for_nothing() -> None:
    position = table(caravan=(3, 0, 0, 0))
    for move in (Buy(3, "yx"), Buy(3, "xx"), PlayUpgrade("upgrade_2", "x")):
        assert move not in GAME.legal(position)
        with pytest.raises(IllegalMove):
            GAME.canonical(position, move)


def test_a_copy_is_independent() -> None:
    position = table(caravan=(3, 0, 0, 0))
    other = GAME.copy(position)
    play(other, "play create_2")
    assert position == table(caravan=(3, 0, 0, 0))
    assert position != other

"""The worked examples of the rule book, E-1 to E-9."""

import pytest

from projections.rules.dealer import DeclaredDealer
from projections.rules.spice_road.cubes import NONE, Cubes
from projections.rules.spice_road.state.position import RowCard
from tests.support.spice_road.tables import CREATE, GAME, UPGRADE, merchant, play, points, refusal, table

A, B, C, D, E, F, G = (merchant(number) for number in (10, 11, 12, 13, 14, 15, 16))
PICTURE = tuple(points(number) for number in (24, 7, 13, 26, 12))  # 14, 9, 12, 15, 11


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_e1_starting_cubes_follow_the_seat(seats: int) -> None:
    position = GAME.set_up({}, seats, DeclaredDealer((*PICTURE, A, B, C, D, E, F)), GAME.recorder(recording=False))
    assert position.caravans == [(3, 0, 0, 0), (4, 0, 0, 0), (4, 0, 0, 0), (3, 1, 0, 0), (3, 1, 0, 0)][:seats]


def test_e2_the_picture_of_the_setup() -> None:
    position = GAME.set_up({}, 4, DeclaredDealer((*PICTURE, A, B, C, D, E, F)), GAME.recorder(recording=False))
    assert position.point_row == PICTURE
    assert [card.split("_")[1] for card in position.point_row] == ["14", "9", "12", "15", "11"]
    assert (position.gold_supply, position.silver_supply) == (8, 8)
    first, second, *_ = GAME.board(position, None).splitlines()[3:]
    assert first.endswith("8 gold")
    assert second.endswith("8 silver")


def test_e3_a_spice_card_gives_what_it_shows() -> None:
    position = table(caravan=(3, 0, 0, 0), hand=[CREATE, UPGRADE, "get_yr"])
    play(position, "play get_yr")
    assert position.caravans[0] == (4, 1, 0, 0)
    assert position.hands[0] == (CREATE, UPGRADE)
    assert position.played[0] == ("get_yr",)


def test_e4_an_upgrade_of_two_different_cubes() -> None:
    position = table(caravan=(3, 0, 0, 0))
    play(position, "play upgrade_2 y>r y>r")
    assert position.caravans[0] == (1, 2, 0, 0)
    assert position.played[0] == (UPGRADE,)


def test_e5_an_upgrade_of_the_same_cube_twice() -> None:
    position = table(caravan=(3, 0, 0, 0))
    play(position, "play upgrade_2 y>r r>g")
    assert position.caravans[0] == (2, 0, 1, 0)


@pytest.mark.parametrize(("times", "after"), [(1, (4, 0, 1, 0)), (2, (2, 0, 2, 0)), (3, (0, 0, 3, 0))])
def test_e6_a_trade_is_made_as_often_as_wanted(times: int, after: Cubes) -> None:
    position = table(caravan=(6, 0, 0, 0), hand=["trade_yy_g"])
    play(position, f"play trade_yy_g x{times}")
    assert position.caravans[0] == after


def test_e6_a_trade_is_made_with_the_cubes_there_are_and_at_least_once() -> None:
    position = table(caravan=(6, 0, 0, 0), hand=["trade_yy_g"])
    assert refusal(position, "play trade_yy_g x4").reason == "cubes_missing"
    assert refusal(position, "play trade_yy_g x0").rule == "R-11"


def test_e7_the_fourth_card_costs_a_cube_on_each_card_to_its_left() -> None:
    position = table(caravan=(3, 1, 0, 0), row=(A, B, C, D, E, F))
    play(position, "buy 4 y,y,r", G)
    assert position.caravans[0] == (1, 0, 0, 0)
    assert position.merchant_row == (
        RowCard(A, (1, 0, 0, 0)),
        RowCard(B, (1, 0, 0, 0)),
        RowCard(C, (0, 1, 0, 0)),
        RowCard(E, NONE),
        RowCard(F, NONE),
        RowCard(G, NONE),
    )
    assert position.hands[0] == (CREATE, UPGRADE, D)


def test_e7_without_three_cubes_the_fourth_card_is_out_of_reach() -> None:
    position = table(caravan=(1, 1, 0, 0), row=(A, B, C, D, E, F))
    assert refusal(position, "buy 4 y,r,r").reason == "cubes_missing"
    assert refusal(position, "buy 4 y,r").reason == "wrong_payment"


def test_e8_the_leftmost_card_is_free() -> None:
    position = table(caravan=(3, 0, 0, 0), row=(A, B, C, D, E, F))
    play(position, "buy 1", G)
    assert position.caravans[0] == (3, 0, 0, 0)
    assert [laid.card for laid in position.merchant_row] == [B, C, D, E, F, G]
    assert position.hands[0][-1] == A


def test_e9_no_colour_runs_out() -> None:
    position = table(5, caravan=(8, 0, 0, 0), others=(10, 0, 0, 0))
    play(position, "play create_2")
    assert sum(caravan[0] for caravan in position.caravans) == 50

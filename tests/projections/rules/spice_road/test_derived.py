"""The further test cases derived from the rules, D-1 to D-29."""

import random

import pytest

from projections.games.errors import ImpossibleLine
from projections.games.imports.checker import ImportChecker
from projections.games.imports.transcript import parse
from projections.rules.dealer import RandomDealer
from projections.rules.errors import GameIsOver
from projections.rules.spice_road.cubes import NONE
from projections.rules.spice_road.moves import Drop
from projections.rules.spice_road.scoring import score
from projections.rules.spice_road.state.position import Position, RowCard
from tests.support.spice_road.tables import CREATE, GAME, UPGRADE, merchant, play, points, refusal, table, texts

A, B, C, D, E, F, G, H = (merchant(number) for number in (10, 11, 12, 13, 14, 15, 16, 17))
ROW = (A, B, C, D, E, F)
PICTURE = tuple(points(number) for number in (24, 7, 13, 26, 12))
NEXT = points(36)


def an_end(seats: int, turn: int, round: int) -> Position:
    """The seat to act has all but one of its point cards and can pay for the last."""
    last = 5 if seats < 4 else 4
    return table(seats, turn=turn, round=round, caravan=(0, 0, 2, 2), point_row=PICTURE, claims={turn: last})


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_d1_sizes_of_the_setup(seats: int) -> None:
    position = GAME.set_up({}, seats, RandomDealer(random.Random(1)), GAME.recorder(recording=False))
    assert (len(position.point_row), len(position.point_deck)) == (5, 31)
    assert (len(position.merchant_row), len(position.merchant_deck)) == (6, 37)
    assert all(laid.cubes == NONE for laid in position.merchant_row)
    assert position.hands == [(CREATE, UPGRADE)] * seats
    assert position.gold_supply == position.silver_supply == 2 * seats
    assert (position.round, GAME.actor(position)) == (1, 0)


def test_d2_taking_a_card_with_cubes_on_it() -> None:
    position = table(caravan=(4, 0, 0, 0), row=(A, B, C, E, F, G), cubes_on_row="yyr")
    play(position, "buy 2 y", H)
    assert position.caravans[0] == (4, 0, 0, 0)
    assert position.merchant_row[0] == RowCard(A, (2, 0, 0, 0))
    assert position.merchant_row[1] == RowCard(C, (0, 1, 0, 0))
    assert [laid.card for laid in position.merchant_row] == [A, C, E, F, G, H]
    assert position.hands[0][-1] == B


def test_d3_cubes_on_the_target_cannot_pay_for_it() -> None:
    position = table(caravan=NONE, row=ROW, cubes_on_row=("", "y"))
    assert refusal(position, "buy 2 y").rule == "R-13"
    assert "buy 1" in texts(position)


def test_d4_a_claim_with_gold() -> None:
    position = table(caravan=(0, 0, 2, 3), point_row=PICTURE)
    play(position, "claim 1", NEXT)
    assert position.caravans[0] == (0, 0, 0, 1)
    assert position.claimed[0] == (PICTURE[0],)
    assert (position.gold[0], position.silver[0]) == (1, 0)
    assert (position.gold_supply, position.silver_supply) == (3, 4)
    assert position.point_row == (*PICTURE[1:], NEXT)


def test_d5_a_claim_with_silver() -> None:
    position = table(caravan=(2, 1, 0, 1), point_row=PICTURE)
    play(position, "claim 2", NEXT)
    assert position.caravans[0] == NONE
    assert (position.gold[0], position.silver[0]) == (0, 1)
    assert (position.gold_supply, position.silver_supply) == (4, 3)
    assert position.point_row == (PICTURE[0], *PICTURE[2:], NEXT)


def test_d6_a_claim_without_coin() -> None:
    position = table(caravan=(1, 1, 1, 1), point_row=PICTURE)
    play(position, "claim 3")
    assert position.claimed[0] == (PICTURE[2],)
    assert (position.gold_supply, position.silver_supply) == (4, 4)


def test_d7_the_last_gold_coin_moves_the_silver() -> None:
    position = table(caravan=(2, 1, 2, 3), others=(1, 1, 1, 1), point_row=PICTURE, gold=1, silver=3, claims={1: 4})
    assert ["gold_taken", 0] in play(position, "claim 1", points(1))
    assert position.gold_supply == 0
    play(position, "claim 2", points(2))
    assert (position.silver_supply, position.silver[1]) == (3, 1)
    assert ["silver_taken", 0] in play(position, "claim 1", points(3))
    assert position.silver_supply == 2


def test_d8_silver_that_runs_out_first_leaves_gold_where_it_is() -> None:
    position = table(caravan=(2, 1, 0, 1), others=(0, 0, 2, 2), point_row=PICTURE)
    position.gold_supply, position.silver_supply = 2, 0
    play(position, "claim 2")
    assert (position.gold[0], position.silver[0]) == (0, 0)
    assert ["gold_taken", 1] in play(position, "claim 1")
    assert position.gold_supply == 1


def test_d9_nothing_stands_in_for_a_required_cube() -> None:
    row = (points(1), *PICTURE[:4])
    assert refusal(table(caravan=(0, 0, 5, 5), point_row=row), "claim 1").rule == "R-17"
    assert refusal(table(caravan=(2, 1, 1, 0), point_row=row), "claim 1").reason == "cost_not_met"
    assert "claim 1" in texts(table(caravan=(2, 2, 0, 0), point_row=row))


def test_d10_two_cubes_too_many_go_back() -> None:
    position = table(caravan=(8, 0, 0, 0), hand=["get_yyyy"])
    play(position, "play get_yyyy")
    assert position.caravans[0] == (12, 0, 0, 0)
    assert GAME.actor(position) == 0
    assert refusal(position, "drop y=1").rule == "R-22"
    assert refusal(position, "drop y=3").rule == "R-22"
    assert refusal(position, "rest").reason == "caravan_too_full"
    play(position, "drop y=2")
    assert position.caravans[0] == (10, 0, 0, 0)
    assert GAME.actor(position) == 1


def test_d11_the_player_chooses_which_cubes_go_back() -> None:
    position = table(caravan=(6, 2, 1, 1), hand=["get_yr"])
    play(position, "play get_yr")
    assert {"drop y=2", "drop g=1 b=1"} <= set(texts(position))
    assert refusal(position, "drop g=2").reason == "cubes_missing"
    play(position, "drop g=1 b=1")
    assert position.caravans[0] == (7, 3, 0, 0)


def test_d12_a_trade_may_overflow_in_between() -> None:
    position = table(caravan=(0, 0, 10, 0), hand=["trade_g_yyyyr"])
    play(position, "play trade_g_yyyyr x10")
    assert position.caravans[0] == (40, 10, 0, 0)
    play(position, "drop y=40")
    assert position.caravans[0] == (0, 10, 0, 0)


def test_d13_cubes_of_a_bought_card_may_overflow() -> None:
    position = table(caravan=(10, 0, 0, 0), row=ROW, cubes_on_row=("yrg",))
    play(position, "buy 1")
    assert position.caravans[0] == (11, 1, 1, 0)
    assert all(isinstance(move, Drop) and sum(move.cubes) == 3 for move in GAME.legal(position))


def test_d14_three_steps_on_one_cube() -> None:
    position = table(caravan=(1, 0, 0, 0), hand=["upgrade_3"])
    play(position, "play upgrade_3 y>r r>g g>b")
    assert position.caravans[0] == (0, 0, 0, 1)


def test_d15_an_illegal_step_refuses_the_whole_play() -> None:
    assert refusal(table(caravan=(1, 0, 0, 0)), "play upgrade_2 y>r y>r").rule == "R-10"
    position = table(caravan=(0, 0, 0, 2))
    assert refusal(position, "play upgrade_2 g>b").rule == "R-10"
    play(position, "play upgrade_2")
    assert position.played[0] == (UPGRADE,)


def test_d16_steps_may_be_left_unused() -> None:
    position = table(caravan=(3, 0, 0, 0))
    play(position, "play upgrade_2 y>r")
    assert position.caravans[0] == (2, 1, 0, 0)


def test_d17_a_trade_may_give_two_kinds() -> None:
    once, twice = (table(caravan=(5, 0, 2, 0), hand=["trade_yyg_bb"]) for _ in range(2))
    assert refusal(once, "play trade_yyg_bb x3").reason == "cubes_missing"
    play(once, "play trade_yyg_bb x1")
    assert once.caravans[0] == (3, 0, 1, 2)
    play(twice, "play trade_yyg_bb x2")
    assert twice.caravans[0] == (1, 0, 0, 4)


def test_d18_a_rest_brings_all_played_cards_back() -> None:
    position = table(caravan=(3, 0, 0, 0), hand=["get_yr"], played=[CREATE, UPGRADE])
    assert refusal(position, "play create_2").reason == "card_already_played"
    play(position, "rest")
    assert position.hands[0] == ("get_yr", CREATE, UPGRADE)
    assert position.played[0] == ()
    assert refusal(position, "rest").rule == "R-21"  # the other seat has played nothing


def test_d19_a_bought_card_is_playable_next_turn() -> None:
    position = table(row=(merchant(1), *ROW[1:]))
    play(position, "buy 1")
    play(position, "play create_2")
    assert "play get_yyy" in texts(position)


def test_d20_the_round_of_the_fifth_card_is_played_to_its_end() -> None:
    position = an_end(4, turn=1, round=12)
    assert ["final_round_begun"] in play(position, "claim 1")
    for seat in (2, 3):
        assert (GAME.actor(position), position.round) == (seat, 12)
        play(position, "play create_2")
    assert GAME.actor(position) is None
    assert position.round == 12


def test_d21_the_last_seat_ends_the_game_at_once() -> None:
    position = an_end(3, turn=2, round=15)
    play(position, "claim 1")
    assert GAME.actor(position) is None


def test_d22_after_the_first_seat_the_second_has_one_more_turn() -> None:
    position = an_end(2, turn=0, round=20)
    play(position, "claim 1")
    assert GAME.actor(position) == 1
    play(position, "play create_2")
    assert GAME.actor(position) is None


@pytest.mark.parametrize(("seats", "cards"), [(2, 6), (3, 6), (4, 5), (5, 5)])
def test_d23_thresholds(seats: int, cards: int) -> None:
    assert table(seats).threshold == cards


@pytest.mark.parametrize(("cube_scoring", "total"), [("non_turmeric", 70), ("all", 72)])
def test_d24_scoring(cube_scoring: str, total: int) -> None:
    position = table(caravan=(2, 1, 0, 1), claims={0: PICTURE}, cube_scoring=cube_scoring)
    position.gold[0], position.silver[0] = 2, 1
    assert score(position, 0)[1:4] == (61, 6, 1)
    assert GAME.scores(position)[0]["total"] == total


def test_d25_the_later_seat_wins_a_tie() -> None:
    position = table(3, caravan=(0, 5, 0, 0))
    position.caravans[1:] = [NONE, (9, 0, 5, 0)]
    position.over = True
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert outcome.points == (5, 0, 5)
    assert outcome.places == (2, 3, 1)


def test_d26_an_empty_merchant_deck_leaves_the_row_shorter() -> None:
    position = table(caravan=(2, 0, 0, 0), row=ROW, merchant_deck=())
    play(position, "buy 3 y,y")
    assert position.merchant_row == (
        RowCard(A, (1, 0, 0, 0)),
        RowCard(B, (1, 0, 0, 0)),
        RowCard(D, NONE),
        RowCard(E, NONE),
        RowCard(F, NONE),
    )
    assert refusal(position, "buy 6 y,y,y,y,y").reason == "no_such_position"
    last = table(caravan=(9, 0, 0, 0), row=(A,), merchant_deck=())
    play(last, "buy 1")
    assert not [text for text in texts(last) if text.startswith("buy")]


def test_d27_the_limit_holds_in_the_last_turn() -> None:
    position = table(turn=1, caravan=(10, 0, 0, 0), claims={0: 6})
    play(position, "play create_2")
    assert GAME.outcome(position) is None
    play(position, "drop y=2")
    assert GAME.outcome(position) is not None


def test_d28_there_is_always_a_move() -> None:
    poorest = table(played=[CREATE, UPGRADE], row=(), merchant_deck=())
    assert texts(poorest) == ["rest"]
    play(poorest, "rest")
    assert "play create_2" in texts(poorest)


def test_d29_nobody_acts_out_of_turn_or_after_the_end() -> None:
    position = table(caravan=(3, 0, 0, 0))
    before = GAME.copy(position)
    with pytest.raises(ImpossibleLine) as refused:
        list(ImportChecker(GAME, position).enter(parse("1: play create_2\n").lines))
    assert refused.value.reason == "not_your_turn"
    assert position == before
    position.over = before.over = True
    with pytest.raises(GameIsOver):
        play(position, "play create_2")
    assert position == before
    assert not texts(position)

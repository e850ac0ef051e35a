"""Every ruling, R-1 to R-31: the reading chosen, and the options where another may be chosen."""

import random
from typing import Any

import pytest

from events.json_types import Json
from projections.rules.dealer import RandomDealer, RecordingDealer, SeededDealer
from projections.rules.errors import BadOptions, UnreadableMove
from projections.rules.spice_road.cards import CREATE, MARKET, MERCHANT, POINT, POINT_CARDS, UPGRADE
from projections.rules.spice_road.cubes import NONE
from projections.rules.spice_road.game import SpiceRoad
from projections.rules.spice_road.moves import Claim
from projections.rules.spice_road.rulings import OPTIONS
from projections.rules.spice_road.state.position import Position
from tests.support.spice_road.tables import GAME, merchant, play, points, refusal, table, texts

A, B, C, D, E, F = ROW = tuple(merchant(number) for number in range(10, 16))
PICTURE = tuple(points(number) for number in (24, 7, 13, 26, 12))  # costs ggbb yyrb yrgb ggggg yyggg


def refused_option(given: dict[str, Json], seats: int = 3) -> BadOptions:
    with pytest.raises(BadOptions) as refused:
        GAME.read_options(given, seats)
    return refused.value


def a_fresh_game(seats: int, **options: Json) -> Position:
    chosen = GAME.read_options(options, seats)
    return GAME.set_up(chosen, seats, RandomDealer(random.Random(seats)), GAME.recorder(recording=False))


def test_r1_two_to_five_play() -> None:
    assert list(GAME.seats) == [2, 3, 4, 5]
    for seats in (0, 1, 6):
        assert refused_option({}, seats).option == "seats"


def test_r2_the_first_player_is_an_option_and_seats_are_turn_order() -> None:
    assert GAME.read_options({}, 3)["first_player"] == "random"
    assert GAME.read_options({"first_player": 2}, 3)["first_player"] == 2
    assert refused_option({"first_player": 3}).option == "first_player"
    position = a_fresh_game(5, first_player=3)
    assert GAME.actor(position) == 0
    assert [sum(caravan) for caravan in position.caravans] == [3, 4, 4, 4, 4]


def test_r3_unused_starting_cards_leave_the_game() -> None:
    position = a_fresh_game(2)
    assert {CREATE, UPGRADE}.isdisjoint(position.merchant_deck)
    assert {CREATE, UPGRADE}.isdisjoint(laid.card for laid in position.merchant_row)


def test_r4_the_decks_are_the_published_ones() -> None:
    kinds = [MERCHANT[card].kind for card in MARKET]
    assert [kinds.count(kind) for kind in ("spice", "upgrade", "trade")] == [8, 1, 34]
    assert len(set(MARKET)) == 43
    assert len(set(POINT_CARDS)) == 36
    for card in POINT.values():  # the value rule
        kinds_shown = sum(count > 0 for count in card.cost)
        worth = sum(count * value for count, value in zip(card.cost, (1, 2, 3, 4), strict=True))
        assert card.points == worth + {3: 1, 4: 2}.get(kinds_shown, 0)
    for trade in (MERCHANT[card] for card in MARKET if MERCHANT[card].kind == "trade"):
        assert not any(given and received for given, received in zip(trade.give, trade.receive, strict=True))


def test_r5_the_fourth_and_fifth_seat_start_with_saffron() -> None:
    assert a_fresh_game(5).caravans[3:] == [(3, 1, 0, 0), (3, 1, 0, 0)]


def test_r6_chance_is_which_cards_come_and_nothing_else() -> None:
    dealer = RecordingDealer(SeededDealer(bytes(32)))
    position = GAME.set_up({}, 4, dealer, GAME.recorder(recording=False))
    assert dealer.drew == [*position.point_row, *(laid.card for laid in position.merchant_row)]
    assert position.merchant_deck == tuple(sorted(position.merchant_deck))  # a set in the order of the ids
    assert position.point_deck == tuple(sorted(position.point_deck))


def test_r7_there_is_no_pass() -> None:
    with pytest.raises(UnreadableMove):
        GAME.parse("pass")
    assert texts(table(played=[CREATE, UPGRADE], row=(), merchant_deck=())) == ["rest"]


def test_r8_a_turn_has_at_most_two_decisions_of_one_seat() -> None:
    position = table(caravan=(10, 0, 0, 0))
    assert GAME.decision(position) == "action"
    play(position, "play create_2")
    assert (GAME.actor(position), GAME.decision(position)) == (0, "caravan_limit")
    play(position, "drop y=2")
    assert (GAME.actor(position), GAME.decision(position)) == (1, "action")


def test_r9_an_upgrade_card_may_be_played_for_nothing() -> None:
    nothing_to_raise = table(caravan=(0, 0, 0, 2))
    assert "play upgrade_2" in texts(nothing_to_raise)
    strict = table(caravan=(3, 0, 0, 0), min_upgrade_steps=1)
    assert refusal(strict, "play upgrade_2").rule == "R-9"
    assert "play upgrade_2 y>r" in texts(strict)


def test_r10_steps_are_made_one_after_the_other() -> None:
    position = table(caravan=(1, 0, 0, 0))
    assert texts(position)[1:4] == ["play upgrade_2", "play upgrade_2 y>r", "play upgrade_2 y>r r>g"]
    assert refusal(position, "play upgrade_2 r>g y>r").reason == "cube_missing"
    assert refusal(position, "play upgrade_2 y>r r>g g>b").reason == "too_many_steps"


def test_r10_orders_with_the_same_result_are_one_move() -> None:
    position = table(caravan=(1, 1, 0, 0))
    other = GAME.parse("play upgrade_2 r>g y>r")
    assert other not in GAME.legal(position)
    assert GAME.notation(GAME.canonical(position, other)) == "play upgrade_2 y>r r>g"
    assert texts(position).count("play upgrade_2 y>r r>g") == 1


def test_r11_trades_repeat_as_long_as_the_cubes_last() -> None:
    position = table(caravan=(0, 0, 7, 0), hand=["trade_gg_bb"])
    assert [text for text in texts(position) if "trade" in text] == [f"play trade_gg_bb x{n}" for n in (1, 2, 3)]
    assert refusal(position, "play trade_gg_bb x0").reason == "no_trade"


def test_r12_the_supply_has_no_end() -> None:
    position = table(5, caravan=(6, 0, 0, 0), others=(10, 0, 0, 0), hand=["get_yyyy"])
    play(position, "play get_yyyy")
    assert position.caravans == [(10, 0, 0, 0)] * 5


def test_r13_any_cube_on_any_card_before_the_taken_cubes_arrive() -> None:
    position = table(caravan=(1, 1, 0, 0), row=ROW, cubes_on_row=("", "", "b"))
    payments = [text for text in texts(position) if text.startswith("buy 3")]
    assert payments == ["buy 3 y,r", "buy 3 r,y"]
    assert refusal(position, "buy 3 y,b").reason == "cubes_missing"


def test_r14_cubes_travel_with_their_card_and_are_taken_whole() -> None:
    position = table(caravan=(1, 0, 0, 0), row=ROW, cubes_on_row=("yy", "", "gb"))
    play(position, "buy 2 y", merchant(20))
    assert [(laid.card, sum(laid.cubes)) for laid in position.merchant_row][:2] == [(A, 3), (C, 2)]
    assert position.merchant_row[-1].cubes == NONE
    play(position, "buy 1", merchant(21))
    assert position.caravans[1] == (3, 0, 0, 0)


def test_r15_an_empty_merchant_deck_ends_nothing() -> None:
    position = table(caravan=(1, 0, 0, 0), row=(A, B), merchant_deck=())
    play(position, "buy 2 y")
    assert [laid.card for laid in position.merchant_row] == [A]
    assert not position.final_round


def test_r16_an_empty_point_deck_shortens_the_row_until_the_game_ends() -> None:
    position = table(caravan=(0, 0, 2, 2), others=(2, 1, 0, 1), point_row=PICTURE)
    position.point_deck = ()  # no game comes this far: the thresholds are lower
    play(position, "claim 1")
    assert position.point_row == PICTURE[1:]
    position.point_row = PICTURE[1:2]
    assert ["final_round_begun"] in play(position, "claim 1")
    assert GAME.actor(position) is None


def test_r17_the_exact_cost_is_paid_and_the_rest_stays() -> None:
    position = table(caravan=(0, 0, 3, 4), point_row=PICTURE)
    play(position, "claim 1")
    assert position.caravans[0] == (0, 0, 1, 2)


def test_r18_the_coin_follows_the_position_before_the_row_slides() -> None:
    position = table(caravan=(2, 1, 0, 1), point_row=PICTURE)
    facts = play(position, "claim 2")  # after the slide another card lies at position 2
    assert ["silver_taken", 0] in facts
    assert ["gold_taken", 0] not in facts


def test_r19_the_coin_is_taken_unless_that_is_an_option() -> None:
    automatic = table(caravan=(0, 0, 2, 2), point_row=PICTURE)
    assert refusal(automatic, "claim 1 -coin").rule == "R-19"
    optional = table(caravan=(2, 1, 2, 2), point_row=PICTURE, coin_taking="optional")
    assert {"claim 1", "claim 1 -coin", "claim 2", "claim 2 -coin", "claim 3"} <= set(texts(optional))
    assert "claim 3 -coin" not in texts(optional)
    assert GAME.canonical(optional, Claim(3, coin=False)) == Claim(3)  # there is none to waive
    assert ["gold_taken", 0] not in play(optional, "claim 1 -coin")
    assert optional.gold_supply == 4


def test_r20_silver_moves_to_the_first_card_when_the_gold_is_gone() -> None:
    position = table(caravan=(2, 1, 0, 1), others=(0, 0, 2, 2), point_row=PICTURE, gold=0, silver=3, claims={1: 5})
    assert "3 silver" in GAME.board(position, None).splitlines()[3]
    assert ["silver_taken", 0] not in play(position, "claim 2")
    assert ["silver_taken", 1] in play(position, "claim 1")


def test_r21_a_rest_without_played_cards_is_a_pass() -> None:
    assert refusal(table(), "rest").reason == "no_played_cards"
    lenient = table(empty_rest="allow")
    assert "rest" in texts(lenient)
    play(lenient, "rest")
    assert GAME.actor(lenient) == 1


def test_r22_the_limit_is_checked_once_and_down_to_ten() -> None:
    position = table(caravan=(0, 0, 10, 0), hand=["trade_g_yyyyr"])
    play(position, "play trade_g_yyyyr x2")
    assert position.caravans[0] == (8, 2, 8, 0)
    assert refusal(position, "drop y=8 r=2").reason == "wrong_number_returned"
    assert "drop r=1 g=7" in texts(position)
    assert refusal(table(caravan=(10, 0, 0, 0)), "drop y=1").reason == "caravan_not_full"


def test_r23_cubes_go_back_before_the_next_seat_acts() -> None:
    position = table(caravan=(9, 0, 0, 0))
    assert ["turn_passed", 1] not in play(position, "play create_2")
    assert play(position, "drop y=1")[-1] == ["turn_passed", 1]


def test_r24_earlier_seats_get_no_further_turn() -> None:
    position = table(3, turn=1, caravan=(0, 0, 2, 2), point_row=PICTURE, claims={1: 5})
    play(position, "claim 1")
    assert GAME.actor(position) == 2
    play(position, "play create_2")
    assert GAME.actor(position) is None


def test_r25_left_over_cubes_count_unless_they_are_turmeric() -> None:
    assert GAME.scores(table(caravan=(5, 1, 1, 1)))[0]["cubes"] == 3
    assert GAME.scores(table(caravan=(5, 1, 1, 1), cube_scoring="all"))[0]["cubes"] == 8


def a_finished_game(*caravans: tuple[int, int, int, int]) -> Position:
    position = a_fresh_game(len(caravans))
    position.caravans[:] = caravans
    position.over = True
    return position


def test_r26_the_later_of_two_tied_seats_wins() -> None:
    outcome = GAME.outcome(a_finished_game((0, 4, 0, 0), (0, 0, 4, 0)))
    assert outcome is not None
    assert (outcome.points, outcome.places) == ((4, 4), (2, 1))


def test_r27_all_places_are_distinct() -> None:
    outcome = GAME.outcome(a_finished_game((0, 4, 0, 0), (0, 5, 0, 0), (0, 3, 0, 0), (0, 4, 0, 0), (9, 3, 0, 0)))
    assert outcome is not None
    assert outcome.places == (3, 1, 5, 2, 4)


def players_seen(position: Position, viewer: int | None) -> Any:
    return GAME.view(position, viewer)["players"]


def test_r28_hands_are_open_unless_only_their_owner_may_see_them() -> None:
    assert GAME.view(table(), None)["hides"] == []
    own, other = players_seen(table(hand=["get_b"], hand_visibility="owner_only"), 0)
    assert own["hand"] == ["get_b", CREATE, UPGRADE]
    assert other["hand"] is None


def test_r29_claimed_cards_follow_the_hands_but_their_number_is_public() -> None:
    other, _ = players_seen(table(claims={0: PICTURE}, hand_visibility="owner_only"), 1)
    assert other["point_cards"] is None
    assert other["point_card_count"] == 5


def test_r30_no_number_of_rounds_ends_a_game() -> None:
    position = a_fresh_game(2)
    for _ in range(500):
        for _ in range(2):
            play(position, "play upgrade_2")
        for _ in range(2):
            play(position, "rest")
    assert position.round == 1001


def test_r31_the_rules_know_no_leaving() -> None:
    with pytest.raises(UnreadableMove):
        GAME.parse("resign")


def test_every_option_of_the_rulings_is_offered_with_its_default() -> None:
    assert GAME.read_options({}, 2) == {
        "first_player": "random",
        "min_upgrade_steps": 0,
        "coin_taking": "automatic",
        "empty_rest": "reject",
        "cube_scoring": "non_turmeric",
        "hand_visibility": "open",
    }
    assert {option.ruling for option in OPTIONS.values()} == {"R-2", "R-9", "R-19", "R-21", "R-25", "R-28"}


@pytest.mark.parametrize("given", [{"cube_scoring": "some"}, {"min_upgrade_steps": True}, {"colour": "red"}])
def test_an_unknown_option_is_refused_by_name(given: dict[str, Json]) -> None:
    assert refused_option(given).option in given


def test_a_game_keeps_the_rules_it_started_with() -> None:
    assert a_fresh_game(3).rulings.version == GAME.rules
    assert SpiceRoad(GAME.rules).rules == GAME.rules
    with pytest.raises(BadOptions):
        SpiceRoad("0").blank({}, 2)

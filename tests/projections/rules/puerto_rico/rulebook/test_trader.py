"""The trader phase: rules 3.8, E-9 to E-11, E-21, E-39, E-40, R-51 to R-53, R-72 to R-74, R-76."""

import pytest

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import EVERYTHING, NEW_BUILDINGS, NOBLES, A, B, C, D, board

IDLE = board()
FULL = ("corn", "indigo", "sugar", "tobacco")


@cites("E-9", "small_market")
def test_e_9_a_small_market_adds_a_doubloon() -> None:
    table = scene(IDLE, board(goods="corn=1", city="small_market+")).play("role trader", "sell corn")
    assert table.doubloons(B) == 1
    empty = scene(IDLE, board(goods="corn=1", city="small_market")).play("role trader", "sell corn")
    assert empty.doubloons(B) == 0


@cites("large_market")
def test_a_large_market_adds_two_doubloons() -> None:  # rules 4.2
    table = scene(IDLE, board(goods="indigo=1", city="large_market+")).play("role trader", "sell indigo")
    assert table.doubloons(B) == 3
    empty = scene(IDLE, board(goods="indigo=1", city="large_market")).play("role trader", "sell indigo")
    assert empty.doubloons(B) == 1


@cites("E-10")
def test_e_10_the_trader_sells_corn_for_his_privilege() -> None:
    assert scene(board(goods="corn=1")).play("role trader", "sell corn").doubloons(A) == 1


def test_goods_fetch_their_price() -> None:  # rules 1.2
    for good, price in (("corn", 0), ("indigo", 1), ("sugar", 2), ("tobacco", 3), ("coffee", 4)):
        assert scene(IDLE, board(goods=f"{good}=1")).play("role trader", f"sell {good}").doubloons(B) == price


@cites("E-11", "office")
def test_e_11_offices_sell_what_the_house_already_holds() -> None:
    trader = board(goods="tobacco=1", city="office+")
    table = scene(IDLE, trader, trader, house=["tobacco"]).play("role trader", "sell tobacco", "sell tobacco")
    assert table.document["trading_house"] == ["tobacco"] * 3
    assert (table.doubloons(B), table.doubloons(C)) == (3, 3)
    empty = scene(IDLE, board(goods="tobacco=1", city="office"), house=["tobacco"]).play("role trader")
    assert empty.decision == "D-ROLE"  # nothing to sell


@cites("E-21", "small market + large market")
def test_e_21_both_markets_add_three_doubloons() -> None:
    seller = board(goods="coffee=1", city="small_market+ large_market+")
    assert scene(IDLE, seller).play("role trader", "sell coffee").doubloons(B) == 7


def test_one_good_may_be_sold_and_kinds_differ() -> None:  # rules 3.8
    table = scene(board(goods="corn=2 coffee=1"), board(goods="corn=1 coffee=1")).play("role trader", "sell corn")
    assert table.asked == (B, "D-TRD")
    assert table.moves == {"sell coffee", "pass"}


def test_a_full_house_is_emptied_at_the_end() -> None:  # rules 3.8
    table = scene(board(goods="coffee=1"), house=["corn", "indigo", "sugar"]).play("role trader", "sell coffee")
    assert table.document["trading_house"] == []
    assert table.supply() == "corn=10 indigo=11 sugar=11 tobacco=9 coffee=9"


def test_a_house_with_room_keeps_its_goods() -> None:  # rules 3.8
    table = scene(board(goods="coffee=1"), house=["corn", "indigo"]).play("role trader", "sell coffee")
    assert table.document["trading_house"] == ["corn", "indigo", "coffee"]


@cites("R-51", "office + full house")
def test_r_51_a_full_house_is_closed_even_to_an_office() -> None:
    late = board(goods="corn=1 tobacco=1", city="office+")
    table = scene(board(goods="coffee=1"), late, house=["corn", "indigo", "sugar"]).play("role trader", "sell coffee")
    assert table.decision == "D-ROLE"
    assert table.goods(B) == "corn=1 tobacco=1"


@cites("R-51", "trading post + full house", "trading_post")
def test_r_51_a_full_house_leaves_the_trading_post() -> None:
    late = board(goods="corn=1 tobacco=1", city="trading_post+")
    table = scene(board(goods="coffee=1"), late, house=["corn", "indigo", "sugar"], options=NEW_BUILDINGS)
    table.play("role trader", "sell coffee")
    assert table.asked == (B, "D-TRD")
    assert table.moves == {"sell corn trading_post", "sell tobacco trading_post", "pass"}


@cites("R-51", "R-74", "land_office")
def test_r_51_who_sold_the_fourth_good_may_still_use_his_land_office() -> None:
    seller = board(goods="coffee=1", city="land_office+")
    table = scene(seller, house=["corn", "indigo", "sugar"], options=NOBLES).play("role trader", "sell coffee")
    assert table.asked == (A, "D-TRD")
    assert table.moves == {"plant", "pass"}


@cites("R-52", "trading_post", "markets + trading post")
def test_r_52_a_trading_post_pays_without_markets_and_returns_the_good() -> None:
    seller = board(goods="coffee=1", city="trading_post+ small_market+ large_market+")
    table = scene(IDLE, seller, options=NEW_BUILDINGS).play("role trader", "sell coffee trading_post")
    assert table.doubloons(B) == 4
    assert table.document["trading_house"] == []
    assert table.document["supply"]["goods"]["coffee"] == 9
    empty = scene(IDLE, board(goods="coffee=1", city="trading_post"), options=NEW_BUILDINGS).play("role trader")
    assert empty.moves == {"sell coffee", "pass"}


@cites("R-52", "library")
def test_r_52_privilege_and_library_count_at_the_trading_post() -> None:
    plain = scene(board(goods="coffee=1", city="trading_post+"), options=NEW_BUILDINGS)
    assert plain.play("role trader", "sell coffee trading_post").doubloons(A) == 5
    doubled = scene(board(goods="coffee=1", city="trading_post+ library+"), options=NEW_BUILDINGS)
    assert doubled.play("role trader", "sell coffee trading_post").doubloons(A) == 6


@cites("library")
def test_a_library_doubles_the_trader_privilege() -> None:  # rules 4.3
    seller = board(goods="coffee=1", city="library+")
    assert scene(seller, options=NEW_BUILDINGS).play("role trader", "sell coffee").doubloons(A) == 6


@cites("R-53", "office + trading post")
def test_r_53_office_and_trading_post_may_be_used_in_one_game() -> None:
    seller = board(goods="coffee=1", city="office+ trading_post+")
    table = scene(IDLE, seller, house=["coffee"], options=NEW_BUILDINGS).play("role trader")
    assert table.moves == {"sell coffee", "sell coffee trading_post", "pass"}


@cites("E-39", "R-74", "land_office")
def test_e_39_a_land_office_spends_a_doubloon_just_earned() -> None:
    seller = board(goods="sugar=1", city="land_office+")
    table = scene(IDLE, seller, options=NOBLES).play("role trader")
    assert table.moves == {"sell sugar", "pass"}  # no doubloon yet
    table.play("sell sugar").play("plant", drew=["coffee"])
    assert (table.doubloons(B), table.island(B)) == (1, "coffee")


@cites("R-74")
def test_r_74_a_land_office_works_once_before_a_sale_too_or_without_one() -> None:
    seller = board(doubloons=5, goods="sugar=1", city="land_office+")
    table = scene(IDLE, seller, options=NOBLES).play("role trader").play("plant", drew=["corn"])
    assert table.moves == {"sell sugar", "pass"}
    table.play("pass")
    assert (table.doubloons(B), table.decision) == (4, "D-ROLE")


@cites("land_office")
def test_a_land_office_needs_a_space_a_doubloon_and_somebody_in_it() -> None:  # rules 4.4
    full = board(doubloons=5, island="indigo " * 12, city="land_office+")
    assert scene(IDLE, full, options=NOBLES).play("role trader").decision == "D-ROLE"
    poor = board(city="land_office+")
    assert scene(IDLE, poor, options=NOBLES).play("role trader").decision == "D-ROLE"
    empty = board(doubloons=5, island="corn", city="land_office")
    assert scene(IDLE, empty, options=NOBLES).play("role trader").decision == "D-ROLE"


@cites("E-40", "R-73", "R-76", "land_office", "hunting lodge / land office (N) + occupied tile")
def test_e_40_a_noble_in_the_land_office_sells_a_tile() -> None:
    table = scene(IDLE, board(island="corn+ quarry+", city="land_office*"), options=NOBLES).play("role trader")
    assert table.moves == {"unplant corn colonist", "pass"}  # no quarries
    table.play("unplant corn colonist")
    assert (table.doubloons(B), table.island(B), table.san_juan(B)) == (1, "quarry+", "+")
    assert table.document["plantations"]["discarded"]["corn"] == 1


@cites("R-72")
def test_r_72_the_land_office_draws_face_down_or_from_the_row() -> None:
    buyer = board(doubloons=2, city="land_office+")
    assert scene(IDLE, buyer, row="corn sugar", options=NOBLES).play("role trader").moves == {"plant", "pass"}
    options = {**NOBLES, "land_office_source": "face_up"}
    table = scene(IDLE, buyer, row="corn sugar", options=options).play("role trader")
    assert table.moves == {"plant corn", "plant sugar", "pass"}
    table.play("plant corn")
    assert (table.island(B), table.doubloons(B)) == ("corn", 1)
    assert table.document["plantations"]["face_up"] == ["sugar"]  # refilled in the next settler phase alone


@pytest.mark.parametrize("source", ["face_down", "face_up"])
@pytest.mark.parametrize("sold_first", [False, True])
@cites("R-74", "land_office")
def test_r_74_a_sale_and_a_bought_tile_are_each_had_once(source: str, sold_first: bool) -> None:
    buyer = board(doubloons=5, goods="sugar=2 corn=1", city="land_office+")
    table = scene(IDLE, buyer, row="corn", options={**NOBLES, "land_office_source": source}).play("role trader")
    tile = "plant" if source == "face_down" else "plant corn"
    table.play(*(("sell sugar", tile) if sold_first else (tile, "sell sugar")))
    assert table.decision == "D-ROLE"
    assert (table.goods(B), table.doubloons(B)) == ("corn=1 sugar=1", 6)


@pytest.mark.parametrize("sale", ["sell coffee", "sell coffee trading_post"])
@pytest.mark.parametrize(("person", "use"), [("+", "plant"), ("*", "unplant indigo")])
@pytest.mark.parametrize("sale_first", [False, True])
@cites("R-74", "land_office", "trading_post")
def test_r_74_every_sale_goes_with_every_use_of_a_land_office(
    sale: str, person: str, use: str, sale_first: bool
) -> None:
    seller = board(doubloons=1, goods="coffee=2", island="indigo", city=f"land_office{person} trading_post+")
    table = scene(IDLE, seller, options=EVERYTHING).play("role trader")
    assert {sale, use, "pass"} <= table.moves
    first, second = (sale, use) if sale_first else (use, sale)
    table.play(first)
    assert table.asked == (B, "D-TRD")
    assert {second, "pass"} <= table.moves
    assert first not in table.moves
    assert (table.play(second).decision, table.goods(B)) == ("D-ROLE", "coffee=1")


@pytest.mark.parametrize("sale_first", [False, True])
@cites("R-74", "land office (C) + forest house")
def test_r_74_a_drawn_tile_may_become_a_forest_before_or_after_a_sale(sale_first: bool) -> None:
    buyer = board(doubloons=1, goods="coffee=1", city="land_office+ forest_house+")
    table = scene(IDLE, buyer, options=EVERYTHING).play("role trader")
    if sale_first:
        table.play("sell coffee")
    table.play("plant", drew=["corn"])
    assert (table.asked, table.moves) == ((B, "D-TRD-F"), {"keep", "forest"})
    table.play("forest")
    assert table.island(B) == "forest"
    assert table.decision == ("D-ROLE" if sale_first else "D-TRD")


@cites("R-2", "land_office")
def test_r_2_who_passes_buys_no_tile() -> None:
    buyer = board(doubloons=5, goods="sugar=1", city="land_office+")
    table = scene(IDLE, buyer, options=NOBLES).play("role trader", "pass")
    assert (table.decision, table.doubloons(B), table.island(B)) == ("D-ROLE", 5, "")


@cites("R-2", "land_office")
def test_r_2_who_passes_sells_no_tile() -> None:
    seller = board(island="corn+", city="land_office*")
    table = scene(IDLE, seller, options=NOBLES).play("role trader", "pass")
    assert (table.decision, table.doubloons(B), table.island(B)) == ("D-ROLE", 0, "corn+")


@cites("R-2", "trading_post")
def test_r_2_who_passes_sells_nothing_at_his_trading_post() -> None:
    seller = board(goods="coffee=1", city="trading_post+ land_office+")
    table = scene(IDLE, seller, options=EVERYTHING).play("role trader", "pass")
    assert (table.decision, table.doubloons(B), table.goods(B)) == ("D-ROLE", 0, "coffee=1")


@cites("R-72", "land office (C) + forest house", "forest house + hacienda / land office", "R-21")
def test_r_72_with_a_forest_house_the_bought_tile_may_become_a_forest() -> None:
    buyer = board(doubloons=2, city="land_office+ forest_house+")
    drawn = scene(IDLE, buyer, options=EVERYTHING).play("role trader").play("plant", drew=["coffee"])
    assert drawn.asked == (B, "D-TRD-F")
    assert drawn.play("forest").island(B) == "forest"
    chosen = scene(IDLE, buyer, row="corn", options={**EVERYTHING, "land_office_source": "face_up"}).play("role trader")
    assert chosen.moves == {"plant corn", "plant corn forest", "pass"}
    assert chosen.play("plant corn forest").island(B) == "forest"


@cites("R-72")
def test_r_72_with_forest_tiles_the_row_tile_is_discarded() -> None:
    options = {**EVERYTHING, "land_office_source": "face_up", "forest_mode": "tile_stack"}
    buyer = board(doubloons=2, city="land_office+ forest_house+")
    table = scene(IDLE, buyer, row="corn", options=options).play("role trader", "plant corn forest")
    assert table.island(B) == "forest"
    assert table.document["plantations"]["discarded"]["corn"] == 1
    assert table.document["plantations"]["forests"] == 11


@cites("R-73")
def test_r_73_forests_may_be_sold_unless_the_option_says_no() -> None:
    seller = board(island="corn forest:sugar", city="land_office*")
    table = scene(IDLE, seller, options=EVERYTHING).play("role trader")
    assert table.moves == {"unplant corn", "unplant forest sugar", "pass"}
    denied = scene(IDLE, seller, options={**EVERYTHING, "land_office_sell_forest": False}).play("role trader")
    assert denied.moves == {"unplant corn", "pass"}


@cites("R-76")
def test_r_76_a_removed_forest_goes_to_the_discards_or_to_its_stack() -> None:
    hidden = scene(IDLE, board(island="forest:sugar", city="land_office*"), options=EVERYTHING)
    hidden.play("role trader", "unplant forest sugar")
    assert hidden.document["plantations"]["discarded"]["sugar"] == 1
    options = {**EVERYTHING, "forest_mode": "tile_stack"}
    stack = scene(IDLE, board(island="forest", city="land_office*"), options=options).play("role trader")
    assert stack.document["plantations"]["forests"] == 11
    stack.play("unplant forest")
    assert stack.document["plantations"]["forests"] == 12
    assert stack.doubloons(B) == 1


def test_every_seat_gets_its_turn() -> None:  # rules 3.8
    seller = board(goods="corn=1")
    table = scene(IDLE, seller, seller, seller, options=NEW_BUILDINGS).play("role trader")
    for seat in (B, C, D):
        assert table.asked == (seat, "D-TRD")
        table.play("pass")
    assert table.decision == "D-ROLE"

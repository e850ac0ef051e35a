"""Loading in the captain phase: rules 3.9, E-3, E-4, E-14, E-15, R-54 to R-58."""

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import NEW_BUILDINGS, A, B, C, D, board

IDLE = board()


@cites("E-3", "R-63", "R-64")
def test_e_3_a_captain_phase_from_first_to_last() -> None:
    table = scene(
        board(goods="corn=2 sugar=6"),
        board(goods="sugar=2 tobacco=3"),
        board(goods="corn=2 tobacco=1"),
        board(goods="corn=1 indigo=5"),
        ships={6: ("corn", 3)},
    ).play("role captain")
    assert table.moves == {"ship sugar 7", "ship corn 6"}
    table.play("ship sugar 7")
    assert table.vp(A) == 7
    assert table.moves == {"ship sugar 7", "ship tobacco 5"}
    table.play("ship sugar 7")
    assert (table.vp(B), table.ships()[2]) == (1, (7, "sugar", 7))
    assert table.asked == (C, "D-CAP-LOAD")
    table.play("ship tobacco 5")
    # D must load 1 corn, A 2 corn, B 3 tobacco: each is the only legal option and so is made
    assert [table.vp(seat) for seat in (A, B, C, D)] == [9, 4, 1, 1]
    assert [table.goods(seat) for seat in (A, B, C, D)] == ["", "sugar=1", "corn=2", "indigo=5"]
    assert table.asked == (C, "D-CAP-STORE")
    table.play("store corn=1", "store indigo=1")
    assert [table.goods(seat) for seat in (A, B, C, D)] == ["", "sugar=1", "corn=1", "indigo=1"]
    assert table.ships() == [(5, "tobacco", 4), (6, None, 0), (7, None, 0)]


@cites("E-4", "R-54")
def test_e_4_the_ship_that_takes_most_must_be_used() -> None:
    table = scene(board(goods="tobacco=6 coffee=1"), ships={6: ("coffee", 1)}).play("role captain")
    assert table.moves == {"ship tobacco 7", "ship coffee 6"}
    assert table.refusal("ship tobacco 5").reason == "another_ship_takes_more"
    table.play("ship tobacco 7")
    assert (7, "tobacco", 6) in table.ships()


@cites("R-54")
def test_r_54_equal_ships_leave_the_choice() -> None:
    table = scene(board(goods="tobacco=5")).play("role captain")
    assert table.moves == {"ship tobacco 5", "ship tobacco 6", "ship tobacco 7"}
    table = scene(board(goods="tobacco=6")).play("role captain")
    assert table.moves == {"ship tobacco 6", "ship tobacco 7"}


def test_a_kind_aboard_goes_on_its_ship_or_nowhere() -> None:  # rules 3.9 step 2
    blocked = scene(board(goods="corn=2"), ships={5: ("corn", 4)}).play("role captain")
    assert blocked.vp(A) == 1 + 1  # one fits; the other cannot go on an empty ship
    assert blocked.goods(A) == "corn=1"
    partly = scene(board(goods="corn=4 coffee=1"), ships={5: ("corn", 3)}).play("role captain", "ship corn 5")
    assert partly.vp(A) == 2 + 1
    assert partly.ships()[0] == (5, "corn", 5)


@cites("R-55")
def test_r_55_who_can_load_must() -> None:
    table = scene(board(goods="corn=1 sugar=1")).play("role captain")
    assert "pass" not in table.moves
    assert len(table.moves) == 6


@cites("R-55", "wharf")
def test_r_55_a_wharf_may_be_declined_and_is_offered_again() -> None:
    ships = {5: ("indigo", 1), 6: ("sugar", 1), 7: ("coffee", 1)}
    keeper, loader = board(goods="corn=3", city="wharf+"), board(goods="indigo=2 sugar=2")
    table = scene(keeper, loader, ships=ships).play("role captain")
    assert table.moves == {"wharf corn", "pass"}
    table.play("pass", "ship indigo 5")
    assert table.asked == (A, "D-CAP-LOAD")
    table.play("pass")  # B loads sugar, the only thing he can do
    assert table.asked == (A, "D-CAP-LOAD")
    table.play("pass")
    assert table.goods(A) == "corn=3"
    assert table.asked == (A, "D-CAP-STORE")


@cites("R-55")
def test_r_55_loading_ends_after_a_round_without_a_loading() -> None:
    ships = {5: ("indigo", 1), 6: ("sugar", 1), 7: ("coffee", 1)}
    table = scene(board(goods="corn=3", city="wharf+"), ships=ships).play("role captain", "pass")
    assert table.asked == (A, "D-CAP-STORE")  # A was the first of four turns in a row without a loading


@cites("E-14", "harbor", "harbor / lighthouse + wharf / small wharf", "R-57")
def test_e_14_harbor_and_wharf() -> None:
    loader = board(goods="sugar=2 tobacco=5", city="harbor+ wharf+")
    table = scene(IDLE, loader, ships={5: ("sugar", 1), 7: ("tobacco", 4)}).play("role captain")
    table.play("ship tobacco 7")
    assert table.vp(B) == 4
    table.play("ship sugar 5")
    assert table.vp(B) == 7
    table.play("wharf tobacco")
    assert (table.vp(B), table.goods(B)) == (10, "")


@cites("E-15", "R-56", "wharf")
def test_e_15_a_wharf_takes_all_goods_of_the_kind_at_any_turn() -> None:
    loader = board(goods="sugar=2 tobacco=5", city="harbor+ wharf+")
    table = scene(IDLE, loader, ships={5: ("sugar", 1), 7: ("tobacco", 4)}).play("role captain")
    assert table.moves == {"ship tobacco 7", "ship sugar 5", "wharf tobacco", "wharf sugar"}
    table.play("wharf tobacco")
    assert table.vp(B) == 6 + 3  # and the 2 sugar, the only thing left to do
    assert table.ships() == [(5, "sugar", 3), (6, None, 0), (7, "tobacco", 4)]
    assert table.document["supply"]["goods"]["tobacco"] == 5


@cites("harbor", "wharf")
def test_an_empty_harbor_and_an_empty_wharf_do_nothing() -> None:  # rules 3.2
    table = scene(IDLE, board(goods="corn=2 sugar=1", city="harbor wharf")).play("role captain")
    assert not {move for move in table.moves if move.startswith("wharf")}
    assert table.play("ship corn 5").vp(B) == 2


@cites("R-56")
def test_r_56_a_wharf_has_no_limit() -> None:
    table = scene(board(goods="indigo=11", city="wharf+")).play("role captain", "wharf indigo")
    assert (table.vp(A), table.goods(A)) == (12, "")


def test_the_wharf_serves_once_a_phase() -> None:  # rules 4.2
    ships = {5: ("indigo", 1), 6: ("sugar", 1), 7: ("coffee", 1)}
    table = scene(board(goods="corn=3 tobacco=2", city="wharf+"), ships=ships).play("role captain", "wharf corn")
    assert table.asked == (A, "D-CAP-STORE")
    assert table.goods(A) == "tobacco=2"


def test_the_captain_privilege_is_one_point_once() -> None:  # rules 3.9 step 4
    table = scene(board(goods="corn=2 sugar=1")).play("role captain", "ship corn 7", "ship sugar 5")
    assert table.vp(A) == 2 + 1 + 1


@cites("library")
def test_a_library_doubles_the_captain_privilege() -> None:  # rules 4.3
    loader = board(goods="corn=2 sugar=1", city="library+")
    table = scene(loader, options=NEW_BUILDINGS).play("role captain", "ship corn 7", "ship sugar 5")
    assert table.vp(A) == 2 + 2 + 1
    empty = board(goods="corn=2 sugar=1", city="library")
    assert scene(empty, options=NEW_BUILDINGS).play("role captain", "ship corn 7").vp(A) == 2 + 1


@cites("E-33", "small_wharf")
def test_e_33_a_small_wharf_takes_mixed_goods_for_half_their_number() -> None:
    table = scene(IDLE, board(goods="corn=3 sugar=2 tobacco=3", city="small_wharf+"), options=NEW_BUILDINGS)
    table.play("role captain", "small_wharf corn=3 sugar=1 tobacco=2")
    assert table.vp(B) == 3
    assert table.goods(B) == "sugar=1 tobacco=1"
    assert "pass" not in table.moves


@cites("R-58", "small_wharf")
def test_r_58_a_small_wharf_takes_any_goods_but_at_least_one() -> None:
    table = scene(IDLE, board(goods="corn=2 sugar=1", city="small_wharf+"), options=NEW_BUILDINGS).play("role captain")
    assert {move for move in table.moves if move.startswith("small_wharf")} == {
        "small_wharf corn=1", "small_wharf corn=2", "small_wharf sugar=1", "small_wharf corn=1 sugar=1",
        "small_wharf corn=2 sugar=1",
    }  # fmt: skip
    empty = scene(IDLE, board(goods="corn=2 sugar=1", city="small_wharf"), options=NEW_BUILDINGS).play("role captain")
    assert not {move for move in empty.moves if move.startswith("small_wharf")}


@cites("R-58", "wharf + small wharf")
def test_r_58_both_wharves_serve_in_one_phase_on_different_turns() -> None:
    ships = {5: ("indigo", 1), 6: ("sugar", 1), 7: ("coffee", 1)}
    loader = board(goods="corn=3 tobacco=2", city="wharf+ small_wharf+")
    table = scene(loader, ships=ships, options=NEW_BUILDINGS).play("role captain", "small_wharf tobacco=2")
    assert table.vp(A) == 1 + 1
    assert table.moves == {"wharf corn", "pass"}  # and not the small wharf again
    assert table.play("wharf corn").vp(A) == 5


@cites("R-57", "harbor / lighthouse + wharf / small wharf")
def test_r_57_a_small_wharf_with_one_good_is_a_loading() -> None:
    loader = board(goods="corn=1", city="small_wharf+ harbor+ lighthouse+")
    table = scene(IDLE, loader, options=NEW_BUILDINGS).play("role captain", "small_wharf corn=1")
    assert (table.vp(B), table.doubloons(B)) == (1, 1)  # nothing for the good, one each for the loading
    captain = scene(board(goods="corn=1", city="small_wharf+"), options=NEW_BUILDINGS).play("role captain")
    assert captain.play("small_wharf corn=1").vp(A) == 1  # the privilege


@cites("R-57")
def test_r_57_a_wharf_is_a_loading_that_keeps_the_phase_going() -> None:
    ships = {5: ("indigo", 1), 6: ("sugar", 1), 7: ("coffee", 1)}
    keeper = board(goods="corn=2 tobacco=1", city="wharf+")
    table = scene(IDLE, keeper, IDLE, keeper, ships=ships).play("role captain", "pass", "wharf corn")
    assert table.asked == (B, "D-CAP-LOAD")  # asked again, though he declined


def test_full_ships_are_emptied_and_others_stay() -> None:  # rules 3.9 step 7
    table = scene(board(goods="corn=5"), ships={6: ("sugar", 3)}).play("role captain", "ship corn 5")
    assert table.ships() == [(5, None, 0), (6, "sugar", 3), (7, None, 0)]
    assert table.document["supply"]["goods"]["corn"] == 10

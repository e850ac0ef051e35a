"""The settler phase: rules 3.4, R-12 to R-18."""

import pytest

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import all_tiles_out, scene
from tests.support.puerto_rico.scenes import A, B, C, D, board

ROW = "corn corn indigo sugar coffee"


def test_each_seat_takes_a_tile_in_turn() -> None:  # rules 3.4
    table = scene(row=ROW).play("role settler")
    assert table.asked == (A, "D-SET-TAKE")
    assert table.moves == {"take corn", "take indigo", "take sugar", "take coffee", "take quarry", "pass"}
    table.play("take quarry")
    assert table.moves == {
        "take corn",
        "take indigo",
        "take sugar",
        "take coffee",
        "pass",
    }  # the privilege is the chooser's
    table.play("take coffee", "pass", "take corn")
    assert [table.island(seat) for seat in (A, B, C, D)] == ["quarry", "coffee", "", "corn"]


def test_the_row_is_discarded_and_dealt_anew() -> None:  # rules 3.4 step 4
    table = scene(row=ROW).play("role settler", "take corn", "take corn", "pass", "pass", drew=["coffee"] * 5)
    plantations = table.document["plantations"]
    assert plantations["discarded"] == {"indigo": 1, "sugar": 1, "coffee": 1}
    assert plantations["face_up"] == ["coffee"] * 5


def test_an_exhausted_quarry_stack_gives_no_quarry() -> None:  # rules 3.4
    table = scene(board(), board(city="construction_hut+"), row=ROW, quarries=0).play("role settler")
    assert "take quarry" not in table.moves
    assert "take quarry" not in table.play("pass").moves


def test_a_full_island_takes_nothing() -> None:  # rules 3.4 step 1
    table = scene(board(island="indigo " * 12), row="corn corn sugar coffee coffee").play("role settler")
    assert table.asked == (B, "D-SET-TAKE")


@cites("construction_hut")
def test_a_construction_hut_lets_its_owner_take_a_quarry() -> None:  # rules 4.2
    table = scene(board(), board(city="construction_hut+"), row=ROW).play("role settler", "pass", "take quarry")
    assert table.island(B) == "quarry"


@cites("construction_hut")
def test_an_empty_construction_hut_gives_no_quarry() -> None:  # rules 3.2
    table = scene(board(), board(city="construction_hut"), row=ROW).play("role settler", "pass")
    assert "take quarry" not in table.moves


@cites("hacienda")
def test_a_hacienda_draws_a_plantation_before_the_take() -> None:  # rules 4.2
    table = scene(board(), board(city="hacienda+"), row=ROW).play("role settler", "pass")
    assert table.asked == (B, "D-SET-HAC")
    table.play("draw", drew=["tobacco"]).play("take coffee")
    assert table.island(B) == "coffee tobacco"


@cites("hacienda")
def test_a_hacienda_may_stay_unused_and_an_empty_one_does_nothing() -> None:
    declining = scene(board(city="hacienda+"), row=ROW).play("role settler", "pass")
    assert declining.asked == (A, "D-SET-TAKE")
    empty = scene(board(city="hacienda"), row=ROW).play("role settler")
    assert empty.asked == (A, "D-SET-TAKE")


@cites("hospice")
def test_a_hospice_puts_a_colonist_on_the_tile_taken() -> None:  # rules 4.2
    table = scene(board(city="hospice+"), row=ROW).play("role settler")
    supply = table.document["colonists"]["supply"]
    table.play("take quarry")
    assert table.island(A) == "quarry+"
    assert table.document["colonists"]["supply"] == supply - 1


@cites("hospice")
def test_a_hospice_may_be_declined_and_an_empty_one_does_nothing() -> None:
    assert scene(board(city="hospice+"), row=ROW).play("role settler", "take corn -hospice").island(A) == "corn"
    assert scene(board(city="hospice"), row=ROW).play("role settler", "take corn").island(A) == "corn"


@cites("hospice")
def test_a_quarry_staffed_by_the_hospice_discounts_the_next_purchases() -> None:  # rules 4.2
    table = scene(board(doubloons=1, city="hospice+"), row=ROW).play("role settler", "take quarry").rest()
    table.play("role builder", "pass")
    assert table.asked == (A, "D-BLD")
    assert "build small_sugar_mill" in table.moves  # 2 - 1 quarry


@cites("R-12")
def test_r_12_a_hacienda_shuffles_the_discards_when_the_pile_is_empty() -> None:
    table = scene(board(city="hacienda+"), row=ROW, pile="").play("role settler")
    before = table.document["plantations"]["discarded"]
    table.play("draw", drew=["tobacco"])
    plantations = table.document["plantations"]
    assert table.island(A) == "tobacco"
    assert plantations["discarded"] == {}
    assert plantations["face_down"] == {**before, "tobacco": before["tobacco"] - 1}
    assert ["discards_shuffled"] in table.facts


@cites("R-12")
def test_r_12_without_pile_and_discards_there_is_nothing_to_draw() -> None:
    table = all_tiles_out("hacienda+").play("role settler")
    assert table.asked == (A, "D-SET-TAKE")


@cites("R-13")
def test_r_13_a_short_pile_is_filled_up_from_the_discards() -> None:
    table = scene(row=ROW, pile="corn=2").play("role settler", "take coffee", "pass", "pass")
    table.play("pass", drew=["corn", "corn", "sugar", "sugar", "corn"])
    plantations = table.document["plantations"]
    assert sorted(plantations["face_up"]) == ["corn", "corn", "corn", "sugar", "sugar"]
    assert sum(plantations["discarded"].values()) == 0
    assert table.facts.count(["discards_shuffled"]) == 1


@cites("R-13")
def test_r_13_the_row_stays_short_when_there_are_too_few_tiles() -> None:
    table = all_tiles_out(city="").play("role settler", "take corn")
    assert table.document["plantations"]["face_up"] == ["corn"] * 4
    assert table.decision == "D-ROLE"


@cites("R-14")
def test_r_14_a_hacienda_tile_on_the_last_space_leaves_none_for_the_take() -> None:
    table = scene(board(island="indigo " * 11, city="hacienda+"), row="corn corn sugar sugar coffee").play(
        "role settler"
    )
    table.play("draw", drew=["tobacco"])
    assert table.asked == (B, "D-SET-TAKE")


@cites("R-14")
def test_r_14_a_hacienda_cannot_be_used_after_the_take() -> None:
    table = scene(board(city="hacienda+"), row=ROW).play("role settler", "pass", "take corn")
    assert table.asked == (B, "D-SET-TAKE")


@cites("R-15", "settler's privilege + construction hut")
def test_r_15_privilege_and_construction_hut_give_one_quarry() -> None:
    table = scene(board(city="construction_hut+"), row=ROW).play("role settler", "take quarry")
    assert table.asked == (B, "D-SET-TAKE")


@cites("R-15", "hacienda + construction hut")
def test_r_15_a_settler_with_a_hacienda_gets_one_quarry() -> None:
    table = scene(board(city="hacienda+ construction_hut+"), row=ROW).play("role settler")
    assert table.moves == {"draw", "pass"}  # no quarry instead of the drawn tile
    table.play("draw", drew=["corn"]).play("take quarry")
    assert table.island(A) == "corn quarry"


@cites("R-16")
def test_r_16_the_hacienda_tile_is_placed_at_once_and_unoccupied() -> None:
    table = scene(board(city="hacienda+"), row=ROW).play("role settler").play("draw", drew=["sugar"])
    assert table.island(A) == "sugar"
    assert table.asked == (A, "D-SET-TAKE")


@cites("R-17")
def test_r_17_a_hospice_takes_from_the_ship_when_the_supply_is_empty() -> None:
    table = scene(board(city="hospice+"), row=ROW, colonists=0).play("role settler", "take corn")
    assert table.island(A) == "corn+"
    assert table.document["colonists"] == {"supply": 0, "ship": 3}


@cites("R-17")
def test_r_17_the_option_denies_the_hospice_the_ship() -> None:
    table = scene(board(city="hospice+"), row=ROW, colonists=0, options={"hospice_ship_fallback": False})
    assert table.play("role settler", "take corn").island(A) == "corn"
    assert table.document["colonists"] == {"supply": 0, "ship": 4}


@cites("R-17")
def test_r_17_without_any_colonist_the_hospice_is_not_asked_about() -> None:
    table = scene(board(city="hospice+"), row=ROW, colonist_ship=0, colonists=0).play("role settler")
    assert "take corn" in table.moves
    assert "take corn -hospice" not in table.moves
    assert table.play("take corn").island(A) == "corn"


@cites("R-18", "hacienda + hospice")
def test_r_18_the_hospice_staffs_the_tile_taken_and_not_the_one_drawn() -> None:
    table = scene(board(city="hacienda+ hospice+"), row=ROW).play("role settler").play("draw", drew=["tobacco"])
    assert table.play("take coffee").island(A) == "coffee+ tobacco"


@pytest.mark.parametrize("role", ["settler", "trader"])
@cites("R-5")
def test_r_5_a_useless_role_may_be_chosen_and_some_role_must(role: str) -> None:
    table = scene(board(island="corn " * 10 + "indigo indigo"))
    assert f"role {role}" in table.moves
    assert "pass" not in table.moves

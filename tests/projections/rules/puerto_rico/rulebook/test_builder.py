"""The builder phase of the base game: rules 3.6, E-2, R-31, R-32, R-39 to R-44."""

import pytest

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import EVERYTHING, NEW_BUILDINGS, A, B, board

QUARRIES = "quarry+ quarry+ quarry+"


@pytest.mark.parametrize(
    ("building", "price"), [("construction_hut", 1), ("office", 3), ("harbor", 5), ("city_hall", 7)]
)
@cites("E-2")
def test_e_2_three_quarries_are_capped_by_the_column(building: str, price: int) -> None:
    other = scene(board(), board(doubloons=10, island=QUARRIES)).play("role builder", "pass", f"build {building}")
    assert other.doubloons(B) == 10 - price
    chooser = scene(board(doubloons=10, island=QUARRIES)).play("role builder", f"build {building}")
    assert chooser.doubloons(A) == 10 - (price - 1)


def test_unoccupied_quarries_give_no_discount() -> None:  # rules 3.2
    table = scene(board(doubloons=3, island="quarry quarry+"), seats=3).play("role builder")
    assert "build hospice" in table.moves  # 4 - 1 privilege - 1 quarry
    assert "build office" in table.moves  # 5 - 2
    assert "build large_warehouse" not in table.moves  # 6 - 2 = 4


def test_a_building_needs_a_copy_a_space_and_its_price() -> None:  # rules 3.6
    table = scene(board(doubloons=20, city="wharf"), board(city="harbor"), board(city="harbor")).play("role builder")
    assert "build wharf" not in table.moves  # owned
    assert "build harbor" not in table.moves  # no copy left
    assert "build university" in table.moves


def test_a_purchase_moves_the_tile_unoccupied_and_pays_the_bank() -> None:  # rules 3.6
    table = scene(board(doubloons=9)).play("role builder", "build harbor")
    assert (table.city(A), table.doubloons(A)) == ("harbor", 2)
    assert table.document["supply"]["buildings"]["harbor"] == 1


def test_who_can_afford_nothing_is_passed_over() -> None:  # rules 3.6, auto-resolved
    assert scene(board(), board()).play("role builder", "pass").decision == "D-ROLE"


@cites("R-31")
def test_r_31_nobody_builds_twice_in_a_round() -> None:
    table = scene(board(doubloons=20)).play("role builder", "build harbor")
    assert table.asked == (B, "D-ROLE")
    assert "role builder" not in table.moves


@cites("R-32", "quarries + forests + builder + zoning office")
def test_r_32_all_discounts_add_up_and_only_quarries_are_capped() -> None:
    island = f"{QUARRIES} forest:corn forest:corn forest:corn forest:corn"
    table = scene(board(doubloons=9, island=island, city="zoning_office+"), options=EVERYTHING).play("role builder")
    spent = {name: 9 - table.copy().play(f"build {name}").doubloons(A) for name in ("wharf", "office", "small_market")}
    assert spent == {
        "wharf": 9 - 1 - 3 - 2 - 1,
        "office": 0,  # 5 - 1 - 2 - 2 - 1 is below zero
        "small_market": 0,
    }


@cites("university")
def test_a_university_staffs_the_building_just_built() -> None:  # rules 4.2
    table = scene(board(doubloons=20, city="university+")).play("role builder")
    assert table.copy().play("build harbor").city(A) == "harbor+ university+"
    assert table.copy().play("build harbor -university").city(A) == "harbor university+"
    assert table.document["colonists"]["supply"] - 1 == table.play("build harbor").document["colonists"]["supply"]


@cites("university")
def test_an_empty_university_staffs_nothing() -> None:
    table = scene(board(doubloons=20, city="university")).play("role builder", "build harbor")
    assert table.city(A) == "harbor university"


@cites("R-39", "university + production building")
def test_r_39_the_university_gives_one_colonist_whatever_the_circles() -> None:
    table = scene(board(doubloons=20, city="university+")).play("role builder", "build indigo_plant")
    assert table.city(A) == "indigo_plant+ university+"


@cites("R-39")
def test_r_39_the_university_draws_on_the_ship_and_else_gives_none() -> None:
    ship = scene(board(doubloons=20, city="university+"), colonists=0).play("role builder", "build harbor")
    assert ship.city(A) == "harbor+ university+"
    assert ship.document["colonists"] == {"supply": 0, "ship": 3}
    nobody = scene(board(doubloons=20, city="university+"), colonist_ship=0, colonists=0).play("role builder")
    assert "build harbor -university" not in nobody.moves
    assert nobody.play("build harbor").city(A) == "harbor university+"


@cites("R-39", "university + statue", "E-38")
def test_e_38_a_university_colonist_for_the_statue_goes_to_san_juan() -> None:
    table = scene(board(doubloons=20, city="university+"), options=NEW_BUILDINGS).play("role builder", "build statue")
    assert (table.city(A), table.san_juan(A)) == ("statue university+", "+")


TEN_SMALL = (
    "small_indigo_plant small_sugar_mill indigo_plant sugar_mill tobacco_storage coffee_roaster small_market hacienda "
    "construction_hut small_warehouse"
)


@cites("R-41")
def test_r_41_the_twelfth_space_meets_the_end_condition_at_the_purchase() -> None:
    table = scene(board(doubloons=20, city=f"{TEN_SMALL} hospice")).play("role builder", "build harbor")
    assert table.document["ends"] == ["city"]


@cites("R-41", "R-42")
def test_r_42_a_large_building_fills_two_spaces() -> None:
    table = scene(board(doubloons=20, city=f"{TEN_SMALL} hospice")).play("role builder")
    assert "build fortress" not in table.moves  # one space is left
    table = scene(board(doubloons=20, city=TEN_SMALL)).play("role builder", "build fortress")
    assert table.document["ends"] == ["city"]


@cites("R-42")
def test_r_42_a_large_building_is_one_building_for_the_city_hall() -> None:
    assert scene(board(city="city_hall+ fortress harbor")).bonus(A, "city_hall") == 3


def test_there_is_one_copy_of_a_large_building() -> None:  # rules 1.7
    table = scene(board(doubloons=20), board(doubloons=20)).play("role builder", "build fortress")
    assert "build fortress" not in table.moves
    assert "build residence" in table.moves


@cites("R-43")
def test_r_43_who_does_not_act_gets_nothing_instead() -> None:
    builder = scene(board(doubloons=5)).play("role builder", "pass")
    assert builder.doubloons(A) == 5
    trader = scene(board(goods="coffee=1")).play("role trader", "pass")
    assert trader.doubloons(A) == 0
    assert scene().play("role captain").vp(A) == 0
    assert scene().play("role craftsman").goods(A) == ""


FOUR_LARGE = "guild_hall residence fortress customs_house"


@cites("R-44")
def test_r_44_a_large_building_needs_two_free_spaces_and_nothing_else() -> None:
    table = scene(board(doubloons=20, city=FOUR_LARGE)).play("role builder")
    assert "build city_hall" in table.moves


@cites("R-44")
def test_r_44_a_grid_of_four_columns_takes_four_large_buildings() -> None:
    grid = {"city_geometry": "grid_4x3"}
    table = scene(board(doubloons=20, city=FOUR_LARGE), options=grid).play("role builder")
    assert "build city_hall" not in table.moves
    assert "build harbor" in table.moves
    table = scene(board(doubloons=20, city="guild_hall residence fortress"), options=grid).play("role builder")
    assert "build city_hall" in table.moves


@cites("R-6")
def test_r_6_doubloons_on_a_card_can_be_spent_in_its_phase() -> None:
    table = scene(board(doubloons=5), cards={"builder": 2}).play("role builder")
    assert "build harbor" in table.moves  # 5 + 2 = 8 - 1
    assert table.doubloons(A) == 7
    assert table.document["roles"]["builder"]["doubloons"] == 0

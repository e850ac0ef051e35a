"""What is printed on every building: the tables of rules 1.7, 1.8 and 1.9, row by row."""

from typing import Final

import pytest

from tests.support.puerto_rico.scene_builder import fresh, scene
from tests.support.puerto_rico.scenes import EVERYTHING, A, B, Scene, board

# cost, VP, column, circles, copies with three to five players and with two
ROWS: Final = {
    "small_indigo_plant": (1, 1, 1, 1, 4, 2), "small_sugar_mill": (2, 1, 1, 1, 4, 2),
    "indigo_plant": (3, 2, 2, 3, 3, 2),
    "sugar_mill": (4, 2, 2, 3, 3, 2), "tobacco_storage": (5, 3, 3, 3, 3, 2), "coffee_roaster": (6, 3, 3, 2, 3, 2),
    "small_market": (1, 1, 1, 1, 2, 1), "hacienda": (2, 1, 1, 1, 2, 1), "construction_hut": (2, 1, 1, 1, 2, 1),
    "small_warehouse": (3, 1, 1, 1, 2, 1), "hospice": (4, 2, 2, 1, 2, 1), "office": (5, 2, 2, 1, 2, 1),
    "large_market": (5, 2, 2, 1, 2, 1), "large_warehouse": (6, 2, 2, 1, 2, 1), "factory": (7, 3, 3, 1, 2, 1),
    "university": (8, 3, 3, 1, 2, 1), "harbor": (8, 3, 3, 1, 2, 1), "wharf": (9, 3, 3, 1, 2, 1),
    "guild_hall": (10, 4, 4, 1, 1, 1), "residence": (10, 4, 4, 1, 1, 1), "fortress": (10, 4, 4, 1, 1, 1),
    "customs_house": (10, 4, 4, 1, 1, 1), "city_hall": (10, 4, 4, 1, 1, 1),
    "aqueduct": (1, 1, 1, 1, 2, 1), "forest_house": (2, 1, 1, 1, 2, 1), "black_market": (2, 1, 1, 1, 2, 1),
    "storehouse": (3, 1, 1, 1, 2, 1), "guesthouse": (4, 2, 2, 2, 2, 1), "trading_post": (5, 2, 2, 1, 2, 1),
    "church": (5, 2, 2, 1, 2, 1), "small_wharf": (6, 2, 2, 1, 2, 1), "lighthouse": (7, 3, 3, 1, 2, 1),
    "library": (8, 3, 3, 1, 2, 1), "specialty_factory": (8, 3, 3, 1, 2, 1), "union_hall": (9, 3, 3, 1, 2, 1),
    "statue": (10, 8, 4, 0, 1, 1), "cloister": (10, 4, 4, 1, 1, 1),
    "land_office": (2, 1, 1, 1, 2, 1), "chapel": (3, 1, 1, 1, 2, 1), "hunting_lodge": (4, 2, 2, 1, 2, 1),
    "zoning_office": (5, 2, 2, 1, 2, 1), "royal_supplier": (6, 2, 2, 1, 2, 1), "villa": (7, 3, 3, 1, 2, 1),
    "jeweler": (8, 3, 3, 1, 2, 2), "royal_garden": (10, 4, 4, 1, 1, 1),
}  # fmt: skip


def bought(building: str, island: str = "") -> Scene:
    """B has bought it without privilege, out of 30 doubloons."""
    table = scene(board(), board(doubloons=30, island=island), options=EVERYTHING).play("role builder", "pass")
    return table.play(f"build {building}")


@pytest.mark.parametrize("building", ROWS)
def test_a_building_is_as_it_is_printed(building: str) -> None:
    cost, vp, column, circles, _, _ = ROWS[building]
    table = bought(building)
    assert 30 - table.doubloons(B) == cost
    assert table.total(B) - table.total(A) == vp
    assert table.player(B)["city"][0]["circles"] == circles
    discounted = bought(building, island="quarry+ quarry+ quarry+ quarry+")
    assert 30 - discounted.doubloons(B) == cost - column


@pytest.mark.parametrize(("seats", "at"), [(2, 5), (3, 4), (4, 4), (5, 4)])
def test_there_are_as_many_copies_as_the_rules_say(seats: int, at: int) -> None:
    assert fresh(seats, **EVERYTHING)["supply"]["buildings"] == {building: row[at] for building, row in ROWS.items()}

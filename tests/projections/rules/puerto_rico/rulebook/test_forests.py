"""Forests and the library of a settler: rules 4.3, E-27 to E-29, R-20 to R-25, R-33."""

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import EVERYTHING, NEW_BUILDINGS, A, B, Scene, board

IDLE = board()
ROW = "corn corn indigo sugar coffee"
STACK = {**NEW_BUILDINGS, "forest_mode": "tile_stack"}


def forests(number: int) -> str:
    """So many forests on an island."""
    return "forest:indigo " * number


@cites("E-27")
def test_e_27_six_forests_are_three_doubloons() -> None:
    island = f"{forests(6)} quarry+ quarry+"
    table = scene(board(island=island), options=NEW_BUILDINGS).play("role builder")
    assert "build large_warehouse" in table.moves  # 6 - 1 - 2 - 3 = 0 with no doubloon at all


@cites("E-28", "R-32")
def test_e_28_forests_add_to_capped_quarries() -> None:
    island = f"{forests(5)} quarry+ quarry+ quarry+ quarry+"
    table = scene(board(doubloons=9, island=island), options=NEW_BUILDINGS).play("role builder", "build wharf")
    assert table.doubloons(A) == 9 - 3


@cites("E-29", "R-33", "forest_house")
def test_e_29_forests_discount_in_pairs_without_a_forest_house() -> None:
    buyer = board(doubloons=9, island=forests(3), city="forest_house")
    table = scene(IDLE, buyer, options=NEW_BUILDINGS).play("role builder", "pass")
    for building, cost in (("wharf", 9), ("office", 5), ("small_market", 1)):
        assert table.copy().play(f"build {building}").doubloons(B) == 9 - (cost - 1)


@cites("R-20", "forest_house")
def test_r_20_a_row_tile_taken_as_a_forest_lies_face_down() -> None:
    table = scene(board(city="forest_house+"), row=ROW, options=NEW_BUILDINGS).play("role settler")
    assert table.moves == {
        "take corn", "take indigo", "take sugar", "take coffee", "take quarry",
        "forest corn", "forest indigo", "forest sugar", "forest coffee", "pass",
    }  # fmt: skip
    table.play("forest coffee")
    assert table.island(A) == "forest"
    assert table.document["plantations"]["discarded"] == {}
    empty = scene(board(city="forest_house"), row=ROW, options=NEW_BUILDINGS).play("role settler")
    assert not {move for move in empty.moves if move.startswith("forest")}


@cites("R-20")
def test_r_20_a_forest_tile_costs_a_row_tile() -> None:
    table = scene(board(city="forest_house+"), row=ROW, options=STACK).play("role settler", "forest coffee")
    assert table.island(A) == "forest"
    assert table.document["plantations"]["discarded"]["coffee"] == 1
    assert table.document["plantations"]["forests"] == 11


@cites("R-20")
def test_r_20_no_forest_tile_without_a_row_tile_or_a_stack() -> None:
    owner = board(city="forest_house+")
    no_row = scene(owner, options=STACK).play("role settler")
    assert no_row.moves == {"take quarry", "pass"}
    no_stack = scene(owner, board(island="forest " * 12), row=ROW, options=STACK).play("role settler")
    assert not {move for move in no_stack.moves if move.startswith("forest")}


@cites("R-21", "forest house + hacienda / land office", "hacienda")
def test_r_21_a_drawn_tile_may_become_a_forest_once_it_is_seen() -> None:
    owner = board(city="hacienda+ forest_house+")
    table = scene(owner, row=ROW, options=NEW_BUILDINGS).play("role settler").play("draw", drew=["tobacco"])
    assert table.asked == (A, "D-SET-HAC-F")
    assert table.moves == {"keep", "forest"}
    assert table.copy().play("keep").island(A) == "tobacco"
    assert table.play("forest", "forest corn").island(A) == "forest forest"


@cites("R-21")
def test_r_21_a_drawn_tile_is_discarded_for_a_forest_tile() -> None:
    owner = board(city="hacienda+ forest_house+")
    table = scene(owner, row=ROW, options=STACK).play("role settler").play("draw", drew=["tobacco"]).play("forest")
    assert table.island(A) == "forest"
    assert table.document["plantations"]["discarded"]["tobacco"] == 1


@cites("R-21")
def test_r_21_without_a_forest_tile_the_drawn_tile_is_kept() -> None:
    owner = board(city="hacienda+ forest_house+")
    table = scene(owner, board(island="forest " * 12), row=ROW, options=STACK).play("role settler")
    table.play("draw", drew=["tobacco"])
    assert table.asked == (A, "D-SET-TAKE")
    assert table.island(A) == "tobacco"


@cites("R-22", "forest house + hospice")
def test_r_22_a_hospice_colonist_for_a_forest_goes_to_san_juan() -> None:
    table = scene(board(city="forest_house+ hospice+"), row=ROW, options=NEW_BUILDINGS)
    table.play("role settler", "forest corn")
    assert (table.island(A), table.san_juan(A)) == ("forest", "+")


@cites("R-23")
def test_r_23_neither_quarries_nor_old_plantations_become_forests() -> None:
    owner = board(island="corn coffee", city="forest_house+ construction_hut+")
    table = scene(owner, row="sugar sugar", options=NEW_BUILDINGS).play("role settler")
    assert table.moves == {"take sugar", "take quarry", "forest sugar", "pass"}


def drawn_forest(face: str) -> Scene:
    """A has made a forest out of the coffee he drew."""
    owner = board(city="hacienda+ forest_house+")
    table = scene(owner, row=ROW, options={**NEW_BUILDINGS, "forest_face": face}).play("role settler")
    return table.play("draw", drew=["coffee"]).play("forest")


@cites("R-24")
def test_r_24_the_face_of_a_drawn_forest_is_shown_to_all() -> None:
    table = drawn_forest("reveal")
    assert table.view(B)["players"][A]["island"][0]["face"] == "coffee"


@cites("R-24")
def test_r_24_the_option_keeps_the_face_for_its_owner() -> None:
    table = drawn_forest("owner_only")
    assert table.view(A)["players"][A]["island"][0]["face"] == "coffee"
    assert table.view(B)["players"][A]["island"][0]["face"] is None
    assert table.view(None)["players"][A]["island"][0]["face"] is None
    assert table.view(B)["plantations"]["face_down"] != table.document["plantations"]["face_down"]


@cites("R-24")
def test_r_24_a_forest_made_from_a_row_tile_is_known_to_all() -> None:
    options = {**NEW_BUILDINGS, "forest_face": "owner_only"}
    table = scene(board(city="forest_house+"), row=ROW, options=options).play("role settler", "forest coffee")
    assert table.view(B)["players"][A]["island"][0]["face"] == "coffee"


# --- the library of a settler ----------------------------------------------------------------------------------------


@cites("R-25", "library")
def test_r_25_a_library_takes_a_second_tile_after_all_have_taken() -> None:
    table = scene(board(city="library+"), row=ROW, options=NEW_BUILDINGS)
    table.play("role settler", "take quarry", "take coffee", "pass", "pass")
    assert table.asked == (A, "D-SET-LIB")
    assert table.moves == {"take corn", "take indigo", "take sugar", "pass"}  # no second quarry
    assert table.play("take sugar").island(A) == "quarry sugar"


@cites("R-25", "library")
def test_r_25_only_an_occupied_library_of_the_settler_takes_again() -> None:
    table = scene(board(city="library"), board(city="library+"), row=ROW, options=NEW_BUILDINGS)
    assert table.play("role settler", "pass", "pass", "pass", "pass").decision == "D-ROLE"


@cites("R-25", "library + construction hut (as settler)")
def test_r_25_library_and_construction_hut_give_two_quarries() -> None:
    table = scene(board(city="library+ construction_hut+"), row=ROW, options=NEW_BUILDINGS)
    table.play("role settler", "take quarry", "pass", "pass", "pass", "take quarry")
    assert table.island(A) == "quarry quarry"


@cites("R-25", "R-18", "library + hospice (as settler)")
def test_r_18_the_library_tile_gets_no_hospice_colonist() -> None:
    owner = board(city="library+ hospice+")
    both = scene(owner, row=ROW, options=NEW_BUILDINGS)
    assert both.play("role settler", "take corn", "pass", "pass", "pass", "take coffee").island(A) == "coffee corn+"
    second = scene(owner, row=ROW, options=NEW_BUILDINGS)
    assert second.play("role settler", "pass", "pass", "pass", "pass", "take coffee").island(A) == "coffee"


@cites("R-25", "library + forest house (as settler)", "R-21")
def test_r_25_both_tiles_of_the_settler_may_be_forests() -> None:
    for first, second, island in (
        ("take corn", "take sugar", "corn sugar"),
        ("forest corn", "take sugar", "forest sugar"),
        ("forest corn", "forest sugar", "forest forest"),
    ):
        table = scene(board(city="library+ forest_house+"), row=ROW, options=NEW_BUILDINGS)
        table.play("role settler", first, "pass", "pass", "pass", second)
        assert table.island(A) == island


@cites("R-25")
def test_r_25_a_full_island_takes_no_second_tile() -> None:
    table = scene(board(island="indigo " * 11, city="library+"), row="corn sugar", options=NEW_BUILDINGS)
    assert table.play("role settler", "take corn", "pass", "pass", "pass").decision == "D-ROLE"


@cites("land_office", "land office (C) + forest house")
def test_a_bought_tile_gets_no_hospice_colonist() -> None:  # rules 4.4
    owner = board(doubloons=1, city="land_office+ hospice+ forest_house+")
    table = scene(owner, options=EVERYTHING).play("role trader").play("plant", drew=["corn"]).play("keep")
    assert table.island(A) == "corn"

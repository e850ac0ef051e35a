"""Paying with the black market, and the church: rules 4.3, E-30, R-34 to R-38, R-40."""

from typing import Any

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import EVERYTHING, NEW_BUILDINGS, A, B, Board, Scene, board

IDLE = board()


def buying(buyer: Board, **left: Any) -> Scene:
    """B buys without privilege."""
    return scene(IDLE, buyer, options=EVERYTHING, **left).play("role builder").until(B, "D-BLD")


@cites("E-30", "black_market", "R-34")
def test_e_30_a_black_market_makes_up_the_missing_doubloons() -> None:
    table = buying(board(doubloons=5, vp=2, goods="sugar=1", island="corn+", city="black_market+"))
    assert table.moves >= {
        "build factory black_market=colonist@corn,sugar",
        "build factory black_market=colonist@corn,vp",
        "build factory black_market=sugar,vp",
    }
    assert "build factory black_market=colonist@corn,sugar,vp" not in table.moves  # a doubloon would remain
    assert "build factory black_market=vp,vp" not in table.moves
    table.play("build factory black_market=sugar,vp")
    assert (table.doubloons(B), table.goods(B), table.vp(B)) == (0, "", 1)
    assert table.document["supply"]["goods"]["sugar"] == 11


@cites("black_market")
def test_an_empty_black_market_pays_nothing() -> None:  # rules 3.2
    table = buying(board(doubloons=5, vp=2, goods="sugar=1", city="black_market"))
    assert not {move for move in table.moves if "black_market" in move}


@cites("R-34")
def test_r_34_the_black_market_serves_only_what_doubloons_do_not_cover() -> None:
    table = buying(board(doubloons=5, vp=1, goods="sugar=1", island="corn+", city="black_market+"))
    assert "build office" in table.moves
    assert not {move for move in table.moves if move.startswith("build office ")}
    assert "build harbor black_market=colonist@corn,sugar,vp" in table.moves  # 8 = 5 + 3
    assert not {move for move in table.moves if move.startswith(("build wharf", "build fortress"))}  # 9 and 10


@cites("R-34")
def test_r_34_any_good_will_do_and_one_of_each_sort() -> None:
    table = buying(board(doubloons=6, goods="corn=2 coffee=1", city="black_market+"))
    ways = {move for move in table.moves if move.startswith("build factory")}
    assert ways == {"build factory black_market=corn", "build factory black_market=coffee"}
    assert not {move for move in table.moves if move.startswith("build harbor")}  # two goods are one too many


@cites("R-35", "black market + own colonist on it")
def test_r_35_the_colonist_comes_from_anywhere_but_the_black_market() -> None:
    table = buying(board(doubloons=6, island="corn+ quarry", city="black_market+ wharf+ guesthouse+", san_juan="+"))
    ways = {move for move in table.moves if move.startswith("build factory")}
    assert ways == {
        "build factory black_market=colonist@corn",
        "build factory black_market=colonist@wharf",
        "build factory black_market=colonist@guesthouse",
        "build factory black_market=colonist@san_juan",
    }
    table.play("build factory black_market=colonist@corn")
    assert table.island(B) == "corn quarry"


@cites("R-35")
def test_r_35_a_quarry_whose_colonist_is_returned_still_counts() -> None:
    table = buying(board(doubloons=5, island="quarry+", city="black_market+"))
    table.play("build factory black_market=colonist@quarry")  # 7 - 1 = 6
    assert (table.doubloons(B), table.island(B)) == (0, "quarry")


@cites("R-35", "R-19")
def test_r_19_a_noble_may_be_returned_and_goes_to_the_nobles() -> None:
    buyer = board(doubloons=6, island="corn*", city="black_market+")
    table = buying(buyer)
    nobles = table.document["nobles"]["supply"]
    table.play("build factory black_market=noble@corn")
    assert table.document["nobles"]["supply"] == nobles + 1


@cites("R-36", "R-9")
def test_r_36_a_noted_point_cannot_be_returned() -> None:
    noted = buying(board(doubloons=6, noted=4, city="black_market+"), vp=0, ends=["vp"])
    assert not {move for move in noted.moves if move.startswith("build factory")}
    chips = buying(board(doubloons=6, vp=4, city="black_market+"))
    assert "build factory black_market=vp" in chips.moves


@cites("R-37")
def test_r_37_a_returned_point_does_not_undo_the_end() -> None:
    buyer = board(doubloons=6, vp=1, city="black_market+ union_hall+", goods="corn=2")
    table = (
        scene(buyer, vp=1, ships={5: ("indigo", 1), 6: ("sugar", 1), 7: ("coffee", 1)}, options=NEW_BUILDINGS)
        .play("role captain")
        .rest()
    )
    assert table.document["ends"] == ["vp"]
    table.play("role builder").until(A, "D-BLD").play("build factory black_market=vp").rest()
    assert table.document["supply"]["vp_chips"] == 1
    assert table.document["ends"] == ["vp"]


@cites("R-37")
def test_r_37_a_point_returned_before_the_test_counts() -> None:
    buyer = board(doubloons=5, vp=1, city="black_market+ church+")
    table = buying(buyer, vp=1).play("build large_warehouse black_market=vp")
    assert table.document["ends"] == []  # the point came back before the church paid its one
    assert table.document["supply"]["vp_chips"] == 1


@cites("R-38", "church")
def test_r_38_a_church_pays_by_the_column() -> None:
    for building, points in (
        ("small_market", 0),
        ("small_indigo_plant", 0),
        ("office", 1),
        ("sugar_mill", 1),
        ("harbor", 1),
        ("coffee_roaster", 1),
        ("fortress", 2),
        ("statue", 2),
    ):
        assert buying(board(doubloons=20, city="church+")).play(f"build {building}").vp(B) == points
    assert buying(board(doubloons=20, city="church")).play("build office").vp(B) == 0


@cites("R-38", "university / guesthouse + church")
def test_r_38_a_church_does_not_pay_for_itself() -> None:
    table = buying(board(doubloons=20, city="university+")).play("build church")
    assert (table.city(B), table.vp(B)) == ("church+ university+", 0)


@cites("R-38")
def test_r_38_the_points_are_taken_after_the_payment() -> None:
    buyer = board(doubloons=5, vp=1, city="black_market+ church+")
    table = buying(buyer, vp=0, ends=["vp"]).play("build large_warehouse black_market=vp")
    assert table.player(B)["vp_chips"] == 1  # the chip just returned
    assert table.player(B)["vp_noted"] == 0


@cites("R-40")
def test_r_40_returning_the_colonist_of_the_church_forfeits_its_points() -> None:
    table = buying(board(doubloons=6, city="black_market+ church+"))
    assert table.play("build factory black_market=colonist@church").vp(B) == 0


@cites("R-40")
def test_r_40_returning_the_universitys_colonist_forfeits_its_effect() -> None:
    table = buying(board(doubloons=6, city="black_market+ university+"))
    table.play("build factory black_market=colonist@university")
    assert table.city(B) == "black_market+ factory university"


@cites("R-40", "university")
def test_r_40_a_university_just_built_does_not_staff_itself() -> None:
    assert buying(board(doubloons=20, city="")).play("build university").city(B) == "university"


@cites("library")
def test_a_library_doubles_the_builder_privilege() -> None:  # rules 4.3
    doubled = scene(board(doubloons=9, city="library+"), options=NEW_BUILDINGS).play("role builder", "build wharf")
    assert doubled.doubloons(A) == 2
    empty = scene(board(doubloons=9, city="library"), options=NEW_BUILDINGS).play("role builder", "build wharf")
    assert empty.doubloons(A) == 1

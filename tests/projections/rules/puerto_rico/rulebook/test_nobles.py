"""Nobles on the colonist ship and the buildings of Nobles: rules 4.4, 6.2, E-41, E-42, R-19, R-68 to R-79."""

import pytest

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import fresh, scene
from tests.support.puerto_rico.scenes import EVERYTHING, NEW_BUILDINGS, NOBLES, A, B, C, D, board

IDLE = board()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@cites("R-70")
def test_r_70_every_game_has_all_colonists_and_twenty_nobles(seats: int) -> None:
    table = scene(seats=seats, options=NOBLES).document
    assert table["colonists"] == {"supply": 100 - (seats - 1), "ship": seats - 1}
    assert table["nobles"] == {"supply": 19, "ship": 1}


@cites("R-70")
def test_r_70_a_short_refill_takes_what_is_left_and_does_not_end_the_game() -> None:
    table = scene(options=NOBLES, colonists=2, nobles=1).play(
        "role mayor", "pick colonist", "pick colonist", "pick noble"
    )
    assert table.document["colonists"] == {"supply": 0, "ship": 1}
    assert table.document["nobles"] == {"supply": 0, "ship": 1}
    assert table.document["ends"] == []


@cites("R-70")
def test_r_70_an_empty_ship_yields_nothing() -> None:
    table = scene(options=NOBLES, colonist_ship=0, noble_ship=0, colonists=0, nobles=0).play("role mayor")
    assert table.san_juan(A) == ""
    assert table.document["ends"] == []


@cites("R-68")
def test_r_68_the_ship_gets_its_noble_at_the_end_of_the_mayor_phase() -> None:
    table = scene(options=NOBLES, noble_ship=0, colonist_ship=4).play("role captain")
    assert table.document["nobles"]["ship"] == 0  # not after a captain phase
    table.play("role mayor")
    assert (table.document["colonists"]["ship"], table.document["nobles"]["ship"]) == (3, 1)


@cites("R-68")
def test_r_68_the_noble_takes_the_place_of_a_colonist_while_nobles_last() -> None:
    table = scene(options=NOBLES, noble_ship=0, colonist_ship=4, nobles=0).play("role mayor")
    assert (table.document["colonists"]["ship"], table.document["nobles"]["ship"]) == (4, 0)


@cites("R-69", "R-2")
def test_r_69_who_takes_from_a_mixed_ship_chooses_the_piece() -> None:
    table = scene(options=NOBLES).play("role mayor")
    assert table.asked == (A, "D-MAY-PICK")
    assert table.moves == {"pick colonist", "pick noble"}
    table.play("pick colonist")
    assert table.asked == (B, "D-MAY-PICK")
    table.play("pick noble")  # three colonists and no choice for the rest
    assert [table.san_juan(seat) for seat in (A, B, C, D)] == ["++", "*", "+", "+"]


@cites("R-69")
def test_r_69_the_last_piece_is_no_choice() -> None:
    table = scene(options=NOBLES).play("role mayor", "pick colonist", "pick colonist", "pick colonist")
    assert table.san_juan(D) == "*"


@cites("R-27")
def test_r_27_who_stays_in_san_juan_is_free() -> None:
    table = scene(board(island="corn", san_juan="*"), options=NOBLES).play("role mayor").until(A, "D-MAY-PLACE")
    assert table.moves == {"place corn=1", "place corn=0+1n"}


def test_colonists_and_nobles_are_placed_apart() -> None:  # rules 3.5
    owner = board(island="corn", city="chapel", san_juan="*")
    table = scene(owner, options=NOBLES, colonist_ship=0, noble_ship=0).play("role mayor")
    assert table.asked == (A, "D-MAY-PLACE")
    assert table.moves == {"place corn=1 chapel=0+1n", "place corn=0+1n chapel=1"}
    table.play("place corn=1 chapel=0+1n")
    assert (table.island(A), table.city(A)) == ("corn+", "chapel*")


@cites("R-19")
def test_r_19_the_privilege_of_the_mayor_is_a_colonist() -> None:
    table = scene(options=NOBLES, colonists=0, colonist_ship=0, noble_ship=0).play("role mayor")
    assert table.san_juan(A) == ""  # nobles are left, but no colonist


@cites("R-19")
def test_r_19_hospice_and_university_fetch_colonists_only() -> None:
    owner = board(doubloons=20, city="hospice+ university+")
    table = scene(owner, row="corn", options=NOBLES, colonist_ship=0, colonists=0)
    assert table.document["nobles"]["ship"] == 1
    assert table.copy().play("role settler", "take corn").island(A) == "corn"
    assert "harbor+" not in table.play("role builder", "build harbor").city(A)


@cites("R-19")
def test_r_19_a_noble_works_where_a_colonist_does() -> None:
    table = scene(IDLE, board(goods="corn=1", city="small_market*"), options=NOBLES).play("role trader", "sell corn")
    assert table.doubloons(B) == 1
    assert scene(IDLE, board(island="corn*"), options=NOBLES).play("role craftsman").goods(B) == "corn=1"


@cites("E-42", "R-78", "villa")
def test_e_42_a_villa_without_nobles_brings_a_colonist() -> None:
    table = scene(IDLE, board(city="villa+"), options=NOBLES, colonists=6, nobles=0, noble_ship=0, colonist_ship=4)
    table.play("role mayor")
    assert ["colonists_gained", B, 1] in table.facts
    assert table.san_juan(B) == "++"  # one of the villa, one of the ship
    nothing = scene(IDLE, board(city="villa+"), options=NOBLES, colonists=1, nobles=0, noble_ship=0, colonist_ship=4)
    assert nothing.play("role mayor").san_juan(B) == "+"


@cites("R-78", "villa")
def test_r_78_a_villa_brings_a_noble_before_the_ship_is_shared_out() -> None:
    table = scene(IDLE, board(city="villa*"), options=NOBLES).play("role mayor")
    assert table.asked == (A, "D-MAY-PICK")
    assert table.san_juan(B) == "*"
    empty = scene(IDLE, board(city="villa"), options=NOBLES).play("role mayor")
    assert empty.san_juan(B) == ""


@cites("E-41", "zoning_office", "R-79")
def test_e_41_a_zoning_office_favours_small_or_large_buildings() -> None:
    for staff, factory, fortress in (("+", 6, 10), ("*", 7, 8), ("", 7, 10)):
        buyer = board(doubloons=20, city=f"zoning_office{staff}")
        table = scene(IDLE, buyer, options=NOBLES).play("role builder").until(B, "D-BLD")
        assert 20 - table.copy().play("build factory").doubloons(B) == factory
        assert 20 - table.copy().play("build fortress").doubloons(B) == fortress


@cites("R-79", "zoning_office")
def test_r_79_the_statue_is_of_column_four_and_the_jeweler_of_column_three() -> None:
    for staff, statue, jeweler in (("+", 10, 7), ("*", 8, 8)):
        buyer = board(doubloons=20, city=f"zoning_office{staff}")
        table = scene(IDLE, buyer, options=EVERYTHING).play("role builder").until(B, "D-BLD")
        assert 20 - table.copy().play("build statue").doubloons(B) == statue
        assert 20 - table.copy().play("build jeweler").doubloons(B) == jeweler


# --- hunting lodge ---------------------------------------------------------------------------------------------------


def islands(*tiles: int) -> list[str]:
    """Islands of so many tiles."""
    kinds = ("indigo", "sugar", "tobacco", "coffee")
    return [f"{kind} " * number for kind, number in zip(kinds, tiles, strict=True)]


@cites("hunting_lodge", "R-75", "R-76", "hunting lodge / land office (N) + occupied tile")
def test_r_75_a_colonist_in_the_hunting_lodge_discards_a_tile_for_free() -> None:
    owner = board(island="corn+ coffee quarry", city="hunting_lodge+")
    table = scene(owner, row="sugar", options=NOBLES).play("role settler", "pass", "pass", "pass", "pass")
    assert table.asked == (A, "D-SET-LODGE")
    assert table.moves == {"unplant corn colonist", "unplant coffee", "pass"}
    table.play("unplant corn colonist")
    assert (table.island(A), table.san_juan(A), table.doubloons(A)) == ("coffee quarry", "+", 0)
    assert table.document["plantations"]["discarded"]["corn"] == 1


@cites("hunting_lodge")
def test_an_empty_hunting_lodge_or_one_without_plantations_does_nothing() -> None:
    for owner in (board(island="corn", city="hunting_lodge"), board(island="quarry", city="hunting_lodge+")):
        table = scene(owner, row="sugar", options=NOBLES).play("role settler", "pass", "pass", "pass", "pass")
        assert table.decision == "D-ROLE"
        assert table.vp(A) == 0


@cites("hunting_lodge", "R-75")
def test_r_75_a_noble_in_the_hunting_lodge_pays_for_the_most_empty_spaces() -> None:
    a, b, c, d = islands(5, 3, 2, 5)
    seats = (board(island=a), board(island=b), board(island=c, city="hunting_lodge*"), board(island=d))
    assert scene(*seats, options=NOBLES).play("role settler").rest().vp(C) == 2
    tied = (board(island=a), board(island="sugar sugar"), board(island=c, city="hunting_lodge*"), board(island=d))
    assert scene(*tied, options=NOBLES).play("role settler").rest().vp(C) == 0


@cites("R-75")
def test_r_75_an_earlier_discard_counts_for_a_later_comparison() -> None:
    a, b, c, d = islands(5, 3, 2, 5)
    seats = (
        board(island=a),
        board(island=b, city="hunting_lodge+"),
        board(island=c, city="hunting_lodge*"),
        board(island=d),
    )
    table = scene(*seats, options=NOBLES).play("role settler").until(B, "D-SET-LODGE").play("unplant sugar")
    assert table.vp(C) == 0  # both have ten empty spaces now


@cites("R-75")
def test_r_75_the_lodge_comes_before_the_row_is_discarded() -> None:
    table = scene(board(island="corn", city="hunting_lodge+"), row="sugar", options=NOBLES)
    table.play("role settler").until(A, "D-SET-LODGE")
    assert table.document["plantations"]["face_up"] == ["sugar"]


@cites("R-76")
def test_r_76_a_noble_on_a_removed_tile_goes_to_san_juan() -> None:
    table = scene(board(island="corn* corn", city="hunting_lodge+"), row="sugar", options=NOBLES)
    table.play("role settler").until(A, "D-SET-LODGE")
    assert table.moves == {"unplant corn", "unplant corn noble", "pass"}
    table.play("unplant corn noble")
    assert (table.island(A), table.san_juan(A)) == ("corn", "*")


@cites("R-71")
def test_r_71_two_jewelers_are_in_every_game_and_never_drafted() -> None:
    assert scene(seats=2, options=NOBLES).document["supply"]["buildings"]["jeweler"] == 2
    display = fresh(4, expansions=["nobles"], nobles_setup="draft")["supply"]["buildings"]
    assert display["jeweler"] == 2
    assert "royal_garden" not in display


def test_nobles_are_a_point_each() -> None:  # rules 5.3
    assert scene(board(island="corn*", san_juan="**"), options=NOBLES).total(A) == 3
    assert scene(board(san_juan="+"), options=NEW_BUILDINGS).total(A) == 0

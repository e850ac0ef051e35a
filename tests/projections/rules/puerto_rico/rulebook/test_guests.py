"""The guesthouse and its windows: rules 3.11, 4.5, E-32, R-65, R-66."""

import pytest

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import all_tiles_out, scene
from tests.support.puerto_rico.scenes import EVERYTHING, NEW_BUILDINGS, A, B, C, Scene, board

IDLE = board()
HOST = board(city="guesthouse+ harbor")
NO_ROOM = {5: ("corn", 1), 6: ("indigo", 1), 7: ("sugar", 1)}  # for coffee and tobacco
GUEST = "D-GUEST"


def asked_at(table: Scene, role: str) -> list[tuple[int | None, str | None]]:
    """Every decision from this choice of a role to the next, all declined."""
    found = []
    table.play(f"role {role}")
    while table.decision != "D-ROLE":
        found.append(table.asked)
        listed = table.moves
        table.play(next(text for text in ("stay", "draw", "pass", "store", min(listed)) if text in listed))
    return found


@cites("guesthouse")
def test_gw_1_before_every_choice_from_the_player_about_to_choose() -> None:
    table = scene(HOST, IDLE, HOST, options=NEW_BUILDINGS).play("role prospector")
    assert table.asked == (A, GUEST)  # GW-2
    table.play("stay").play("stay")
    assert table.asked == (C, GUEST)  # GW-1, B is about to choose
    assert table.play("stay").asked == (A, GUEST)
    assert table.play("stay").asked == (B, "D-ROLE")


@cites("guesthouse")
def test_gw_2_comes_after_the_doubloons_and_before_the_phase() -> None:
    host = board(city="guesthouse+ library")
    table = scene(host, options=NEW_BUILDINGS, cards={"prospector": 1}).play("role prospector")
    assert (table.asked, table.doubloons(A)) == ((A, GUEST), 1)
    assert table.play("guest library").doubloons(A) == 3


@cites("guesthouse")
def test_gw_2_is_not_asked_in_a_mayor_phase() -> None:
    host = board(city="guesthouse+ harbor indigo_plant")
    assert scene(host, options=NEW_BUILDINGS).play("role mayor").asked == (A, "D-MAY-PLACE")


@pytest.mark.parametrize(
    ("role", "windows"), [("builder", 2), ("trader", 2), ("craftsman", 2), ("captain", 3), ("settler", 3)]
)
@cites("guesthouse", "R-65")
def test_gw_3_comes_with_every_own_turn(role: str, windows: int) -> None:
    """GW-2 and GW-3 in every phase; GW-6 of a settler phase, GW-8 of a captain phase. Then GW-1 of the next choice."""
    table = scene(IDLE, HOST, row="corn corn", options=NEW_BUILDINGS)
    assert asked_at(table, role).count((B, GUEST)) == windows + 1


@cites("guesthouse")
def test_gw_3_comes_before_every_loading_turn() -> None:
    host = board(city="guesthouse+ harbor", goods="corn=1 indigo=1")
    table = scene(IDLE, host, options=NEW_BUILDINGS).play("role captain", "stay")
    assert table.asked == (B, GUEST)
    table.play("stay", "ship corn 5")
    assert table.asked == (B, GUEST)
    table.play("guest harbor", "ship indigo 6")
    assert table.vp(B) == 1 + 2  # the harbor counts for the second loading


@cites("guesthouse")
def test_gw_4_comes_after_the_tile_of_the_hacienda() -> None:
    host = board(city="guesthouse+ hacienda+ hospice")
    table = scene(host, row="corn corn", options=NEW_BUILDINGS).play("role settler", "stay", "stay", "draw")
    assert table.asked == (A, GUEST)
    table.play("guest hospice", "take corn")
    assert "corn+" in table.island(A)


@cites("guesthouse", "library")
def test_gw_5_comes_before_the_take_of_a_library_occupied_or_not() -> None:
    host = board(city="guesthouse+ library")
    table = scene(host, row="corn sugar", options=NEW_BUILDINGS)
    table.play("role settler", "stay", "stay", "take corn", "pass", "pass", "pass")
    assert table.asked == (A, GUEST)
    table.play("guest library")
    assert table.asked == (A, "D-SET-LIB")


@cites("guesthouse", "hunting_lodge")
def test_gw_6_comes_before_the_hunting_lodges() -> None:
    host = board(island="coffee", city="guesthouse+ hunting_lodge")
    table = scene(host, row="corn sugar", options=EVERYTHING)
    table.play("role settler", "stay", "stay", "pass", "pass", "pass", "pass")
    assert table.asked == (A, GUEST)
    assert table.play("guest hunting_lodge").asked == (A, "D-SET-LODGE")


@cites("guesthouse", "library + guesthouse", "R-45")
def test_gw_7_comes_before_the_privilege_of_the_craftsman() -> None:
    host = board(island="corn+ indigo+", city="guesthouse+ library small_indigo_plant+")
    table = scene(host, options=NEW_BUILDINGS).play("role craftsman", "stay", "stay")
    assert table.asked == (A, GUEST)
    table.play("guest library")
    assert "bonus corn indigo" in table.moves


@cites("E-32", "guesthouse", "storehouse", "library", "library + guesthouse")
def test_e_32_a_guest_to_the_storehouse_and_a_guest_to_the_library() -> None:
    host = board(goods="coffee=4", city="guesthouse++ storehouse library")
    table = scene(IDLE, host, ships=NO_ROOM, options=NEW_BUILDINGS).play("role captain", "stay", "stay")
    assert table.asked == (B, GUEST)  # GW-8: loading is over
    table.play("guest storehouse")
    assert table.goods(B) == "coffee=4"  # 1 + 3
    table.play("stay", "role trader", "guest library", "sell coffee")
    assert table.doubloons(B) == 4 + 2
    assert table.city(B) == "guesthouse library+ storehouse+"


@cites("guesthouse", "R-51")
def test_gw_9_comes_between_two_uses_of_a_trader_turn() -> None:
    host = board(goods="sugar=1", city="guesthouse+ land_office")
    table = scene(IDLE, host, options=EVERYTHING).play("role trader", "stay", "stay", "sell sugar")
    assert table.asked == (B, GUEST)
    table.play("guest land_office")
    assert table.asked == (B, "D-TRD")
    assert table.moves == {"plant", "pass"}


@cites("R-51", "guesthouse")
def test_r_51_a_guest_may_open_a_trading_post_while_the_house_is_full() -> None:
    host = board(goods="sugar=1", city="guesthouse+ trading_post")
    table = scene(board(goods="coffee=1"), host, house=("corn", "indigo", "tobacco"), options=NEW_BUILDINGS)
    table.play("role trader", "stay", "sell coffee")
    assert table.asked == (B, GUEST)
    assert table.play("guest trading_post").moves == {"sell sugar trading_post", "pass"}


@pytest.mark.parametrize("window", [True, False])
@cites("R-66", "guesthouse")
def test_gw_10_a_guest_may_occupy_a_large_building_before_scoring(window: bool) -> None:
    host = board(city="guesthouse+ fortress", island="corn+ corn+")
    table = scene(IDLE, host, ends=["city"], options={**NEW_BUILDINGS, "final_guest_window": window})
    for role in ("prospector", "captain", "trader"):
        table.play(f"role {role}").rest()
    table.play("role craftsman", "stay", "stay")
    if window:
        assert table.asked == (B, GUEST)
        table.play("guest fortress")
    assert table.over
    assert table.bonus(B, "fortress") == (1 if window else None)


@cites("guesthouse", "R-65")
def test_both_guests_may_move_together_or_apart() -> None:  # rules 4.3
    host = board(island="corn quarry", city="guesthouse++ harbor")
    table = scene(host, options=NEW_BUILDINGS).play("role prospector")
    assert {
        "guest corn",
        "guest quarry",
        "guest harbor",
        "guest corn quarry",
        "guest corn harbor",
        "guest quarry harbor",
        "stay",
        "stay phase",
    } <= table.moves
    table.play("guest corn harbor")
    assert (table.island(A), table.city(A)) == ("corn+ quarry", "guesthouse harbor+")


@cites("guesthouse", "R-19")
def test_a_noble_may_be_a_guest() -> None:
    table = scene(board(city="guesthouse* chapel"), options=EVERYTHING).play("role craftsman", "guest noble@chapel")
    assert table.vp(A) == 1


@cites("guesthouse")
def test_without_guest_or_empty_circle_nobody_is_asked() -> None:  # rules 3.11
    for city in ("guesthouse harbor", "guesthouse+ harbor+"):
        table = scene(board(city=city), options=NEW_BUILDINGS).play("role prospector")
        assert table.asked == (B, "D-ROLE")


@cites("R-65")
def test_r_65_coarse_windows_are_fewer() -> None:
    host = board(city="guesthouse+ hacienda+ harbor")
    fine = asked_at(scene(host, row="corn corn", options=NEW_BUILDINGS), "settler").count((A, GUEST))
    coarse_options = {**NEW_BUILDINGS, "guest_windows": "coarse"}
    coarse = asked_at(scene(host, row="corn corn", options=coarse_options), "settler").count((A, GUEST))
    assert (fine, coarse) == (4 + 1, 2 + 1)  # GW-2, 3, 4, 6 or GW-2, 3; and GW-1


@cites("R-65", "R-40")
def test_r_65_no_window_between_a_purchase_and_its_effects() -> None:
    host = board(doubloons=20, city="guesthouse+ church university")
    table = scene(host, options=NEW_BUILDINGS).play("role builder", "stay", "stay", "build harbor")
    assert (table.vp(A), table.city(A)) == (0, "church guesthouse+ harbor university")


@cites("guesthouse")
def test_a_guest_owner_may_stay_until_the_end_of_the_phase() -> None:
    host = board(city="guesthouse+ harbor", goods="corn=1 indigo=1 sugar=1")
    table = scene(IDLE, host, options=NEW_BUILDINGS).play("role captain", "stay phase")
    assert table.asked == (B, "D-CAP-LOAD")  # not asked at his turn
    table.play("ship corn 5")
    assert table.asked == (B, "D-CAP-LOAD")
    table.play("ask_guests")  # and may take it back
    assert table.asked == (B, GUEST)
    table.play("guest harbor", "ship indigo 6")  # the sugar can only go on the last ship then
    assert table.vp(B) == 1 + 2 + 2


@cites("guesthouse")
def test_asking_again_opens_the_window_just_before_a_decision() -> None:
    host = board(doubloons=5, city="guesthouse+ church")
    table = scene(IDLE, host, options=NEW_BUILDINGS).play("role builder", "stay phase", "pass")
    assert table.asked == (B, "D-BLD")
    assert table.play("ask_guests").asked == (B, GUEST)
    assert table.play("guest church", "build office").vp(B) == 1


@cites("guesthouse")
def test_a_forced_pass_does_not_close_the_window_before_it() -> None:
    table = all_tiles_out("guesthouse+ hacienda+ harbor", options=NEW_BUILDINGS).play("role settler", "stay phase")
    assert table.asked == (A, "D-SET-TAKE")  # the hacienda has nothing to draw
    assert table.play("ask_guests").asked == (A, GUEST)
    assert table.play("guest harbor").asked == (A, "D-SET-TAKE")


@cites("guesthouse")
def test_a_guest_sent_to_the_hacienda_late_may_still_draw() -> None:
    host = board(city="guesthouse+ hacienda")
    table = scene(host, row="corn indigo", options=NEW_BUILDINGS).play("role settler", "stay phase")
    assert table.asked == (A, "D-SET-TAKE")
    assert table.play("ask_guests", "guest hacienda").asked == (A, "D-SET-HAC")


@cites("guesthouse")
def test_a_declined_draw_closes_the_window_before_it() -> None:
    host = board(city="guesthouse+ hacienda+ harbor")
    table = scene(host, row="corn indigo", options=NEW_BUILDINGS).play("role settler", "stay phase")
    assert table.asked == (A, "D-SET-HAC")
    assert table.play("pass").asked == (A, "D-SET-TAKE")
    assert table.play("ask_guests").asked == (A, "D-SET-TAKE")


@cites("guesthouse", "R-65")
def test_drawing_the_last_tile_closes_the_window_before_it() -> None:
    options = {**NEW_BUILDINGS, "guest_windows": "coarse"}
    table = all_tiles_out("guesthouse+ hacienda+ harbor", row="corn corn corn corn", options=options)
    table.play("role settler", "stay phase", "draw")
    assert table.asked == (A, "D-SET-TAKE")
    assert table.play("ask_guests").asked == (A, "D-SET-TAKE")


@cites("guesthouse")
def test_staying_ends_with_the_phase() -> None:
    table = scene(HOST, options=NEW_BUILDINGS).play("role prospector", "stay phase")
    assert table.asked == (A, GUEST)  # GW-1 of B's choice


@cites("university / guesthouse + church")
def test_a_guest_on_the_church_does_not_pay_for_the_church_itself() -> None:
    host = board(doubloons=20, city="guesthouse+")
    table = scene(host, options=NEW_BUILDINGS).play("role builder", "build church")
    assert table.vp(A) == 0

"""The mayor phase: rules 3.5, E-1, R-4, R-26 to R-30."""

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import NEW_BUILDINGS, A, B, C, D, board


@cites("E-1")
def test_e_1_the_ship_is_shared_out_from_the_mayor_on() -> None:
    table = scene(colonist_ship=6).play("role mayor")
    assert [table.san_juan(seat) for seat in (A, B, C, D)] == ["+++", "++", "+", "+"]
    assert table.document["colonists"]["ship"] == 4  # refilled: no circle is empty, so the number of players


@cites("R-2", "R-4")
def test_r_4_colonists_are_received_without_asking_and_must_be_placed() -> None:
    table = scene(board(island="corn sugar coffee")).play("role mayor")
    assert table.asked == (A, "D-MAY-PLACE")
    assert table.moves == {"place corn=1 sugar=1", "place corn=1 coffee=1", "place sugar=1 coffee=1"}


def test_people_may_be_moved_from_circle_to_circle() -> None:  # rules 3.5 step 4
    table = scene(board(island="corn+ sugar", city="wharf+ indigo_plant+"), colonist_ship=0, colonists=0).play(
        "role mayor"
    )
    assert "place sugar=1 indigo_plant=2" in table.moves
    table.play("place sugar=1 indigo_plant=2")
    assert (table.island(A), table.city(A)) == ("corn sugar+", "indigo_plant++ wharf")


def test_a_single_possible_placement_is_made() -> None:  # rules 3.5, auto-resolved
    table = scene(board(island="corn", city="wharf")).play("role mayor")
    assert (table.island(A), table.city(A)) == ("corn+", "wharf+")
    assert table.decision == "D-ROLE"


def test_equal_assignments_are_one_option() -> None:  # rules 3.5
    table = scene(board(island="corn corn corn")).play("role mayor")
    assert table.asked == (B, "D-ROLE")  # two colonists on three equal tiles: one way
    assert table.island(A) == "corn corn+ corn+"


def test_surplus_colonists_wait_in_san_juan() -> None:  # rules 3.5 step 4
    assert scene(board(island="corn")).play("role mayor").san_juan(A) == "+"


@cites("R-27")
def test_r_27_guesthouse_circles_are_filled_like_others() -> None:
    table = scene(board(city="guesthouse"), options=NEW_BUILDINGS).play("role mayor")
    assert table.city(A) == "guesthouse++"


@cites("R-27")
def test_r_27_guesthouse_circles_count_for_the_refill() -> None:
    empty = board(city="guesthouse indigo_plant")
    table = scene(board(), empty, options=NEW_BUILDINGS).play("role mayor", "place indigo_plant=1")
    assert table.document["colonists"]["ship"] == 4
    table = scene(board(), empty, board(city="sugar_mill"), options=NEW_BUILDINGS).play(
        "role mayor", "place indigo_plant=1"
    )
    assert table.document["colonists"]["ship"] == 6  # 2 guesthouse, 2 indigo plant, 2 sugar mill


@cites("R-28")
def test_r_28_the_ship_is_refilled_by_empty_circles_of_buildings() -> None:
    crowded = board(island="corn " * 9, city="indigo_plant sugar_mill statue")
    table = scene(crowded, options=NEW_BUILDINGS).play("role mayor", "place corn=2").rest()
    assert table.document["colonists"]["ship"] == 6  # tiles do not count, the statue has no circle


@cites("R-29")
def test_r_29_a_short_supply_goes_on_the_ship_and_ends_the_game() -> None:
    table = scene(colonists=4).play("role mayor")  # one for the privilege, three for a ship of four
    assert table.document["colonists"] == {"supply": 0, "ship": 3}
    assert table.document["ends"] == ["colonists"]


@cites("R-29")
def test_r_29_the_option_leaves_a_short_supply_where_it_is() -> None:
    table = scene(colonists=4, options={"short_ship": "none"}).play("role mayor")
    assert table.document["colonists"] == {"supply": 3, "ship": 0}
    assert table.document["ends"] == ["colonists"]


@cites("R-29")
def test_r_29_a_supply_that_just_suffices_does_not_end_the_game() -> None:
    table = scene(colonists=5).play("role mayor")
    assert table.document["colonists"] == {"supply": 0, "ship": 4}
    assert table.document["ends"] == []


@cites("R-30")
def test_r_30_an_empty_supply_gives_no_privilege() -> None:
    assert scene(colonists=0).play("role mayor").san_juan(A) == "+"


@cites("R-30", "library")
def test_r_30_a_library_takes_the_last_colonist_alone() -> None:
    last = scene(board(city="library+"), colonists=1, options=NEW_BUILDINGS).play("role mayor")
    assert last.san_juan(A) == "++"
    both = scene(board(city="library+"), colonists=9, options=NEW_BUILDINGS).play("role mayor")
    assert both.san_juan(A) == "+++"


@cites("R-30")
def test_r_30_an_empty_supply_alone_does_not_end_the_game() -> None:
    table = scene(board(city="hospice+"), row="corn", colonists=1).play("role settler", "take corn").rest()
    assert table.document["colonists"]["supply"] == 0
    assert table.document["ends"] == []


@cites("R-26")
def test_r_26_placement_is_made_in_phase_order_and_open() -> None:
    waiting = board(island="corn sugar coffee")
    table = scene(waiting, waiting).play("role mayor", "place corn=1 sugar=1")
    assert table.island(A) == "coffee corn+ sugar+"
    assert table.asked == (B, "D-MAY-PLACE")


@cites("R-26")
def test_r_26_simultaneous_placement_is_secret_until_the_last_is_in() -> None:
    waiting = board(island="corn sugar coffee")
    table = scene(waiting, waiting, options={"mayor_placement": "simultaneous"}).play(
        "role mayor", "place corn=1 sugar=1"
    )
    assert table.island(A) == "coffee corn sugar"
    assert table.view(B)["phase"]["sealed_placements"][A] == "sealed"
    assert table.view(A)["phase"]["sealed_placements"][A] == [["corn", 1, 0], ["sugar", 1, 0]]
    table.play("place sugar=1")
    assert (table.island(A), table.island(B)) == ("coffee corn+ sugar+", "coffee corn sugar+")


@cites("R-39", "R-22")
def test_people_in_san_juan_move_in_the_next_mayor_phase() -> None:
    table = scene(board(island="corn", san_juan="+"), colonist_ship=0, colonists=0).play("role mayor")
    assert table.island(A) == "corn+"
    assert table.san_juan(A) == ""

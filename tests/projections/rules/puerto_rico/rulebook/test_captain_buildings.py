"""What buildings do around loading, and storage: rules 3.9, 4.2 to 4.4, E-22, E-31, E-36, R-59 to R-63, R-77."""

from collections import Counter

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import EVERYTHING, NEW_BUILDINGS, NOBLES, A, B, C, Scene, board, counted, counts

IDLE = board()
BLOCKED = {5: ("indigo", 1), 6: ("sugar", 1), 7: ("coffee", 1)}  # no ship for corn and tobacco
NEARLY_FULL = {5: ("corn", 4), 6: ("indigo", 5), 7: ("sugar", 6)}


# --- first-turn effects ----------------------------------------------------------------------------------------------


@cites("E-36", "union_hall")
def test_e_36_a_union_hall_pays_for_pairs_before_loading() -> None:
    table = scene(IDLE, board(goods="corn=3 indigo=2 coffee=1", city="union_hall+"), options=NEW_BUILDINGS)
    table.play("role captain")
    assert (table.vp(B), table.goods(B)) == (2, "corn=3 indigo=2 coffee=1")
    assert table.asked == (B, "D-CAP-LOAD")
    empty = scene(IDLE, board(goods="corn=3 indigo=2 coffee=1", city="union_hall"), options=NEW_BUILDINGS)
    assert empty.play("role captain").vp(B) == 0


@cites("R-59", "union_hall")
def test_r_59_first_turn_effects_come_even_to_who_cannot_load() -> None:
    owner = board(goods="tobacco=4", city="union_hall+")
    table = scene(owner, ships=BLOCKED, options=NEW_BUILDINGS).play("role captain")
    assert table.vp(A) == 2
    assert table.asked == (A, "D-CAP-STORE")


@cites("R-59", "R-77", "union hall + royal supplier", "royal_supplier")
def test_r_59_the_union_hall_comes_before_the_royal_supplier() -> None:
    owner = board(goods="corn=2 sugar=2", city="union_hall+ royal_supplier*", san_juan="*")
    table = scene(IDLE, owner, options=EVERYTHING).play("role captain")
    assert table.asked == (B, "D-CAP-RS")
    assert table.vp(B) == 2
    assert table.moves == {"supply", "supply corn", "supply sugar", "supply corn sugar"}
    table.play("supply corn sugar")
    assert (table.vp(B), table.goods(B)) == (4, "corn=1 sugar=1")


@cites("R-77", "royal_supplier")
def test_r_77_a_royal_supplier_takes_different_kinds_up_to_the_nobles() -> None:
    owner = board(goods="corn=2 sugar=2 coffee=1", city="royal_supplier+ harbor*")
    table = scene(IDLE, owner, options=NOBLES).play("role captain")
    assert table.moves == {"supply", "supply corn", "supply sugar", "supply coffee"}
    empty = scene(IDLE, board(goods="corn=2", city="royal_supplier harbor*"), options=NOBLES).play("role captain")
    assert empty.decision != "D-CAP-RS"
    alone = scene(IDLE, board(goods="corn=2", city="royal_supplier+"), options=NOBLES).play("role captain")
    assert alone.decision != "D-CAP-RS"  # no nobles, nothing to decide


@cites("R-77", "royal supplier + harbor / lighthouse / captain", "R-55")
def test_r_77_handing_in_is_no_loading_and_earns_no_bonus() -> None:
    owner = board(goods="tobacco=2", city="royal_supplier* harbor+ lighthouse+")
    table = scene(owner, ships=BLOCKED, options=EVERYTHING).play("role captain", "supply tobacco")
    assert table.vp(A) == 1  # no privilege, no harbor
    assert table.doubloons(A) == 1  # the captain's lighthouse at the end of loading, nothing for the supply
    assert table.goods(A) == "tobacco=1"


# --- lighthouse ------------------------------------------------------------------------------------------------------


@cites("lighthouse")
def test_a_lighthouse_pays_for_each_loading() -> None:  # rules 4.3
    loader = board(goods="corn=1 sugar=1", city="lighthouse+")
    table = scene(IDLE, loader, options=NEW_BUILDINGS).play("role captain", "ship corn 5")
    assert table.doubloons(B) == 1
    assert table.play("ship sugar 6").doubloons(B) == 2
    empty = scene(IDLE, board(goods="corn=1 sugar=1", city="lighthouse"), options=NEW_BUILDINGS)
    assert empty.play("role captain", "ship corn 5").doubloons(B) == 0


@cites("R-60", "lighthouse")
def test_r_60_the_captain_gets_one_more_with_his_first_loading() -> None:
    loader = board(goods="corn=1 sugar=1", city="lighthouse+")
    table = scene(loader, options=NEW_BUILDINGS).play("role captain", "ship corn 5")
    assert table.doubloons(A) == 2
    assert table.play("ship sugar 6").doubloons(A) == 3


@cites("R-60", "R-43", "lighthouse")
def test_r_60_a_captain_who_loads_nothing_still_gets_it() -> None:
    assert scene(board(city="lighthouse+"), options=NEW_BUILDINGS).play("role captain").doubloons(A) == 1
    assert scene(IDLE, board(city="lighthouse+"), options=NEW_BUILDINGS).play("role captain").doubloons(B) == 0
    assert scene(board(city="lighthouse"), options=NEW_BUILDINGS).play("role captain").doubloons(A) == 0


@cites("R-60", "library + lighthouse (as captain)", "library")
def test_r_60_the_library_does_not_double_the_lighthouse() -> None:
    loader = board(goods="corn=1", city="lighthouse+ library+")
    table = scene(loader, options=NEW_BUILDINGS).play("role captain", "ship corn 5")
    assert (table.doubloons(A), table.vp(A)) == (2, 3)


@cites("R-60", "guesthouse")
def test_r_60_a_lighthouse_occupied_late_gives_no_extra_doubloon() -> None:
    loader = board(goods="corn=1 sugar=1", city="lighthouse guesthouse+")
    table = scene(loader, options=NEW_BUILDINGS).play("role captain", "stay", "stay", "ship corn 5")
    assert table.asked == (A, "D-GUEST")  # his second turn
    table.play("guest lighthouse", "ship sugar 6")
    assert table.doubloons(A) == 1  # for the second loading


@cites("R-60", "guesthouse")
def test_r_60_a_guest_may_reach_an_idle_captains_lighthouse() -> None:
    table = scene(board(city="lighthouse guesthouse+"), options=NEW_BUILDINGS).play("role captain", "stay", "stay")
    assert table.asked == (A, "D-GUEST")  # GW-8
    assert table.play("guest lighthouse").doubloons(A) == 1


# --- storage ---------------------------------------------------------------------------------------------------------


def loaded(city: str, goods: str) -> Scene:
    """A has loaded all goods that the ships accept; these goods are left."""
    owned = counts(goods)
    taken = {good: 1 for good, _ in NEARLY_FULL.values() if owned[good]}
    owner = board(goods=counted(owned + Counter(taken)), city=city)
    table = scene(owner, ships=NEARLY_FULL, options=NEW_BUILDINGS).play("role captain")
    while table.decision == "D-CAP-LOAD":
        table.play(min(table.moves))
    return table


def storing(city: str, goods: str) -> set[str]:
    """Returns the goods that a seat may store because no ship accepts them."""
    table = loaded(city, goods)
    assert table.asked == (A, "D-CAP-STORE")
    return table.moves


@cites("R-61")
def test_r_61_everybody_keeps_one_good_and_may_keep_less() -> None:
    assert storing("", "corn=2 indigo=1") == {"store", "store corn=1", "store indigo=1"}


@cites("R-61")
def test_r_61_what_fits_is_kept_without_asking() -> None:
    alone = loaded("", "corn=1")
    assert (alone.goods(A), alone.decision) == ("corn=1", "D-ROLE")
    assert loaded("small_warehouse+", "corn=4").goods(A) == "corn=4"


@cites("small_warehouse")
def test_a_small_warehouse_keeps_one_kind_besides_the_usual_good() -> None:  # rules 4.2
    allowed = storing("small_warehouse+", "corn=3 indigo=3 sugar=2")
    assert "store corn=3 indigo=1" in allowed
    assert "store corn=1 sugar=2" in allowed
    assert "store corn=3 indigo=2" not in allowed
    assert "store corn=3 indigo=1 sugar=1" not in allowed
    assert storing("small_warehouse", "corn=3 indigo=3") == {"store", "store corn=1", "store indigo=1"}


@cites("large_warehouse")
def test_a_large_warehouse_keeps_two_kinds() -> None:  # rules 4.2
    allowed = storing("large_warehouse+", "corn=3 indigo=3 sugar=2")
    assert "store corn=3 indigo=3 sugar=1" in allowed
    assert "store corn=3 indigo=3 sugar=2" not in allowed
    assert storing("large_warehouse", "corn=3 indigo=3") == {"store", "store corn=1", "store indigo=1"}


@cites("E-22", "small + large warehouse (+ storehouse)")
def test_e_22_both_warehouses_keep_three_kinds_and_one_good() -> None:
    table = loaded("small_warehouse+ large_warehouse+", "corn=3 indigo=2 sugar=2 tobacco=2")
    supply = table.document["supply"]["goods"]["tobacco"]
    assert "store corn=3 indigo=2 sugar=2 tobacco=2" not in table.moves
    table.play("store corn=3 indigo=2 sugar=2 tobacco=1")
    assert table.goods(A) == "corn=3 indigo=2 sugar=2 tobacco=1"
    assert table.document["supply"]["goods"]["tobacco"] == supply + 1


@cites("E-31", "R-62", "storehouse", "small + large warehouse (+ storehouse)")
def test_e_31_a_storehouse_keeps_three_single_goods_more() -> None:
    allowed = storing("storehouse+ large_warehouse+", "corn=3 indigo=3 sugar=3 tobacco=2")
    assert "store corn=3 indigo=3 sugar=3 tobacco=1" in allowed
    assert "store corn=3 indigo=3 sugar=2 tobacco=2" in allowed
    assert "store corn=3 indigo=3 sugar=3 tobacco=2" not in allowed


@cites("R-62", "storehouse")
def test_r_62_a_storehouse_keeps_three_goods_and_not_three_kinds() -> None:
    allowed = storing("storehouse+", "corn=5 indigo=2")
    assert "store corn=4" in allowed
    assert "store corn=3 indigo=1" in allowed
    assert "store corn=5" not in allowed
    assert storing("storehouse", "corn=5") == {"store", "store corn=1"}


@cites("small + large warehouse (+ storehouse)")
def test_all_three_stores_keep_three_kinds_and_four_goods() -> None:
    allowed = storing("small_warehouse+ large_warehouse+ storehouse+", "corn=3 indigo=3 sugar=3 tobacco=3 coffee=2")
    assert "store corn=3 indigo=3 sugar=3 tobacco=3 coffee=1" in allowed
    assert "store corn=3 indigo=3 sugar=3 tobacco=3 coffee=2" not in allowed


@cites("R-63")
def test_r_63_storage_comes_before_the_ships_are_unloaded() -> None:
    table = loaded("", "corn=2")
    assert table.ships()[0] == (5, "corn", 5)
    table.play("store corn=1")
    assert table.ships()[0] == (5, None, 0)


@cites("R-61")
def test_storage_goes_in_phase_order() -> None:  # rules 3.9 step 6
    owner = board(goods="coffee=2")
    table = scene(IDLE, owner, owner, ships=BLOCKED | {7: ("corn", 1)}).play("role captain")
    assert table.asked == (B, "D-CAP-STORE")
    assert table.play("store coffee=1").asked == (C, "D-CAP-STORE")

"""The craftsman phase: rules 3.7, E-6 to E-8, E-12, E-13, E-24 to E-26, E-34, E-35, R-45 to R-50."""

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import EVERYTHING, NEW_BUILDINGS, A, B, C, board

IDLE = board()


@cites("E-6")
def test_e_6_production_takes_plantations_and_people_in_buildings() -> None:
    maker = board(
        island="corn+ corn+ corn tobacco+ tobacco+ sugar+ sugar+ sugar+ sugar",
        city="tobacco_storage+ sugar_mill+++ small_sugar_mill+",
    )
    table = scene(IDLE, maker).play("role craftsman")
    assert table.goods(B) == "corn=2 sugar=3 tobacco=1"


@cites("E-7", "tobacco_storage")
def test_e_7_the_people_of_a_tobacco_storage_limit_the_tobacco() -> None:
    for people, tobacco in (("++", "tobacco=2"), ("+", "tobacco=1"), ("", "")):
        maker = board(island="tobacco+ tobacco+", city=f"tobacco_storage{people}")
        assert scene(IDLE, maker).play("role craftsman").goods(B) == tobacco


@cites("E-8")
def test_e_8_corn_needs_no_building() -> None:
    assert scene(IDLE, board(island="corn+ corn+ corn")).play("role craftsman").goods(B) == "corn=2"


@cites("small_indigo_plant", "indigo_plant", "small_sugar_mill", "sugar_mill", "coffee_roaster")
def test_production_buildings_make_their_kind_and_nothing_when_empty() -> None:  # rules 4.1
    for building, good in (
        ("small_indigo_plant", "indigo"), ("indigo_plant", "indigo"), ("small_sugar_mill", "sugar"),
        ("sugar_mill", "sugar"), ("coffee_roaster", "coffee"),
    ):  # fmt: skip
        island = f"{good}+ {good}+"
        assert scene(IDLE, board(island=island, city=f"{building}+")).play("role craftsman").goods(B) == f"{good}=1"
        assert scene(IDLE, board(island=island, city=building)).play("role craftsman").goods(B) == ""
        idle_fields = board(island=f"{good} {good}", city=f"{building}+")
        assert scene(IDLE, idle_fields).play("role craftsman").goods(B) == ""


@cites("small_indigo_plant", "indigo_plant")
def test_small_and_large_building_of_a_kind_add_up() -> None:  # rules 4.1
    maker = board(island="indigo+ indigo+ indigo+", city="small_indigo_plant+ indigo_plant+")
    assert scene(IDLE, maker).play("role craftsman").goods(B) == "indigo=2"


FACTORY = board(
    island="corn+ corn+ corn+ coffee+ indigo+ indigo+",
    city="factory+ coffee_roaster+ small_indigo_plant+ indigo_plant+",
)


@cites("E-12", "factory")
def test_e_12_a_factory_pays_for_kinds() -> None:
    table = scene(IDLE, FACTORY).play("role craftsman")
    assert table.goods(B) == "corn=3 indigo=2 coffee=1"
    assert table.doubloons(B) == 2


@cites("E-13", "R-48")
def test_e_13_a_kind_that_is_exhausted_does_not_count_for_the_factory() -> None:
    table = scene(IDLE, FACTORY, goods="corn=0").play("role craftsman")
    assert table.goods(B) == "indigo=2 coffee=1"
    assert table.doubloons(B) == 1


@cites("R-48", "factory")
def test_r_48_the_factory_pays_0_1_2_3_5_for_1_to_5_kinds() -> None:
    makers = (
        ("corn+", "", 0),
        ("corn+ indigo+", "small_indigo_plant+", 1),
        ("corn+ indigo+ sugar+", "small_indigo_plant+ small_sugar_mill+", 2),
        ("corn+ indigo+ sugar+ tobacco+", "small_indigo_plant+ small_sugar_mill+ tobacco_storage+", 3),
        (
            "corn+ indigo+ sugar+ tobacco+ coffee+",
            "small_indigo_plant+ small_sugar_mill+ tobacco_storage+ coffee_roaster+",
            5,
        ),
    )
    for island, city, doubloons in makers:
        assert (
            scene(IDLE, board(island=island, city=f"factory+ {city}")).play("role craftsman").doubloons(B) == doubloons
        )
    assert (
        scene(IDLE, board(island="corn+ indigo+", city="factory small_indigo_plant+"))
        .play("role craftsman")
        .doubloons(B)
        == 0
    )


@cites("R-48")
def test_r_48_the_privilege_good_adds_no_kind() -> None:
    table = scene(board(island="corn+ indigo+", city="factory+ small_indigo_plant+")).play(
        "role craftsman", "bonus corn"
    )
    assert (table.goods(A), table.doubloons(A)) == ("corn=2 indigo=1", 1)


@cites("R-45")
def test_r_45_the_privilege_good_is_of_a_kind_just_produced() -> None:
    table = scene(board(goods="coffee=1", island="corn+ indigo+ sugar+", city="small_indigo_plant+")).play(
        "role craftsman"
    )
    assert table.asked == (A, "D-CRA-PRIV")
    assert table.moves == {"bonus corn", "bonus indigo", "pass"}


@cites("R-45", "R-2")
def test_a_single_possible_privilege_good_is_taken() -> None:  # rules 3.7, auto-resolved
    table = scene(board(island="corn+")).play("role craftsman")
    assert (table.goods(A), table.decision) == ("corn=2", "D-ROLE")


@cites("R-45")
def test_r_45_an_exhausted_kind_gives_no_privilege_good() -> None:
    table = scene(board(island="corn+"), goods="corn=1").play("role craftsman")
    assert (table.goods(A), table.decision) == ("corn=1", "D-ROLE")


def test_who_produces_nothing_has_no_privilege() -> None:  # rules 3.7 step 3
    assert scene(board(goods="corn=1")).play("role craftsman").goods(A) == "corn=1"


@cites("R-46")
def test_r_46_goods_are_handed_out_in_phase_order_aqueduct_included() -> None:
    first = board(island="indigo+", city="aqueduct+ indigo_plant+")
    second = board(island="indigo+ indigo+", city="indigo_plant++")
    table = scene(IDLE, first, second, goods="indigo=3", options=NEW_BUILDINGS).play("role craftsman")
    assert (table.goods(B), table.goods(C)) == ("indigo=2", "indigo=1")


@cites("E-24", "aqueduct")
def test_e_24_an_aqueduct_does_nothing_for_small_buildings() -> None:
    maker = board(island="sugar+", city="aqueduct+ indigo_plant+ small_sugar_mill+")
    assert scene(IDLE, maker, options=NEW_BUILDINGS).play("role craftsman").goods(B) == "sugar=1"


@cites("E-25", "aqueduct")
def test_e_25_an_aqueduct_adds_one_of_each_kind_of_the_large_buildings() -> None:
    maker = board(island="indigo+ sugar+ sugar+ sugar+", city="aqueduct+ indigo_plant+ sugar_mill+++")
    assert scene(IDLE, maker, options=NEW_BUILDINGS).play("role craftsman").goods(B) == "indigo=2 sugar=4"
    empty = board(island="indigo+ sugar+ sugar+ sugar+", city="aqueduct indigo_plant+ sugar_mill+++")
    assert scene(IDLE, empty, options=NEW_BUILDINGS).play("role craftsman").goods(B) == "indigo=1 sugar=3"


@cites("E-26", "aqueduct")
def test_e_26_a_small_plant_and_an_idle_mill_get_nothing_from_the_aqueduct() -> None:
    maker = board(island="indigo+", city="aqueduct+ small_indigo_plant+ sugar_mill+")
    assert scene(IDLE, maker, options=NEW_BUILDINGS).play("role craftsman").goods(B) == "indigo=1"


@cites("R-47")
def test_r_47_a_staffed_large_plant_takes_part_in_all_of_its_production() -> None:
    maker = board(island="indigo+", city="aqueduct+ small_indigo_plant+ indigo_plant+")
    assert scene(IDLE, maker, options=NEW_BUILDINGS).play("role craftsman").goods(B) == "indigo=2"


@cites("R-47")
def test_r_47_the_extra_good_needs_a_token_and_comes_at_once() -> None:
    maker = board(island="indigo+", city="aqueduct+ indigo_plant+")
    assert scene(IDLE, maker, goods="indigo=1", options=NEW_BUILDINGS).play("role craftsman").goods(B) == "indigo=1"


@cites("R-47", "aqueduct + library + specialty factory")
def test_r_47_aqueduct_goods_count_for_the_specialty_factory() -> None:
    maker = board(island="indigo+ indigo+", city="aqueduct+ indigo_plant++ specialty_factory+")
    table = scene(IDLE, maker, options=NEW_BUILDINGS).play("role craftsman")
    assert (table.goods(B), table.doubloons(B)) == ("indigo=3", 2)


@cites("E-34", "specialty_factory")
def test_e_34_a_specialty_factory_pays_for_the_kind_received_most() -> None:
    maker = board(
        island="corn+ corn+ corn+ corn+ sugar+ sugar+ sugar+ coffee+ coffee+",
        city="sugar_mill+++ coffee_roaster++ specialty_factory+",
    )
    table = scene(IDLE, maker, options=NEW_BUILDINGS).play("role craftsman")
    assert (table.goods(B), table.doubloons(B)) == ("corn=4 sugar=3 coffee=2", 2)


@cites("specialty_factory", "R-49")
def test_r_49_corn_alone_and_an_empty_specialty_factory_pay_nothing() -> None:
    corn = board(island="corn+ corn+ corn+", city="specialty_factory+")
    assert scene(IDLE, corn, options=NEW_BUILDINGS).play("role craftsman").doubloons(B) == 0
    empty = board(island="indigo+ indigo+", city="indigo_plant++ specialty_factory")
    assert scene(IDLE, empty, options=NEW_BUILDINGS).play("role craftsman").doubloons(B) == 0


GREATEST = board(
    island="indigo+ indigo+ indigo+ indigo+",
    city="specialty_factory+ aqueduct+ library+ indigo_plant+++ small_indigo_plant+",
)


@cites("E-35", "R-49", "library", "aqueduct + library + specialty factory")
def test_e_35_the_specialty_factory_pays_six_at_most() -> None:
    table = scene(GREATEST, options=NEW_BUILDINGS).play("role craftsman", "bonus indigo indigo")
    assert (table.goods(A), table.doubloons(A)) == ("indigo=7", 6)


@cites("R-49")
def test_r_49_the_option_counts_own_production_alone() -> None:
    options = {**NEW_BUILDINGS, "specialty_factory_count": "own_production"}
    table = scene(GREATEST, options=options).play("role craftsman", "bonus indigo indigo")
    assert (table.goods(A), table.doubloons(A)) == ("indigo=7", 3)


@cites("library")
def test_a_library_doubles_the_craftsman_privilege() -> None:  # rules 4.3
    maker = board(island="corn+ indigo+", city="library+ small_indigo_plant+")
    table = scene(maker, options=NEW_BUILDINGS).play("role craftsman")
    assert table.moves == {
        "bonus corn", "bonus indigo", "bonus corn corn", "bonus corn indigo", "bonus indigo indigo", "pass",
    }  # fmt: skip
    empty = scene(board(island="corn+ indigo+", city="library small_indigo_plant+"), options=NEW_BUILDINGS)
    assert empty.play("role craftsman").moves == {"bonus corn", "bonus indigo", "pass"}


@cites("E-44", "chapel", "R-50")
def test_e_44_chapels_pay_whether_their_owner_produces_or_not() -> None:
    table = scene(IDLE, board(city="chapel+"), board(city="chapel*"), options=EVERYTHING).play("role craftsman")
    assert (table.doubloons(B), table.vp(B)) == (1, 0)
    assert (table.doubloons(C), table.vp(C)) == (0, 1)
    empty = scene(IDLE, board(city="chapel"), options=EVERYTHING).play("role craftsman")
    assert (empty.doubloons(B), empty.vp(B)) == (0, 0)


@cites("R-50")
def test_r_50_chapels_come_before_all_production() -> None:
    maker = board(island="corn+ indigo+", city="chapel+ factory+ small_indigo_plant+")
    table = scene(IDLE, maker, board(city="chapel*"), options=EVERYTHING).play("role craftsman")
    names = [fact[0] for fact in table.facts]
    assert names.index("vp_gained") < names.index("goods_produced")


@cites("jeweler")
def test_a_jeweler_pays_for_nobles_anywhere_on_the_board() -> None:  # rules 4.4
    rich = board(island="corn*", city="jeweler+ harbor*", san_juan="*")
    assert scene(IDLE, rich, options=EVERYTHING).play("role craftsman").doubloons(B) == 3
    noble = board(city="jeweler*")
    assert scene(IDLE, noble, options=EVERYTHING).play("role craftsman").doubloons(B) == 1
    empty = board(island="corn*", city="jeweler")
    assert scene(IDLE, empty, options=EVERYTHING).play("role craftsman").doubloons(B) == 0


def test_goods_outside_the_captain_phase_are_not_limited() -> None:  # rules 3.7
    hoard = board(goods="corn=6", island="corn+")
    assert scene(IDLE, hoard).play("role craftsman").goods(B) == "corn=7"

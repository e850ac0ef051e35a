"""The end of the game and the score: rules 5, E-16 to E-20, E-37, E-43, R-80 to R-89."""

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import EVERYTHING, GAME, NEW_BUILDINGS, NOBLES, A, B, D, Scene, board


@cites("E-16", "guild_hall")
def test_e_16_a_guild_hall_counts_production_buildings() -> None:
    city = "guild_hall+ small_indigo_plant indigo_plant coffee_roaster sugar_mill"
    assert scene(board(city=city)).bonus(A, "guild_hall") == 7
    assert scene(board(city="guild_hall small_indigo_plant")).bonus(A, "guild_hall") is None


@cites("E-17", "residence", "R-82")
def test_e_17_a_residence_counts_filled_island_spaces() -> None:
    for tiles, bonus in ((0, 4), (9, 4), (10, 5), (11, 6), (12, 7)):
        island = ("corn+ quarry " + "indigo " * 10).split()[:tiles]
        assert scene(board(island=" ".join(island), city="residence+")).bonus(A, "residence") == bonus
    assert scene(board(island="corn " * 10 + "coffee", city="residence")).bonus(A, "residence") is None


@cites("R-82")
def test_r_82_forests_count_for_the_residence() -> None:
    island = "corn " * 9 + "forest:coffee"
    assert scene(board(island=island, city="residence+"), options=NEW_BUILDINGS).bonus(A, "residence") == 5


@cites("E-18", "fortress", "R-83")
def test_e_18_a_fortress_counts_colonists_anywhere_on_the_board() -> None:
    city = "fortress+ indigo_plant+++ sugar_mill+++ tobacco_storage+++"
    table = scene(board(island="corn+ corn+ corn+ corn+ corn+ corn+", city=city, san_juan="++++++"), ships={})
    assert table.bonus(A, "fortress") == 7  # 22 people
    assert scene(board(city="fortress", san_juan="+++")).bonus(A, "fortress") is None


@cites("R-83", "R-19")
def test_r_83_nobles_count_for_the_fortress_and_whole_threes_only() -> None:
    table = scene(board(city="fortress*", island="corn+ corn*", san_juan="**"), options=NOBLES)
    assert table.bonus(A, "fortress") == 1  # five people


@cites("E-19", "customs_house", "R-86")
def test_e_19_a_customs_house_counts_points_earned_in_play() -> None:
    assert scene(board(vp=23, city="customs_house+ harbor")).bonus(A, "customs_house") == 5
    assert scene(board(vp=23, city="customs_house")).bonus(A, "customs_house") is None


@cites("R-86", "R-81")
def test_r_86_noted_points_count_for_the_customs_house() -> None:
    table = scene(board(vp=20, noted=4, city="customs_house+"), vp=0, ends=["vp"])
    assert table.bonus(A, "customs_house") == 6
    assert table.total(A) == 20 + 4 + 4 + 6


@cites("E-20", "city_hall", "R-85")
def test_e_20_a_city_hall_counts_violet_buildings_and_itself() -> None:
    city = "city_hall+ hacienda construction_hut office large_warehouse harbor residence"
    assert scene(board(city=city)).bonus(A, "city_hall") == 7
    assert scene(board(city="city_hall hacienda")).bonus(A, "city_hall") is None


@cites("R-85", "jeweler + city hall", "R-71")
def test_r_85_the_city_hall_counts_expansion_buildings_but_no_jeweler() -> None:
    city = "city_hall+ church villa royal_garden jeweler small_indigo_plant"
    assert scene(board(city=city), options=EVERYTHING).bonus(A, "city_hall") == 4


@cites("jeweler + guild hall", "R-71")
def test_r_71_a_jeweler_is_a_large_production_building_for_the_guild_hall() -> None:
    assert scene(board(city="guild_hall+ jeweler"), options=NOBLES).bonus(A, "guild_hall") == 2


@cites("E-37", "cloister", "R-84")
def test_e_37_a_cloister_counts_sets_of_three() -> None:
    island = "corn corn corn corn corn corn sugar tobacco tobacco forest:coffee forest:coffee forest:indigo"
    assert scene(board(island=island, city="cloister+"), options=NEW_BUILDINGS).bonus(A, "cloister") == 6
    island = island.replace("sugar", "tobacco")
    assert scene(board(island=island, city="cloister+"), options=NEW_BUILDINGS).bonus(A, "cloister") == 10
    assert scene(board(island=island, city="cloister"), options=NEW_BUILDINGS).bonus(A, "cloister") is None


@cites("R-84")
def test_r_84_sets_of_one_kind_count_separately_and_quarries_too() -> None:
    for island, bonus in (("corn corn", 0), ("quarry quarry quarry", 1), ("corn " * 6, 3), ("indigo " * 12, 10)):
        assert scene(board(island=island, city="cloister+"), options=NEW_BUILDINGS).bonus(A, "cloister") == bonus


@cites("E-43", "royal_garden")
def test_e_43_a_royal_garden_doubles_the_nobles() -> None:
    owner = board(city="royal_garden* harbor*", island="corn*", san_juan="**")
    table = scene(owner, options=NOBLES)
    assert table.bonus(A, "royal_garden") == 5
    assert table.total(A) == 4 + 3 + 5 + 5
    with_colonist = scene(board(city="royal_garden+", san_juan="*"), options=NOBLES)
    assert with_colonist.bonus(A, "royal_garden") == 1
    assert scene(board(city="royal_garden", san_juan="*"), options=NOBLES).bonus(A, "royal_garden") is None


@cites("R-87", "statue")
def test_r_87_a_statue_is_worth_its_printed_eight() -> None:
    assert scene(board(city="statue"), options=NEW_BUILDINGS).total(A) == 8


@cites("R-87", "statue")
def test_r_87_nobody_can_stand_on_a_statue() -> None:
    table = scene(board(city="statue"), options=NEW_BUILDINGS).play("role mayor")
    assert (table.city(A), table.san_juan(A)) == ("statue", "++")


def test_printed_points_count_occupied_or_not() -> None:  # rules 5.3
    assert scene(board(vp=3, city="harbor+ wharf small_market fortress")).total(A) == 3 + 3 + 3 + 1 + 4


def test_doubloons_and_goods_bring_no_points() -> None:  # rules 5.3
    assert scene(board(doubloons=9, goods="coffee=4", island="corn+", san_juan="+")).total(A) == 0


# --- end conditions --------------------------------------------------------------------------------------------------

IDLE = board()


@cites("R-80")
def test_r_80_the_last_point_ends_the_game_though_nobody_is_short() -> None:
    table = scene(board(goods="corn=3"), vp=4).play("role captain", "ship corn 5")
    assert table.document["supply"]["vp_chips"] == 0
    assert table.document["ends"] == ["vp"]


@cites("R-80")
def test_r_80_points_run_out_in_any_phase_or_in_captain_phases_alone() -> None:
    owner = board(city="chapel*")
    anywhere = scene(IDLE, owner, vp=1, options=NOBLES).play("role craftsman")
    assert anywhere.document["ends"] == ["vp"]
    captain_only = scene(IDLE, owner, vp=1, options={**NOBLES, "vp_end_scope": "captain_only"}).play("role craftsman")
    assert captain_only.document["ends"] == []
    captain_only.play("role captain").rest()
    assert captain_only.document["ends"] == ["vp"]


@cites("R-81")
def test_r_81_points_the_supply_lacks_are_noted() -> None:
    table = scene(board(goods="corn=5"), vp=2).play("role captain", "ship corn 5")
    assert (table.player(A)["vp_chips"], table.player(A)["vp_noted"]) == (2, 4)


@cites("R-89")
def test_r_89_the_round_is_played_to_its_end() -> None:
    table = scene(board(goods="corn=3"), vp=4).play("role captain", "ship corn 5").rest()
    assert table.asked == (B, "D-ROLE")
    table.play("role prospector").rest()
    table.play("role trader").rest()
    assert table.asked == (D, "D-ROLE")
    assert GAME.outcome(table.position) is None
    table.play("role craftsman").rest()
    assert table.over
    assert table.document["roles"]["builder"]["doubloons"] == 1  # left over; placed, though irrelevant


@cites("R-88")
def test_r_88_a_tie_goes_to_doubloons_and_goods_and_else_is_shared() -> None:
    rich, poor = board(vp=30, doubloons=4, goods="corn=1"), board(vp=30, doubloons=4)
    table = scene(rich, poor, poor, colonists=0)
    table.play("role mayor").rest()
    assert table.document["ends"] == ["colonists"]
    for role in ("craftsman", "trader", "settler"):
        table.play(f"role {role}").rest()
    result = GAME.outcome(table.position)
    assert result is not None
    assert result.points == (30, 30, 30, 0)
    assert result.tie_break == (5, 4, 4, 0)
    assert result.places == (1, 2, 2, 4)


def test_nothing_else_ends_the_game() -> None:  # rules 5.1
    table = scene(board(island="quarry " * 8), goods="corn=0 indigo=0", pile="")
    table.play("role settler").rest()
    assert table.document["ends"] == []


# --- secrecy ---------------------------------------------------------------------------------------------------------


def points_seen(table: Scene, viewer: int | None) -> list[int | None]:
    """Returns the points of each seat in a view."""
    return [player["vp_chips"] for player in table.view(viewer)["players"]]


@cites("R-90")
def test_r_90_points_are_their_owner_s_secret_and_the_supply_is_open() -> None:
    table = scene(board(vp=7), board(vp=5))
    assert points_seen(table, A) == [7, None, None, None]
    assert points_seen(table, B) == [None, 5, None, None]
    assert points_seen(table, None) == [None] * 4
    assert table.view(None)["supply"]["vp_chips"] == 88
    assert "players[1].vp_chips" in table.view(A)["hides"]


@cites("R-90")
def test_r_90_the_option_shows_all_points() -> None:
    table = scene(board(vp=7), board(vp=5), options={"vp_display": "open"})
    assert points_seen(table, None) == [7, 5, 0, 0]


@cites("R-90")
def test_r_90_points_are_shown_when_the_game_is_over() -> None:
    table = scene(board(vp=7), ends=["city"])
    for role in ("craftsman", "trader", "prospector", "settler"):
        table.play(f"role {role}").rest()
    assert points_seen(table, None) == [7, 0, 0, 0]

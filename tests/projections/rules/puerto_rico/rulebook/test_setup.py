"""What lies on the table before the first choice: rules 1 and 2, for every number of players."""

import pytest

from events.json_types import Json
from projections.rules.errors import BadOptions
from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import fresh, scene
from tests.support.puerto_rico.scenes import GAME, A, B, board

# Rules 1.1: doubloons, starting tiles, VP, colonists in supply and on the ship, ships, row, quarries, face-down pile.
BY_PLAYERS = {
    2: (3, ["indigo", "corn"], 65, 40, 2, [4, 6], 3, 5, 30),
    3: (2, ["indigo", "indigo", "corn"], 75, 55, 3, [4, 5, 6], 4, 8, 43),
    4: (3, ["indigo", "indigo", "corn", "corn"], 100, 75, 4, [5, 6, 7], 5, 8, 41),
    5: (4, ["indigo", "indigo", "indigo", "corn", "corn"], 126, 95, 5, [6, 7, 8], 6, 8, 39),
}


@pytest.mark.parametrize("seats", BY_PLAYERS)
def test_the_table_is_laid_as_the_rules_say(seats: int) -> None:  # rules 1.1, 2.3-2.6
    table = fresh(seats)
    doubloons, tiles, vp, supply, ship, holds, row, quarries, pile = BY_PLAYERS[seats]
    assert [player["doubloons"] for player in table["players"]] == [doubloons] * seats
    assert [[tile["tile"] for tile in player["island"]] for player in table["players"]] == [[tile] for tile in tiles]
    assert table["supply"]["vp_chips"] == vp
    assert (table["colonists"]["supply"], table["colonists"]["ship"]) == (supply, ship)
    assert [ship["capacity"] for ship in table["ships"]] == holds
    assert len(table["plantations"]["face_up"]) == row
    assert table["plantations"]["quarries"] == quarries
    assert sum(table["plantations"]["face_down"].values()) == pile
    assert table["governor"] == A
    assert table["turn"]["seat"] == A
    assert table["turn"]["decision"] == "D-ROLE"


ROLES = ["settler", "mayor", "builder", "craftsman", "trader", "captain"]


@pytest.mark.parametrize(
    ("seats", "prospectors"), [(2, ["prospector"]), (3, []), (4, ["prospector"]), (5, ["prospector_a", "prospector_b"])]
)
def test_the_role_cards_are_as_many_as_the_rules_say(seats: int, prospectors: list[str]) -> None:  # rules 1.1, 1.4
    assert set(fresh(seats)["roles"]) == {*ROLES, *prospectors}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_goods_are_limited(seats: int) -> None:  # rules 1.2
    expected = (8, 9, 9, 7, 7) if seats == 2 else (10, 11, 11, 9, 9)
    assert tuple(fresh(seats)["supply"]["goods"].values()) == expected


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_base_buildings_are_forty_nine(seats: int) -> None:  # rules 1.6, 1.7
    display = fresh(seats)["supply"]["buildings"]
    production = {
        "small_indigo_plant": 4, "small_sugar_mill": 4, "indigo_plant": 3, "sugar_mill": 3, "tobacco_storage": 3,
        "coffee_roaster": 3,
    }  # fmt: skip
    small = [
        "small_market", "hacienda", "construction_hut", "small_warehouse", "hospice", "office", "large_market",
        "large_warehouse", "factory", "university", "harbor", "wharf",
    ]  # fmt: skip
    large = ["guild_hall", "residence", "fortress", "customs_house", "city_hall"]
    assert display == {**production, **dict.fromkeys(small, 2), **dict.fromkeys(large, 1)}
    assert sum(display.values()) == 49


@cites("R-93")
def test_two_players_have_one_copy_of_each_violet_building() -> None:  # rules 2.3, R-93
    display = fresh(2, expansions=["new_buildings"], exp1_selection="all")["supply"]["buildings"]
    production = [
        "small_indigo_plant",
        "small_sugar_mill",
        "indigo_plant",
        "sugar_mill",
        "tobacco_storage",
        "coffee_roaster",
    ]
    assert {display[building] for building in production} == {2}
    assert {copies for building, copies in display.items() if building not in production} == {1}
    assert len(display) == 6 + 17 + 14


@cites("R-1")
@pytest.mark.parametrize(
    ("options", "pool"),
    [
        ({}, 126),
        ({"vp_pool_5p": 122}, 122),
        ({"edition": "classic"}, 122),
        ({"edition": "classic", "vp_pool_5p": 126}, 126),
    ],
)
def test_r_1_five_players_have_126_victory_points_or_122(options: dict[str, Json], pool: int) -> None:
    assert fresh(5, **options)["supply"]["vp_chips"] == pool


@cites("R-1")
def test_r_1_the_pool_of_other_player_counts_has_no_option() -> None:
    assert fresh(4, vp_pool_5p=122)["supply"]["vp_chips"] == 100


@cites("R-7")
def test_r_7_two_players_play_without_three_sugar_plantations() -> None:
    table = fresh(2)
    plantations = table["plantations"]
    total = {kind: plantations["face_down"][kind] + plantations["face_up"].count(kind) for kind in ROW_KINDS}
    assert total == {
        "corn": 6,
        "indigo": 8,
        "sugar": 8,
        "tobacco": 6,
        "coffee": 5,
    }  # rules 1.3, less the starting tiles


ROW_KINDS = ("corn", "indigo", "sugar", "tobacco", "coffee")


@cites("R-8")
def test_r_8_the_bank_never_runs_out() -> None:
    rich = scene(board(doubloons=60), board(doubloons=60))
    assert rich.play("role prospector").doubloons(A) == 61


@cites("R-9")
def test_r_9_only_totals_of_victory_points_exist() -> None:
    table = scene(
        board(doubloons=0, vp=5, city="black_market+"),
        options={"expansions": ["new_buildings"], "exp1_selection": "all"},
    )
    table.play("role builder", "build small_sugar_mill black_market=vp")
    assert table.vp(A) == 4  # no need to own a chip of one


@cites("R-10")
def test_r_10_the_start_player_is_drawn_by_default() -> None:
    assert GAME.read_options({}, 4)["start_player"] == "random"
    assert GAME.read_options({"start_player": "seat_0"}, 4)["start_player"] == "seat_0"
    assert fresh(4)["governor"] == A  # seats are turn order: seat 0 is the start player


@cites("R-11")
def test_r_11_any_tile_left_in_the_pile_may_be_on_top() -> None:
    table = scene(board(city="hacienda+"), row="corn corn", pile="tobacco=1 coffee=1")
    for top in ("tobacco", "coffee"):
        drawn = table.copy().play("role settler", "draw", drew=[top])
        assert drawn.island(A) == top


def test_unknown_options_are_refused() -> None:  # rules 11
    with pytest.raises(BadOptions):
        GAME.read_options({"houses": True}, 4)
    with pytest.raises(BadOptions):
        GAME.read_options({"edition": "golden"}, 4)
    with pytest.raises(BadOptions):
        GAME.read_options({}, 6)


def test_the_balanced_variant_changes_doubloons_and_two_prices() -> None:  # rules 11, variant
    assert [player["doubloons"] for player in fresh(4, variant="balanced")["players"]] == [3, 3, 2, 2]
    assert [player["doubloons"] for player in fresh(5, variant="balanced")["players"]] == [4, 4, 4, 3, 3]
    rich = board(doubloons=20)
    table = scene(rich, rich, options={"variant": "balanced"}).play("role builder", "build university", "build factory")
    assert (table.doubloons(A), table.doubloons(B)) == (20 - 6, 20 - 8)


def test_the_classic_edition_is_a_preset() -> None:  # rules 11
    options = GAME.read_options({"edition": "classic"}, 5)
    assert (options["vp_pool_5p"], options["forest_mode"], options["short_ship"]) == (122, "tile_stack", "none")

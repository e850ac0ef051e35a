"""Which violet buildings are in the game: rules 6.1, 6.2, E-23, R-53, R-67, R-91, R-93."""

import random
from collections import Counter

import pytest

from events.json_types import Json
from projections.rules.errors import BadOptions, ImpossiblePosition
from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import fresh, set_up
from tests.support.puerto_rico.scenes import GAME, A, B, C, D, Scene

PLACES = {  # rules 6.1: cost -> places, candidates
    1: (1, "small_market aqueduct"),
    2: (2, "hacienda construction_hut forest_house black_market"),
    3: (1, "small_warehouse storehouse"),
    4: (1, "hospice guesthouse"),
    5: (2, "office large_market trading_post church"),
    6: (1, "large_warehouse small_wharf"),
    7: (1, "factory lighthouse"),
    8: (2, "university harbor library specialty_factory"),
    9: (1, "wharf union_hall"),
    10: (5, "guild_hall residence fortress customs_house city_hall statue cloister"),
}
COST = {building: cost for cost, (_, names) in PLACES.items() for building in names.split()}
NOBLES = {  # rules 6.2
    "land_office": 2, "chapel": 3, "hunting_lodge": 4, "zoning_office": 5, "royal_supplier": 6, "villa": 7,
    "royal_garden": 10,
}  # fmt: skip
NEW = {
    "aqueduct", "forest_house", "black_market", "storehouse", "guesthouse", "trading_post", "church", "small_wharf",
    "lighthouse", "library", "specialty_factory", "union_hall", "statue", "cloister",
}  # fmt: skip
PRODUCTION = {
    "small_indigo_plant",
    "small_sugar_mill",
    "indigo_plant",
    "sugar_mill",
    "tobacco_storage",
    "coffee_roaster",
}


def drafting(seats: int = 4, **options: Json) -> Scene:
    """A game whose draft has not begun."""
    return Scene(set_up(seats, {"expansions": ["new_buildings"], **options}))


def finish(table: Scene, seed: int) -> Scene:
    """Draft any buildings to the end."""
    source = random.Random(seed)
    while table.decision == "D-DRAFT":
        table.play(source.choice(sorted(table.moves)))
    return table


@cites("E-23")
def test_e_23_a_cost_without_places_is_closed() -> None:
    table = drafting().play("draft black_market", "draft small_market", "draft hacienda")
    assert not {"draft construction_hut", "draft forest_house", "draft aqueduct"} & table.moves
    finish(table, 0)
    assert not {"construction_hut", "forest_house"} & set(table.document["supply"]["buildings"])


@cites("R-91")
def test_r_91_the_start_player_drafts_first_then_clockwise() -> None:
    table = drafting()
    assert table.moves == {f"draft {building}" for building in COST}
    for seat, building in ((A, "church"), (B, "statue"), (C, "wharf"), (D, "office"), (A, "cloister")):
        assert table.asked == (seat, "D-DRAFT")
        table.play(f"draft {building}")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("seats", [2, 4])
@cites("R-91", "R-93")
def test_r_91_seventeen_kinds_fill_the_places_of_their_cost(seats: int, seed: int) -> None:
    table = finish(drafting(seats), seed)
    display = table.document["supply"]["buildings"]
    violet = set(display) - PRODUCTION
    assert Counter(COST[building] for building in violet) == {cost: places for cost, (places, _) in PLACES.items()}
    copies = 1 if seats == 2 else 2
    assert all(display[building] == (1 if COST[building] == 10 else copies) for building in violet)
    assert table.asked == (A, "D-ROLE")


@cites("R-91")
def test_r_91_the_draft_takes_place_with_the_row_turned_up() -> None:
    table = drafting()
    assert len(table.document["plantations"]["face_up"]) == 5
    assert table.document["turn"]["decision"] == "D-DRAFT"


def test_the_draft_is_round_0() -> None:  # rules 6.1
    table = drafting()
    assert table.document["round"] == 0
    finish(table, 0)
    assert (table.document["round"], table.decision) == (1, "D-ROLE")


@pytest.mark.parametrize("selection", ["all", "random"])
def test_without_a_draft_the_game_begins_in_round_1(selection: str) -> None:  # rules 2.1
    assert fresh(4, expansions=["new_buildings"], exp1_selection=selection)["round"] == 1


@pytest.mark.parametrize(("round_", "exp1_selection"), [(1, "draft"), (0, "all")])
def test_a_position_with_the_wrong_round_is_refused(round_: int, exp1_selection: str) -> None:  # rules 6.1
    document = fresh(4, expansions=["new_buildings"], exp1_selection=exp1_selection) | {"round": round_}
    with pytest.raises(ImpossiblePosition, match="round: the draft is round 0, and other rounds count from 1"):
        GAME.restore(document)


@cites("R-91")
def test_r_91_all_buildings_may_be_in_play() -> None:
    display = fresh(4, expansions=["new_buildings"], exp1_selection="all")["supply"]["buildings"]
    assert set(display) == PRODUCTION | set(COST)


@cites("R-91")
def test_r_91_a_fixed_list_is_not_bound_by_the_places() -> None:
    listed: list[Json] = ["small_market", "aqueduct", "statue"]
    display = fresh(3, expansions=["new_buildings"], exp1_selection="fixed_list", violet_buildings=listed)
    assert set(display["supply"]["buildings"]) == PRODUCTION | {"small_market", "aqueduct", "statue"}


@pytest.mark.parametrize("listed", [["small_market", "small_market"], ["sugar_mill"], ["chapel"], ["castle"]])
@cites("R-91")
def test_r_91_a_fixed_list_names_distinct_violet_kinds_of_the_expansions(listed: list[Json]) -> None:
    with pytest.raises(BadOptions):
        fresh(3, expansions=["new_buildings"], exp1_selection="fixed_list", violet_buildings=listed)


@cites("R-91")
def test_r_91_the_dealer_may_draw_the_buildings() -> None:
    display = fresh(4, expansions=["new_buildings"], exp1_selection="random")["supply"]["buildings"]
    violet = set(display) - PRODUCTION
    assert Counter(COST[building] for building in violet) == {cost: places for cost, (places, _) in PLACES.items()}


@cites("R-53")
def test_r_53_office_and_trading_post_exclude_each_other_by_option() -> None:
    table = drafting().play("draft office")
    assert "draft trading_post" in table.moves
    apart = drafting(exclude_office_and_trading_post=True).play("draft office")
    assert "draft trading_post" not in apart.moves
    apart = drafting(exclude_office_and_trading_post=True).play("draft trading_post")
    assert "draft office" not in apart.moves


@cites("R-67")
def test_r_67_the_nobles_are_added_to_what_is_in_play() -> None:
    base = fresh(4, expansions=["nobles"])["supply"]["buildings"]
    assert len(base) == 6 + 17 + 8
    both = finish(drafting(expansions=["new_buildings", "nobles"]), 1).document["supply"]["buildings"]
    assert len(both) == 6 + 17 + 8
    assert set(NOBLES) | {"jeweler"} <= set(both)


@cites("R-67", "R-71")
def test_r_67_the_option_drafts_the_nobles_with_the_others() -> None:
    table = drafting(expansions=["nobles"], nobles_setup="draft")
    base = {building for building in COST if building not in NEW}
    assert table.moves == {f"draft {building}" for building in base | set(NOBLES)}
    finish(table, 2)
    violet = set(table.document["supply"]["buildings"]) - PRODUCTION - {"jeweler"}
    assert Counter({**COST, **NOBLES}[building] for building in violet) == {
        cost: places for cost, (places, _) in PLACES.items()
    }
    assert table.document["supply"]["buildings"]["jeweler"] == 2


def test_drafts_are_moves_in_the_log() -> None:  # rules 6.1
    table = drafting().play("draft church")
    assert ["building_drafted", A, "church"] in table.facts
    assert GAME.outcome(table.position) is None

"""Rounds, role cards and what happens without asking: rules 0.3, 3.1, 3.10, E-5, R-2."""

import pytest

from tests.support.puerto_rico.cited_rules import cites
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import NEW_BUILDINGS, A, B, C, D, board


@cites("E-5")
def test_e_5_a_prospector_takes_the_doubloons_of_the_card_and_his_own() -> None:
    table = scene(cards={"prospector": 2}).play("role prospector")
    assert table.doubloons(A) == 3
    assert table.document["roles"]["prospector"] == {"doubloons": 0, "taken_by": A}


@cites("library")
def test_a_library_doubles_the_prospector() -> None:  # rules 3.10
    assert scene(board(city="library+"), options=NEW_BUILDINGS).play("role prospector").doubloons(A) == 2
    assert scene(board(city="library"), options=NEW_BUILDINGS).play("role prospector").doubloons(A) == 1


def test_two_prospectors_are_two_cards() -> None:  # rules 1.4
    table = scene(seats=5, cards={"prospector_b": 3}).play("role prospector_a")
    assert table.doubloons(A) == 1
    assert table.play("role prospector_b").doubloons(B) == 4


def test_a_round_has_one_card_each_and_pays_those_left_over() -> None:  # rules 3.1
    table = scene(cards={"mayor": 1})
    for seat, role in ((A, "prospector"), (B, "trader"), (C, "captain"), (D, "craftsman")):
        assert table.asked == (seat, "D-ROLE")
        table.play(f"role {role}")
        assert table.document["roles"][role]["taken_by"] == (seat if seat != D else None)
    assert table.asked == (B, "D-ROLE")
    assert table.document["governor"] == B
    assert table.document["round"] == 2
    roles = table.document["roles"]
    assert {role: card["doubloons"] for role, card in roles.items()} == {
        "settler": 1, "mayor": 2, "builder": 1, "craftsman": 0, "trader": 0, "captain": 0, "prospector": 0,
    }  # fmt: skip
    assert {card["taken_by"] for card in roles.values()} == {None}


def test_two_players_take_three_cards_each_in_turn() -> None:  # rules 2.3
    table = scene(seats=2)
    for seat, role in enumerate(("prospector", "trader", "captain", "craftsman", "mayor", "settler")):
        assert table.asked == (seat % 2, "D-ROLE")
        table.play(f"role {role}").rest()
    assert (table.document["governor"], table.document["round"]) == (B, 2)
    assert table.document["roles"]["builder"]["doubloons"] == 1


@pytest.mark.parametrize("city", ["", "guesthouse+ office"])
def test_a_finished_game_keeps_the_round_it_ended_in(city: str) -> None:  # rules 3.1
    table = scene(board(city=city), ends=["city"], options=NEW_BUILDINGS)
    for role in ("craftsman", "trader", "captain", "prospector"):
        assert table.document["round"] == 1
        table.play(f"role {role}").rest()
    assert table.over
    assert table.document["round"] == 1


def test_a_card_taken_is_gone_for_the_round() -> None:  # rules 3.1
    table = scene().play("role prospector")
    refused = table.refusal("role prospector")
    assert refused.rule.startswith("3.1")
    assert refused.sentence


@cites("R-2")
def test_r_2_what_can_only_help_its_owner_is_not_asked() -> None:
    everything = board(
        island="corn+ indigo+", goods="corn=1",
        city="small_indigo_plant+ factory+ specialty_factory+ aqueduct+ large_market+ church+ harbor+ lighthouse+",
    )  # fmt: skip
    table = scene(board(), everything, options=NEW_BUILDINGS, cards={"craftsman": 1}).play("role craftsman")
    assert table.asked == (B, "D-ROLE")  # production, factory and specialty factory ran by themselves
    assert table.goods(B) == "corn=2 indigo=1"
    assert (table.doubloons(A), table.doubloons(B)) == (1, 1)


@cites("R-2")
def test_r_2_using_a_building_is_asked_where_it_may_be_declined() -> None:
    asked = {
        "hacienda": ("settler", "D-SET-HAC"),
        "wharf": ("captain", "D-CAP-LOAD"),
    }
    for building, (role, decision) in asked.items():
        table = scene(
            board(city=f"{building}+", goods="corn=2"),
            row="corn corn",
            ships={5: ("indigo", 1), 6: ("sugar", 1), 7: ("coffee", 1)},
        )
        assert table.play(f"role {role}").asked == (A, decision)
        assert "pass" in table.moves

"""Regulations read and written, and who goes on from stage to stage."""

from collections import Counter

import pytest

from events.json_types import Json, JsonObject
from projections.tournaments.advancement import advancing, is_over
from projections.tournaments.errors import BadRegulations
from projections.tournaments.pairing.designs import DESIGNS, Design, circle, design
from projections.tournaments.pairing.seating import by_bids, by_choice
from projections.tournaments.regulations import read_stage, regulation_warnings, stage_document
from projections.tournaments.standings.schemes import SCHEMES
from projections.tournaments.values import Format
from tests.support.tournaments.random_rounds import Play, a_seed, a_stage, field, meetings


@pytest.mark.parametrize("format_", Format)
def test_a_stage_written_out_in_full_is_read_as_the_same(format_: Format) -> None:
    stage = read_stage({"format": format_.value})
    assert read_stage(stage_document(stage)) == stage


@pytest.mark.parametrize("scheme", [*SCHEMES, {"name": "ours", "places": {"4": [3, 2, "3/2", 0], "3": ["2.5", 1, 0]}}])
def test_schemes_are_written_out_in_full(scheme: Json) -> None:
    stage = a_stage(scheme=scheme, counting=2, advance={"total": 16})
    assert read_stage(stage_document(stage)) == stage


@pytest.mark.parametrize(
    ("where", "change"),
    [
        ("format", {"format": "arena"}),
        ("frmat", {"frmat": 1}),
        ("rounds", {"rounds": 0}),
        ("rounds", {"rounds": True}),
        ("name", {"name": ""}),
        ("sizes", {"sizes": [4, 4]}),
        ("sizes", {"sizes": [6]}),
        ("sizes", {"sizes": []}),
        ("byes", {"byes": "yes"}),
        ("criteria", {"criteria": ["points", "luck"]}),
        ("criteria", {"criteria": ["best"]}),
        ("criteria", {"criteria": ["best:0"]}),
        ("criteria", {"criteria": ["wins:2"]}),
        ("criteria", {"criteria": ["points", "points"]}),
        ("scheme", {"scheme": "gold"}),
        ("scheme", {"scheme": {"name": "ours"}}),
        ("scheme", {"scheme": {"places": {"3": [3, 2, 1]}}}),
        ("scheme.places.4", {"scheme": {"places": {"4": [3, 2, 1]}}}),
        ("scheme.places.4", {"scheme": {"places": {"4": [0, 1, 2, 3]}}}),
        ("scheme.places.3", {"scheme": {"places": {"3": ["1e9", 1, 0]}}}),
        ("scheme.bye", {"scheme": {"name": "powers", "bye": "gift"}}),
        ("advance.total", {"advance": {"total": 0}}),
        ("advance.per_table", {"advance": {"per_table": 1}}),
        ("advance", {"advance": {"everybody": True}}),
        ("advance.per_table", {"format": "knock_out", "advance": {"per_table": 3}}),
        ("ties", {"format": "knock_out", "ties": "shared"}),
        ("byes", {"format": "pods", "byes": True}),
    ],
)
def test_what_does_not_fit_is_refused_with_the_field(where: str, change: JsonObject) -> None:
    with pytest.raises(BadRegulations) as refused:
        read_stage({"format": "swiss", **change})
    assert refused.value.where == where


def test_a_list_that_may_not_separate_is_pointed_out() -> None:
    assert "may_not_separate" in {doubt.code for doubt in regulation_warnings(a_stage(criteria=["points", "wins"]))}
    assert "may_not_separate" not in {doubt.code for doubt in regulation_warnings(a_stage(criteria=["points", "draw"]))}


def test_heats_send_the_best_to_the_semifinal_and_name_alternates() -> None:
    stage = a_stage(format="heats", rounds=3, counting=2, advance={"total": 16})
    play = Play(stage, field(37)).all_rounds()
    going = advancing(stage, play.rounds, play.entrants)
    assert is_over(stage, play.rounds)
    assert (len(going.players), len(going.alternates)) == (16, 21)
    assert all(reason.events for reason in going.reasons if reason.player)


def test_pods_send_their_first_and_the_best_of_the_others() -> None:
    stage = a_stage(format="pods", rounds=3, advance={"per_table": 1, "total": 6})
    play = Play(stage, field(16)).all_rounds()
    going = advancing(stage, play.rounds, play.entrants)
    pods = [frozenset(table.seats) for table in play.rounds[0].tables]
    assert all(pod & set(going.players) for pod in pods)
    assert [reason.code for reason in going.reasons].count("first_of_table") == 4
    assert len(going.players) == 6


def test_who_withdrew_does_not_go_on() -> None:
    stage = a_stage(format="heats", rounds=2, advance={"total": 4})
    play = Play(stage, field(12)).all_rounds()
    first = advancing(stage, play.rounds, play.entrants).players[0]
    left = tuple(e._replace(gone=900) if e.player == first else e for e in play.entrants)
    assert first not in advancing(stage, play.rounds, left).players


def test_a_tie_at_the_line_is_parted_by_lot_and_said() -> None:
    stage = a_stage(format="heats", rounds=1, criteria=["progress"], advance={"total": 4})
    play = Play(stage, field(8)).all_rounds()
    going = advancing(stage, play.rounds, play.entrants)
    assert going.reasons[-1].code == "lots_decided"
    assert advancing(stage, play.rounds, play.entrants) == going


def test_a_knock_out_sends_on_the_first_of_each_table() -> None:
    stage = a_stage(format="knock_out", rounds=1, advance={"per_table": 2})
    play = Play(stage, field(16)).all_rounds()
    assert len(advancing(stage, play.rounds, play.entrants).players) == 8


def test_stages_are_chained_by_the_order_in_which_players_go_on() -> None:
    heats = a_stage(format="heats", rounds=3, advance={"total": 16})
    first = Play(heats, field(37)).all_rounds()
    going = advancing(heats, first.rounds, first.entrants).players
    entrants = tuple(e._replace(seeding=going.index(e.player) + 1) for e in first.entrants if e.player in going)
    final = a_stage(format="knock_out", rounds=9, draw="balanced", seats="choice")
    second = Play(final, entrants).all_rounds()
    assert [len(pairing.tables) for pairing in second.pairings] == [4, 1]
    assert {table.seats[0] for table in second.pairings[0].tables} == set(going[:4])  # the best choose first


@pytest.mark.parametrize("row", [*DESIGNS, circle(8), circle(14)])
def test_in_a_design_any_two_meet_equally_often(row: Design) -> None:
    rounds = [row.tables(number) for number in range(row.rounds)]
    assert all(sorted(seat for table in tables for seat in table) == [*range(row.players)] for tables in rounds)
    pairs = Counter((a, b) for tables in rounds for table in tables for a in table for b in table if a < b)
    assert set(pairs.values()) == {row.meetings}
    assert len(pairs) == row.players * (row.players - 1) // 2


def test_a_design_serves_fewer_rounds_only_where_nobody_meets_twice() -> None:
    assert design([4] * 4, 3) is not None
    assert design([4] * 3, 3) is None
    assert design([4], 3) is None


def test_pairs_of_two_meet_once_each() -> None:
    play = Play(a_stage(format="round_robin", rounds=7, sizes=[2]), field(8)).all_rounds()
    assert set(meetings(play.rounds).values()) == {1}


def test_players_choose_seats_in_turn() -> None:
    assert by_choice(["a", "b", "c"], {"a": [2, 0], "b": [2, 1], "c": [0]}) == ("c", "b", "a")
    assert by_choice(["a", "b", "c"], {"b": [0]}) == ("b", "c", "a")  # an entrant without a wish sits last


def test_seats_are_sold_so_that_they_bring_most() -> None:
    sold = by_bids(["a", "b", "c"], {"a": [6, 5, 0], "b": [6, 0, 0], "c": []}, a_seed(1))
    assert sold.seats == ("b", "a", "c")
    assert sold.paid == (6, 5, 0)


@pytest.mark.parametrize("bids", [[1, 2], [1, 2, -1]])
def test_bids_that_are_no_bids_are_refused(bids: list[int]) -> None:
    with pytest.raises(BadRegulations):
        by_bids(["a", "b", "c"], {"a": bids}, a_seed(1))

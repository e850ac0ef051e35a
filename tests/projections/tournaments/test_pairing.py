"""Pairing: everybody once a round, allowed sizes, meetings within the bound, forbidden pairs apart, fair seats."""

from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.json_types import Json
from projections.tournaments.documents import pairing_document
from projections.tournaments.errors import CannotPair
from projections.tournaments.pairing.pair_round import pair
from projections.tournaments.values import Entrant, Format, Pairing, PairingInput, Player
from tests.support.tournaments.random_rounds import Play, a_seed, a_stage, field, meetings, names

FORMATS: Mapping[Format, Mapping[str, Json]] = {
    Format.HEATS: {"rounds": 4, "counting": 3, "draw": "balanced"},
    Format.SWISS: {"rounds": 5},
    Format.ROUND_ROBIN: {"rounds": 7},
    Format.KNOCK_OUT: {"rounds": 9, "advance": {"per_table": 2}},
    Format.PODS: {"rounds": 4, "draw": "balanced"},
}


def seated(pairing: Pairing) -> list[Player]:
    return [player for table in pairing.tables for player in table.seats]


def check(play: Play) -> None:
    """Asserts the invariants of every paired round."""
    for number, (setting, pairing) in enumerate(zip(play.settings, play.pairings, strict=True)):
        together = [*seated(pairing), *pairing.byes]
        assert len(together) == len(set(together))
        assert set(together) <= setting.present
        if setting.stage.format is not Format.KNOCK_OUT:
            assert set(together) == setting.present
        if setting.stage.format is not Format.PODS:
            assert {len(table.seats) for table in pairing.tables} <= {*setting.stage.sizes.preferred}
        assert not any(pair <= {*table.seats} for pair in setting.forbidden for table in pairing.tables)
        met, now = meetings(play.rounds[:number]), meetings([pairing])
        assert pairing.measures.repeats == sum(met.get(two, 0) for two in now) <= pairing.measures.repeats_bound
        assert pairing.measures.seat_squares <= pairing.measures.seat_squares_bound


@pytest.mark.parametrize("players", [8, 37, 109])
@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_seats_every_field(format_: Format, players: int) -> None:
    play = Play(a_stage(format=format_.value, **FORMATS[format_]), field(players)).all_rounds()
    check(play)
    assert play.pairings[0].measures.sizes.count(3) == {8: 0, 37: 3, 109: 3}[players]  # four before three


@given(st.integers(6, 40), st.integers(0, 10), st.data())
@settings(max_examples=40, deadline=None)
def test_people_come_late_leave_and_must_not_meet(players: int, source: int, data: st.DataObject) -> None:
    play = Play(a_stage(), field(players), source)
    everybody = sorted(names(play.entrants))
    apart = data.draw(st.frozensets(st.frozensets(st.sampled_from(everybody), min_size=2, max_size=2), max_size=3))
    for _ in range(4):
        away = data.draw(st.frozensets(st.sampled_from(everybody), max_size=players - 6))
        with suppress(CannotPair) if len(everybody) - len(away) < 12 else nullcontext():  # few may have no way apart
            play.round(names(play.entrants) - away, apart)
    check(play)


@given(st.integers(3, 60), st.permutations([4, 3, 5]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_sizes_and_byes_are_as_the_setting_has_them(players: int, preferred: list[int], byes: bool) -> None:
    stage, entrants = a_stage(sizes=preferred, byes=byes), field(players)
    setting = PairingInput(stage, (), entrants, names(entrants))
    try:
        pairing = pair(setting, a_seed(0))
    except CannotPair:
        assert not byes
        assert not any(sum(sizes) == players for sizes in sums(preferred, players))
    else:
        assert len(pairing.byes) == min(players - sum(sizes) for sizes in sums(preferred, players))
        most = max(sizes.count(preferred[0]) for sizes in sums(preferred, players - len(pairing.byes), exactly=True))
        assert pairing.measures.sizes.count(preferred[0]) == most


def sums(sizes: list[int], players: int, exactly: bool = False) -> list[tuple[int, ...]]:
    """All ways to make tables of these sizes for up to so many players."""
    ways = [
        (sizes[0],) * first + (sizes[1],) * second + (sizes[2],) * third
        for first in range(players // sizes[0] + 1)
        for second in range(players // sizes[1] + 1)
        for third in range(players // sizes[2] + 1)
    ]
    return [way for way in ways if sum(way) == players or (sum(way) < players and not exactly)]


@given(st.permutations(field(21)))
@settings(max_examples=10, deadline=None)
def test_pairing_depends_on_seed_and_players_not_their_order(entrants: list[Entrant]) -> None:
    play = Play(a_stage(), field(21)).all_rounds(3)
    again = pair(play.settings[-1]._replace(entrants=tuple(entrants)), a_seed(2))
    assert pairing_document(again) == pairing_document(play.pairings[-1])


def test_another_seed_gives_another_pairing() -> None:
    entrants = field(16)
    setting = PairingInput(a_stage(), (), entrants, names(entrants))
    assert pair(setting, a_seed(1)).tables != pair(setting, a_seed(2)).tables


def test_nobody_meets_again_in_a_swiss_of_37_while_that_can_be() -> None:
    play = Play(a_stage(rounds=6), field(37)).all_rounds()
    assert set(meetings(play.rounds).values()) == {1}


def test_equals_meet_in_a_swiss() -> None:
    play = Play(a_stage(rounds=4), field(64)).all_rounds()
    assert all(pairing.measures.floats <= 64 // 4 * pairing.round for pairing in play.pairings)
    leaders = play.pairings[1].tables[0]
    won = [r.code for r in leaders.reasons if r.code == "score_group" and r.says["points"] == "1000"]
    assert len(won) == 4


def test_where_meetings_are_allowed_only_the_score_counts() -> None:
    play = Play(a_stage(rounds=5, again="allow"), field(12)).all_rounds()
    assert [pairing.measures.floats for pairing in play.pairings] == [0] * 5


@pytest.mark.parametrize(("players", "rounds", "times"), [(8, 7, 3), (12, 11, 3), (16, 5, 1), (28, 9, 1)])
def test_in_a_round_robin_everybody_meets_everybody_equally_often(players: int, rounds: int, times: int) -> None:
    play = Play(a_stage(format="round_robin", rounds=rounds), field(players)).all_rounds()
    met = meetings(play.rounds)
    assert len(met) == players * (players - 1) // 2
    assert set(met.values()) == {times}
    assert {pairing.method for pairing in play.pairings} == {"design"}


@pytest.mark.parametrize(("players", "rounds"), [(15, 5), (7, 7), (11, 11)])
def test_with_one_fewer_than_a_design_has_the_meetings_are_still_equal(players: int, rounds: int) -> None:
    met = meetings(Play(a_stage(format="round_robin", rounds=rounds), field(players)).all_rounds().rounds)
    assert len(set(met.values())) == 1


@pytest.mark.parametrize(("players", "rounds"), [(9, 8), (10, 6), (13, 8), (18, 10)])
def test_without_a_design_meetings_differ_by_two_at_most(players: int, rounds: int) -> None:
    met = meetings(Play(a_stage(format="round_robin", rounds=rounds), field(players)).all_rounds().rounds)
    counts = [met.get(frozenset(pair), 0) for pair in combinations(sorted(names(field(players))), 2)]
    assert max(counts) - min(counts) <= 2


def test_a_round_robin_goes_on_when_somebody_leaves() -> None:
    play = Play(a_stage(format="round_robin", rounds=5), field(16))
    play.round()
    play.round(names(play.entrants) - {"a003"})
    check(play)
    assert play.pairings[-1].method == "least_met"
    assert play.pairings[-1].measures.repeats == 0


def test_a_balanced_draw_keeps_the_seeded_apart() -> None:
    play = Play(a_stage(format="heats", draw="balanced"), field(16))
    for table in play.round().tables:
        assert sorted(int(player[1:]) // 4 for player in table.seats) == [0, 1, 2, 3]


@pytest.mark.parametrize(("players", "tables"), [(16, [4, 1]), (64, [16, 4, 1]), (37, [10, 3, 1]), (8, [2, 1])])
def test_a_knock_out_ends_with_one_table(players: int, tables: list[int]) -> None:
    play = Play(a_stage(format="knock_out", rounds=9, advance={"per_table": 1}), field(players)).all_rounds()
    assert [len(pairing.tables) for pairing in play.pairings] == tables


def test_the_best_who_lost_fill_seats_left_empty_in_a_knock_out() -> None:
    play = Play(a_stage(format="knock_out", rounds=9, advance={"per_table": 1}), field(8)).all_rounds()
    filled = [reason for reason in play.pairings[1].reasons if reason.code == "filled_in"]
    assert len(filled) == 1  # two winners cannot play alone at a table of three or four
    assert filled[0].events


def test_somebody_knocked_out_comes_in_for_a_winner_who_left() -> None:
    play = Play(a_stage(format="knock_out", rounds=9, advance={"per_table": 1}), field(16))
    play.round()
    first = play.rounds[0].tables[0]
    assert first.result is not None
    winner = first.seats[first.result.places.index(1)]
    play.round(names(play.entrants) - {winner})
    assert len(seated(play.pairings[1])) == 4
    assert winner not in seated(play.pairings[1])


def test_a_pod_stays_together_and_everybody_sits_everywhere() -> None:
    play = Play(a_stage(format="pods", rounds=4), field(16)).all_rounds()
    pods = [{frozenset(table.seats) for table in pairing.tables} for pairing in play.pairings]
    assert pods[0] == pods[1] == pods[2] == pods[3]
    sat = Counter((player, seat) for r in play.rounds for table in r.tables for seat, player in enumerate(table.seats))
    assert set(sat.values()) == {1}
    assert len(sat) == 64


def test_nobody_sits_out_twice_before_everybody_did() -> None:
    play = Play(a_stage(sizes=[4], rounds=9), field(9)).all_rounds()
    assert sorted(player for pairing in play.pairings for player in pairing.byes) == sorted(names(field(9)))


def test_smaller_tables_go_round() -> None:
    play = Play(a_stage(rounds=6), field(11)).all_rounds()
    small = Counter(p for r in play.rounds for table in r.tables if len(table.seats) == 3 for p in table.seats)
    assert max(small.values()) <= 3  # eighteen small seats for eleven players, and equals are to meet


def test_every_reason_ends_in_events() -> None:
    play = Play(a_stage(rounds=4), field(13)).all_rounds()
    for pairing in play.pairings:
        for table in pairing.tables:
            assert {reason.player for reason in table.reasons} >= set(table.seats)
            assert all(reason.events for reason in table.reasons)


def test_reasons_name_a_meeting_that_was_avoided() -> None:
    play = Play(a_stage(rounds=5), field(37)).all_rounds()
    moved = [r for pairing in play.pairings for t in pairing.tables for r in t.reasons if r.code == "moved"]
    assert any(reason.says["avoids"] for reason in moved)
    assert all(reason.events for reason in moved if reason.says["avoids"])


@pytest.mark.parametrize("players", [0, 1, 2])
def test_too_few_are_refused(players: int) -> None:
    entrants = field(4)
    with pytest.raises(CannotPair):
        pair(PairingInput(a_stage(), (), entrants, frozenset(sorted(names(entrants))[:players])), a_seed(0))


def test_forbidden_pairs_that_leave_no_way_are_named() -> None:
    entrants = field(4)
    apart = frozenset({frozenset({"a000", "a001"})})
    with pytest.raises(CannotPair) as refused:
        pair(PairingInput(a_stage(), (), entrants, names(entrants), apart), a_seed(0))
    assert refused.value.players == ("a000", "a001")


def test_a_stranger_is_not_paired() -> None:
    with pytest.raises(CannotPair, match="not an entrant"):
        pair(PairingInput(a_stage(), (), (Entrant("a", 1, 1),), frozenset({"b"})), a_seed(0))


def test_a_seed_of_another_length_is_refused() -> None:
    with pytest.raises(CannotPair, match="32 bytes"):
        pair(PairingInput(a_stage(), (), field(4), names(field(4))), b"short")


def test_seats_are_left_open_where_players_choose_and_the_best_comes_first() -> None:
    play = Play(a_stage(rounds=2, seats="choice"), field(4)).all_rounds()
    assert play.pairings[0].tables[0].seats == ("a000", "a001", "a002", "a003")
    assert not play.pairings[0].tables[0].settled


def test_balanced_seats_differ_little_even_over_many_rounds() -> None:
    play = Play(a_stage(rounds=8), field(32)).all_rounds()
    assert max(pairing.measures.seat_spread for pairing in play.pairings) <= 3
    assert play.pairings[-1].measures.seat_spread <= 2

"""Standings: computed twice by different code, explained part by part, and by the letter of schemes and tie-breaks."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.json_types import Json
from projections.tournaments.documents import line_document, rounded_text
from projections.tournaments.standings.ranking import standings
from projections.tournaments.values import Bye, Entrant, PlayedTable, Result, Round, Stage, StandingsLine
from tests.support.tournaments import reference_standings
from tests.support.tournaments.random_rounds import Play, a_result, a_seed, a_stage, field, names

CHECKED = [
    "points",
    "wins",
    "opponents",
    "opponents_trimmed",
    "share",
    "best:2",
    "head_to_head",
    "progress",
    "last_round",
    "seeding",
    "draw",
]
SCHEMES: list[Json] = [
    "thousands",
    "powers",
    "even",
    "wins",
    "share",
    {"places": {"3": [9, 4, 1], "4": [9, "4.5", 1, 0]}},
]


def a_table(
    number: int, seats: str, points: Sequence[int], event: int, void: int | None = None, bids: Sequence[int] = ()
) -> PlayedTable:
    """A finished table of players with names of one letter."""
    return PlayedTable(number, tuple(seats), event, "game", a_result(points, event + 1), void, tuple(bids))


def a_round(number: int, *tables: PlayedTable, byes: str = "") -> Round:
    event = 100 * number
    return Round(number, tables, event, a_seed(number), tuple(Bye(player, event) for player in byes))


def entrants(players: str) -> tuple[Entrant, ...]:
    return tuple(Entrant(player, number, number) for number, player in enumerate(players, 1))


def lines(stage: Stage, players: str, *rounds: Round) -> dict[str, StandingsLine]:
    return {line.player: line for line in standings(stage, rounds, entrants(players)).lines}


def figure(line: StandingsLine, criterion: str) -> Fraction:
    return next(one.value for one in line.figures if one.criterion == criterion)


@given(
    st.sampled_from([8, 13, 37]),
    st.sampled_from(SCHEMES),
    st.permutations(CHECKED).map(lambda order: order[:4]),
    st.one_of(st.none(), st.integers(1, 3)),
    st.integers(0, 1000),
    st.data(),
)
@settings(max_examples=40, deadline=None)
def test_independent_code_comes_to_the_same_standings(
    players: int, scheme: Json, criteria: list[str], counting: int | None, source: int, data: st.DataObject
) -> None:
    stage = a_stage(format="heats", rounds=4, scheme=scheme, criteria=criteria, counting=counting)
    play = Play(stage, field(players), source)
    for _ in range(3):
        away = data.draw(st.frozensets(st.sampled_from(sorted(names(play.entrants))), max_size=players - 6))
        play.round(names(play.entrants) - away)
    rounds = list(play.rounds)
    rounds[1] = rounds[1]._replace(
        tables=(rounds[1].tables[0]._replace(void=999), *rounds[1].tables[1:]),
        byes=(*rounds[1].byes, Bye("a000", 998, asked=True)),
    )
    people = (*play.entrants[:-1], play.entrants[-1]._replace(disqualified=True, gone=1000))
    computed = standings(stage, rounds, people)
    assert {line.player: line.rank for line in computed.lines} == reference_standings.ranks(stage, rounds, people)


@given(st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_figures_sum_or_average_parts_that_name_events(source: int) -> None:
    criteria: Json = ["points", "opponents", "share", "head_to_head", "progress", "last_table", "rating", "draw"]
    play = Play(a_stage(criteria=criteria, counting=3), field(14), source).all_rounds(4)
    for line in standings(play.stage, play.rounds, play.entrants).lines:
        for one in line.figures:
            counting = [part.value for part in one.parts if part.counts]
            total = sum(counting, Fraction(0))
            assert one.value in (total, total / max(1, len(counting)))
            assert all(part.events for part in one.parts)


@given(st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_the_criterion_named_is_the_first_that_parts_two_neighbours(source: int) -> None:
    play = Play(a_stage(criteria=["wins", "points", "share"]), field(14), source).all_rounds(3)
    ranked = standings(play.stage, play.rounds, play.entrants).lines
    for above, below in pairwise(ranked):
        differing = [
            one.criterion for one, other in zip(above.figures, below.figures, strict=True) if one.value != other.value
        ]
        assert below.decided_by == (differing[0] if differing else None)
        assert (above.rank == below.rank) == (not differing)


@pytest.mark.parametrize(
    ("scheme", "earned"),
    [
        ("thousands", ["1000", "100", "10", "1"]),
        ("powers", ["16", "8", "4", "2"]),
        ("even", ["6", "4", "2", "0"]),
        ("wins", ["1", "0", "0", "0"]),
        ("share", ["100", "90", "80", "50"]),
        ({"places": {"4": ["7.5", 3, "1/3", 0]}}, ["15/2", "3", "1/3", "0"]),
    ],
)
def test_a_scheme_gives_points_for_places(scheme: Json, earned: list[str]) -> None:
    stage = a_stage(scheme=scheme, sizes=[4])
    table = lines(stage, "abcd", a_round(1, a_table(1, "abcd", [50, 45, 40, 25], 101)))
    assert [str(figure(table[player], "points")) for player in "abcd"] == earned


def test_shared_places_share_their_points() -> None:
    stage = a_stage(criteria=["points", "wins"])
    table = lines(stage, "abcd", a_round(1, a_table(1, "abcd", [50, 50, 40, 40], 101)))
    assert [figure(table[player], "points") for player in "abcd"] == [550, 550, Fraction(11, 2), Fraction(11, 2)]
    assert [figure(table[player], "wins") for player in "abcd"] == [Fraction(1, 2), Fraction(1, 2), 0, 0]
    assert [table[player].rank for player in "abcd"] == [1, 1, 3, 3]


def test_or_each_gets_what_the_best_of_them_is_worth() -> None:
    stage = a_stage(scheme={"name": "thousands", "tied": "full"})
    table = lines(stage, "abcd", a_round(1, a_table(1, "abcd", [50, 50, 40, 40], 101)))
    assert [figure(table[player], "points") for player in "abcd"] == [1000, 1000, 10, 10]


@pytest.mark.parametrize(("ties", "winner"), [("later_seat", "b"), ("seeding", "a")])
def test_regulations_break_ties_after_the_tie_break_of_the_game(ties: str, winner: str) -> None:
    table = lines(a_stage(ties=ties), "abcd", a_round(1, a_table(1, "abcd", [50, 50, 40, 30], 101)))
    assert figure(table[winner], "wins") == 1


def test_the_games_own_tie_break_comes_first() -> None:
    result = a_result([50, 50, 40], 102, ties=[3, 5, 0])
    table = lines(a_stage(), "abc", a_round(1, PlayedTable(1, ("a", "b", "c"), 101, "game", result)))
    assert [table[player].rank for player in "abc"] == [2, 1, 3]


def test_half_points_bid_for_a_seat_are_taken_off_the_score() -> None:
    table = a_table(1, "abc", [50, 48, 30], 101, bids=(5, 0, 1))
    ranked = lines(a_stage(criteria=["points", "score"]), "abc", a_round(1, table))
    assert [figure(ranked[player], "score") for player in "abc"] == [Fraction(95, 2), 48, Fraction(59, 2)]
    assert ranked["b"].rank == 1


def test_who_forfeits_gets_nothing_or_the_points_of_the_last_place() -> None:
    result = a_result([50, 60, 30], 102, forfeited=[1])
    forfeited = a_round(1, PlayedTable(1, ("a", "b", "c"), 101, "game", result))
    assert figure(lines(a_stage(), "abc", forfeited)["b"], "points") == 0
    kind = a_stage(scheme={"name": "thousands", "forfeit": "last"})
    assert figure(lines(kind, "abc", forfeited)["b"], "points") == 10


def test_a_ruling_on_the_places_stands_whatever_the_points_say() -> None:
    ruled = Result((10, 20, 30), (0, 0, 0), (1, 2, 3), 150, ruling="adjudicated")
    table = lines(a_stage(), "abc", a_round(1, PlayedTable(1, ("a", "b", "c"), 101, "game", ruled, bids=(1, 1, 1))))
    assert [table[player].rank for player in "abc"] == [1, 2, 3]
    assert table["a"].figures[0].parts[0].events == (101, 150)


def test_a_void_table_counts_for_nothing() -> None:
    table = lines(a_stage(), "abc", a_round(1, a_table(1, "abc", [3, 2, 1], 101, void=160)))
    assert all(figure(table[player], "points") == 0 for player in "abc")


@pytest.mark.parametrize(
    ("rule", "points"),
    [("win", Fraction(1000)), ("half", Fraction(500)), ("none", Fraction(0)), ("average", Fraction(550))],
)
def test_a_bye_is_worth_what_the_scheme_says(rule: str, points: Fraction) -> None:
    stage = a_stage(scheme={"name": "thousands", "bye": rule}, criteria=["points"])
    rounds = [
        a_round(1, a_table(1, "abc", [3, 2, 1], 101)),
        a_round(2, a_table(1, "bac", [3, 2, 1], 201)),
        a_round(3, byes="a"),
    ]
    part = lines(stage, "abc", *rounds)["a"].figures[0].parts[-1]
    assert (part.what, part.value, part.events) == ("bye", points, (300,))


def test_the_best_results_count_and_the_others_are_shown() -> None:
    stage = a_stage(format="heats", counting=1, criteria=["points", "best:2", "place:2"])
    rounds = [a_round(1, a_table(1, "abc", [3, 2, 1], 101)), a_round(2, a_table(1, "bac", [3, 2, 1], 201))]
    own = lines(stage, "abc", *rounds)["a"]
    assert [one.value for one in own.figures] == [1000, 1100, 1]
    assert [part.value for part in own.figures[0].parts if not part.counts] == [100]


def test_head_to_head_looks_only_at_those_still_tied() -> None:
    stage = a_stage(criteria=["points", "head_to_head"], scheme="wins")
    rounds = [a_round(1, a_table(1, "abc", [9, 5, 1], 101)), a_round(2, a_table(1, "bac", [9, 1, 5], 201))]
    table = lines(stage, "abc", *rounds)
    assert [figure(table[player], "points") for player in "abc"] == [1, 1, 0]
    assert [figure(table[player], "head_to_head") for player in "abc"] == [0, 0, 0]
    assert [part.other for part in table["a"].figures[1].parts] == ["b", "b"]  # c is behind on points


def test_the_table_in_the_last_round_may_decide() -> None:
    stage = a_stage(criteria=["last_table", "last_round"])
    ranked = lines(stage, "abcdef", a_round(1, a_table(1, "abc", [1, 2, 3], 101), a_table(2, "def", [9, 8, 7], 103)))
    assert sorted(ranked, key=lambda player: ranked[player].rank) == ["c", "b", "a", "d", "e", "f"]


def test_lots_part_whom_nothing_else_does() -> None:
    stage = a_stage(criteria=["points", "draw"])
    ranked = lines(stage, "abc", a_round(1, a_table(1, "abc", [5, 5, 5], 101)))
    assert sorted(line.rank for line in ranked.values()) == [1, 2, 3]
    assert {line.decided_by for line in ranked.values()} == {None, "draw"}


def test_disqualified_entrants_are_last_withdrawn_keep_their_rank() -> None:
    people = (Entrant("a", 1, 1, gone=50, disqualified=True), Entrant("b", 2, 2, gone=60), Entrant("c", 3, 3))
    ranked = standings(a_stage(), [a_round(1, a_table(1, "abc", [5, 4, 3], 101))], people).lines
    assert [(line.player, line.rank, line.gone) for line in ranked] == [("b", 1, 60), ("c", 2, None), ("a", 3, 50)]
    assert ranked[-1].decided_by == "disqualified"


def test_before_the_first_round_nobody_is_ahead() -> None:
    ranked = standings(a_stage(criteria=["points"]), [], entrants("abc")).lines
    assert [line.rank for line in ranked] == [1, 1, 1]


def test_numbers_stand_exactly_in_documents_and_rounded_beside() -> None:
    stage = a_stage(scheme={"places": {"4": [1, "1/3", 0, 0], "3": [1, "1/3", 0]}})
    ranked = standings(stage, [a_round(1, a_table(1, "abcd", [5, 4, 3, 2], 101))], entrants("abcd"))
    figures = line_document(ranked.lines[1])["figures"]
    assert isinstance(figures, list)
    assert (figures[0]["value"], figures[0]["shown"]) == ("1/3", "0.33")


@pytest.mark.parametrize(("value", "text"), [("7", "7"), ("1/3", "0.33"), ("-1/8", "-0.13"), ("199/200", "1.00")])
def test_numbers_are_rounded_for_people(value: str, text: str) -> None:
    assert rounded_text(Fraction(value)) == text

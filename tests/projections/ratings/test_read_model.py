"""Ratings: who is rated with whom, exact numbers, the same from the log whenever they are built."""

import hashlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.ratings.model import PEOPLE, PROGRAMS, Placed, Rating, Seat, chained, placed, rate, recomputed

A, B, C, D = (Seat(name, program=False) for name in "abcd")
X, Y = (Seat(name, program=True) for name in "xy")


def test_people_and_programs_of_a_table_are_rated_apart() -> None:
    assert placed([A, X, B, Y], [1, 2, 3, 4]) == {
        PEOPLE: [Placed("a", 1), Placed("b", 2)],
        PROGRAMS: [Placed("x", 1), Placed("y", 2)],
    }


def test_one_person_among_programs_is_not_rated() -> None:
    assert placed([A, X, Y], [1, 2, 3]) == {PROGRAMS: [Placed("x", 1), Placed("y", 2)]}


def test_shared_places_are_shared_in_the_ratings() -> None:
    assert placed([A, B, C], [1, 1, 3]) == {PEOPLE: [Placed("a", 1), Placed("b", 1), Placed("c", 3)]}


def test_who_left_is_behind_all_others_the_first_to_leave_last() -> None:
    seats = [A._replace(gone=20), B, C._replace(gone=12), D]
    assert placed(seats, [1, 2, 3, 4])[PEOPLE] == [Placed("a", 3), Placed("b", 1), Placed("c", 4), Placed("d", 2)]


def test_a_seat_that_changed_hands_is_nobodys() -> None:
    assert placed([A, B._replace(changed=True), C], [3, 1, 2]) == {PEOPLE: [Placed("a", 2), Placed("c", 1)]}


def test_who_sits_in_several_seats_is_not_rated() -> None:
    assert placed([X, X, Y], [1, 2, 3]) == {}


def test_beginners_of_equal_places_stay_equal() -> None:
    after = rate([Rating(), Rating(), Rating()], [1, 1, 1])
    assert len({one.mu for one in after}) == 1


def test_a_first_win_of_two_is_worth_the_same_for_ever() -> None:  # another number is another model: a new version
    winner, loser = rate([Rating(), Rating()], [1, 2])
    assert (winner, loser) == (Rating(27_635_389, 8_065_901), Rating(22_364_611, 8_065_901))


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5))
def test_better_places_never_bring_less_and_equal_ones_the_same(places: list[int]) -> None:
    after = rate([Rating()] * len(places), places)
    for (place, better), (next_place, worse) in pairwise(sorted(zip(places, after, strict=True))):
        assert better.mu > worse.mu if place < next_place else better.mu == worse.mu


@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=2, max_size=5, unique=True), min_size=1, max_size=20))
def test_ratings_are_computed_again_from_their_inputs_exactly(tables: list[list[str]]) -> None:
    inputs = [
        {"players": [{"player": one.player, "place": one.place} for one in placed(seats, places)[PEOPLE]]}
        for table in tables
        for seats, places in [([Seat(player, program=False) for player in table], range(1, len(table) + 1))]
    ]
    once, again = recomputed(inputs), recomputed(inputs)
    assert once == again
    assert all(isinstance(number, int) for rating in once.values() for number in rating)


@pytest.mark.parametrize(
    ("rating", "shown"), [(Rating(), (1500, 500)), (Rating(30_000_000, 2_000_000), (1800, 120)), (Rating(0, 1), (0, 0))]
)
def test_ratings_are_shown_in_round_numbers(rating: Rating, shown: tuple[int, int]) -> None:
    assert (rating.displayed, rating.deviation) == shown


def test_the_hash_of_an_input_is_over_all_before_it() -> None:
    first = chained(b"", b"one")
    assert first == hashlib.sha256(b"cabildo/ratings/v1one").digest()
    assert chained(first, b"two") == hashlib.sha256(b"cabildo/ratings/v1" + first + b"two").digest()

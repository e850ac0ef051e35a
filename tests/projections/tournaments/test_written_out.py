"""Orders and draws of tournaments, written out: a changed label, argument or order makes older archives fail."""

import hashlib
import json
from itertools import islice, permutations
from random import Random
from typing import Any
from uuid import UUID

import pytest

from projections.tournaments.advancement import advancing
from projections.tournaments.pairing import seeds
from projections.tournaments.pairing.designs import DESIGNS, circle
from projections.tournaments.pairing.lottery import Lots
from projections.tournaments.pairing.pair_round import pair
from projections.tournaments.pairing.seating import by_bids
from projections.tournaments.pairing.sizes import lay_out
from projections.tournaments.standings.criteria import Facts
from projections.tournaments.standings.ranking import standings
from projections.tournaments.values import PairingInput, PlayedTable, Round
from tests.support.tournaments.random_rounds import Play, a_result, a_stage, field, names

ID = UUID("01a0c450-6c00-773f-9014-c8bd16af6b67")
SEED = bytes(range(32))
PEOPLE = ("ana", "birgir", "carla", "doru", "eva", "ferenc")
BY_LOT = {
    "tables": ["birgir", "carla", "ana", "ferenc", "eva", "doru"],
    "seats": ["carla", "eva", "doru", "ferenc", "birgir", "ana"],
    "bids": ["birgir", "ana", "ferenc", "eva", "carla", "doru"],
    "design": ["birgir", "eva", "carla", "ferenc", "doru", "ana"],
    "standings": ["ana", "carla", "birgir", "ferenc", "doru", "eva"],
    "advancement": ["eva", "birgir", "doru", "ana", "ferenc", "carla"],
}


PAIRED = {  # two rounds of tables, each as the last figures of its players
    "heats": [["426", "715", "830"], ["748", "532", "061"]],
    "swiss": [["4269", "715", "830"], ["5482", "079", "361"]],
    "round_robin": [["871", "430", "265"], ["746", "051", "382"]],
    "balanced": [["426", "715", "830"], ["732"]],
    "pods": [["246", "157", "038"], ["426", "157", "308"]],
}
TIED = ("a002", "a004", "a000", "a003", "a001", "a005")
DRAWN = [5, 6, 4, 2, 1, 3]


def test_seeds_and_names_of_a_tournament() -> None:
    assert seeds.pairing_seed(ID, SEED, 3, 2).hex() == (
        "0ee94cb2e12e496b545241e7f1ed69ddc22daef61c90dd9526fd7e67e0e71bca"
    )
    assert seeds.regulations_hash({"b": True, "a": [1, None]}).hex() == (
        "b2eb5fa43eec7ee9e953eb3e6e03292a62f6909419ef6b0ec3337777827283c8"
    )
    assert str(seeds.game_of(ID, 3, 2, 5)) == "43f4b742-6308-8c02-9674-664552131f6a"
    assert str(seeds.deal_of(ID, 3, 2)) == "7cd18e70-a52a-8d79-a8f1-816a83dfc8af"


@pytest.mark.parametrize("purpose", BY_LOT)
def test_lots_of_a_purpose(purpose: str) -> None:
    assert Lots(SEED, purpose).shuffled(PEOPLE) == BY_LOT[purpose]


def test_a_lot_and_the_numbers_that_follow() -> None:
    lots = Lots(SEED, "tables")
    assert lots.of("ana").hex() == "6191a2f437c50426367c9df66e58da531b7b8b5d96ecb68787fa0cfdb4ceda6d"
    assert [lots.below(10) for _ in range(6)] == [4, 7, 4, 0, 9, 5]


def test_rotations_of_the_designs() -> None:
    assert [DESIGNS[0].tables(number) for number in range(4)] == [
        [[0, 4, 8], [1, 2, 7], [3, 5, 6]],
        [[1, 5, 8], [2, 3, 0], [4, 6, 7]],
        [[2, 6, 8], [3, 4, 1], [5, 7, 0]],
        [[3, 7, 8], [4, 5, 2], [6, 0, 1]],
    ]
    assert [circle(6).tables(number) for number in range(5)] == [
        [[0, 5], [1, 4], [2, 3]],
        [[1, 5], [2, 0], [3, 4]],
        [[2, 5], [3, 1], [4, 0]],
        [[3, 5], [4, 2], [0, 1]],
        [[4, 5], [0, 3], [1, 2]],
    ]
    rotated = json.dumps([[row.tables(number) for number in range(row.rounds)] for row in DESIGNS])
    assert hashlib.sha256(rotated.encode()).hexdigest() == (
        "03c7809d917d5c041c9ac97ca95984a28b9d2255465c3b83a06b0d26ab577357"
    )


def test_the_order_of_tables_of_each_format() -> None:
    assert {name: tables(name) for name in PAIRED} == PAIRED


STAGES: dict[str, dict[str, Any]] = {
    "heats": {"format": "heats", "sizes": [3], "seats": "random"},
    "swiss": {"format": "swiss", "sizes": [4, 3]},
    "round_robin": {"format": "round_robin", "rounds": 4, "sizes": [3]},
    "balanced": {"format": "knock_out", "sizes": [3], "draw": "balanced", "seats": "random"},
    "pods": {"format": "pods", "rounds": 2, "sizes": [3], "seats": "choice"},
}


def tables(name: str) -> list[list[str]]:
    """Two rounds of nine or ten players, each table as one word of the numbers of its players."""
    play = Play(a_stage(**STAGES[name]), field(10 if name == "swiss" else 9))
    for _ in range(2):
        play.round()
    return [["".join(player[-1] for player in table.seats) for table in one.tables] for one in play.pairings]


def test_smaller_tables_stand_where_they_burden_least() -> None:
    assert lay_out((4, 3, 3), [0] * 10) == (4, 3, 3)
    assert lay_out((4, 3, 3), [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]) == (4, 3, 3)
    assert lay_out((4, 3, 3), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]) == (3, 3, 4)


def test_bids_that_bring_as_much_are_parted_by_lot() -> None:
    assert by_bids(PEOPLE[:3], {}, SEED).seats == ("birgir", "ana", "carla")


def tied() -> tuple[Any, tuple[Round, ...]]:
    """A round in which all entrants share the first place and no criterion separates them."""
    stage = a_stage(rounds=1, sizes=[3], criteria=["points"], advance={"total": 3})
    seats = (("a000", "a001", "a002"), ("a003", "a004", "a005"))
    found = tuple(PlayedTable(at, own, 7, "game", a_result((5, 5, 5), 8 + at)) for at, own in enumerate(seats, 1))
    return stage, (Round(1, found, 7, SEED),)


def test_full_ties_order_by_id_and_lots_decide_advancement() -> None:
    stage, rounds = tied()
    lines = standings(stage, rounds, field(6)).lines
    assert [(line.rank, line.player) for line in lines] == [(1, f"a00{number}") for number in range(6)]
    found = advancing(stage, rounds, field(6))
    assert (*found.players, *found.alternates) == TIED


def test_the_criterion_of_lots_is_drawn_from_the_first_round() -> None:
    stage, rounds = tied()
    drawn = Facts(stage, rounds, field(6)).drawn
    assert [drawn[player] for player in sorted(drawn)] == DRAWN


@pytest.mark.parametrize("criteria", [["points"], ["points", "draw"], ["points", "wins", "head_to_head", "seeding"]])
def test_standings_do_not_depend_on_the_order_of_entries(criteria: list[str]) -> None:
    play = Play(a_stage(rounds=3, sizes=[4, 3], criteria=criteria), field(11)).all_rounds()
    expected = standings(play.stage, play.rounds, play.entrants)
    for number in range(20):
        entries = list(play.entrants)
        Random(number).shuffle(entries)
        assert standings(play.stage, play.rounds, entries) == expected
        assert advancing(play.stage, play.rounds, entries) == advancing(play.stage, play.rounds, play.entrants)


def test_pairings_do_not_depend_on_the_order_of_entries() -> None:
    entries = field(6)
    stage = a_stage(sizes=[3])
    expected = pair(PairingInput(stage, (), entries, names(entries)), SEED)
    for other in islice(permutations(entries), 0, 720, 37):
        assert pair(PairingInput(stage, (), other, names(entries)), SEED) == expected

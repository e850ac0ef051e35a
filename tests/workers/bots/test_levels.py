"""Bots of every level: they play every game and option to its end, decide the same again, and see only their own."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from deploy.bench.duel import DuelGame, Setup, one_game, share
from events.json_types import JsonObject
from projections.rules.dealer import RandomDealer
from projections.rules.protocol import Game as Rules
from projections.rules.registry import GAMES
from tests.support.running_program import PROJECT
from workers.bots.bot import Budget
from workers.bots.information_set import as_counted, as_known
from workers.bots.levels import BOTS, decide, decision_record
from workers.bots.match import MatchPlayer, play

NOBODY_CLAIMS = Path(__file__).with_name("nobody_claims.json")  # a round in which both go round in circles
PUERTO_RICO, SPICE_ROAD = GAMES["puerto_rico"], GAMES["spice_road"]
TABLES: list[tuple[str, int, JsonObject]] = [
    *(("puerto_rico", seats, {}) for seats in range(2, 6)),
    ("puerto_rico", 3, {"expansions": ["new_buildings"], "exp1_selection": "all", "forest_face": "owner_only"}),
    ("puerto_rico", 4, {"expansions": ["nobles"], "mayor_placement": "simultaneous"}),
    ("puerto_rico", 2, {"expansions": ["new_buildings", "nobles"], "nobles_setup": "draft"}),
    ("puerto_rico", 5, {"expansions": ["new_buildings", "nobles"], "exp1_selection": "random", "variant": "balanced"}),
    *(("spice_road", seats, {}) for seats in range(2, 6)),
    ("spice_road", 3, {"hand_visibility": "owner_only", "coin_taking": "optional", "empty_rest": "allow"}),
]
HIDING: list[tuple[str, JsonObject]] = [
    ("puerto_rico", {"expansions": ["new_buildings"], "exp1_selection": "all", "forest_face": "owner_only"}),
    ("puerto_rico", {"mayor_placement": "simultaneous"}),
    ("spice_road", {"hand_visibility": "owner_only"}),
]


def table(game: str, seats: int, options: JsonObject, moves: int, seed: int) -> tuple[Rules[Any, Any], Any]:
    """A position some random moves into a game."""
    rules, source = GAMES[game], random.Random(seed)
    dealer, recorder = RandomDealer(source), GAMES[game].recorder(recording=False)
    position = rules.set_up(rules.read_options(options, seats), seats, dealer, recorder)
    for _ in range(moves):
        if rules.actor(position) is not None:
            rules.play(position, rules.legal(position).sample(source), dealer, recorder)
    return rules, position


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_greedy_bots_play_every_table_to_its_end(game: str, seats: int, options: JsonObject) -> None:
    greedy = MatchPlayer(BOTS["greedy"].bot)
    outcome = play(GAMES[game], options, [greedy] * seats, seed=1)
    assert sorted(outcome.places)[0] == 1
    assert max(outcome.points) > 15


def test_greedy_bots_without_a_wanted_card_end_their_game() -> None:
    source = random.Random(1)
    dealer, recorder = RandomDealer(source), SPICE_ROAD.recorder(recording=False)
    position = SPICE_ROAD.restore(json.loads(NOBODY_CLAIMS.read_text()))
    for _ in range(2_000):
        if SPICE_ROAD.actor(position) is None:
            break
        found = BOTS["greedy"].bot(SPICE_ROAD, position, SPICE_ROAD.legal(position), Budget(), source)
        SPICE_ROAD.play(position, found.move, dealer, recorder)
    assert SPICE_ROAD.actor(position) is None


@pytest.mark.parametrize(("game", "options"), [("puerto_rico", {"expansions": ["new_buildings"]}), ("spice_road", {})])
def test_a_searching_bot_plays_to_the_end(game: str, options: JsonObject) -> None:
    players = [MatchPlayer(BOTS["search"].bot, Budget(6)), MatchPlayer(BOTS["greedy"].bot)]
    assert play(GAMES[game], options, players, seed=2).places in {(1, 2), (2, 1), (1, 1)}


@pytest.mark.parametrize("level", sorted(BOTS))
@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_same_decision_record_gives_the_same_move(game: str, level: str) -> None:
    rules, position = table(game, 3, {}, 40, 3)
    seat = rules.actor(position)
    assert seat is not None
    how = decision_record(level, bytes(range(32)))
    assert decide(rules, position, seat, how) == decide(rules, rules.copy(position), seat, how)


DECIDING = """
from tests.workers.bots.test_levels import BOTS, TABLES, decide, decision_record, table
for of in TABLES[1::3]:
    rules, position = table(*of, 40, 3)
    for level in BOTS:
        print(decide(rules, position, rules.actor(position), decision_record(level, bytes(32), 12)))
"""


def test_another_process_decides_the_same() -> None:
    """The order of Python's sets differs from process to process; no decision may depend on it."""
    told = {
        subprocess.run(
            [sys.executable, "-c", DECIDING],
            cwd=PROJECT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    (decisions,) = told
    assert len(decisions.splitlines()) == 3 * len(TABLES[1::3])


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(HIDING), st.integers(0, 150), st.integers(0, 10_000))
def test_a_bot_is_shown_what_its_seat_may_see_and_nothing_else(
    hiding: tuple[str, JsonObject], moves: int, seed: int
) -> None:
    rules, position = table(*hiding[:1], 3, hiding[1], moves, seed)
    seat = rules.actor(position)
    if seat is None:
        return
    shown = as_known(rules, position, seat, random.Random(seed))
    assert rules.view(shown, seat) == rules.view(position, seat)
    assert set(rules.legal(shown)) == set(rules.legal(position))
    counted = as_counted(rules, position, seat, random.Random(seed))  # gains are public, hidden or not
    assert rules.scores(counted) == rules.scores(position)
    assert rules.view(counted, seat) == rules.view(position, seat)


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(HIDING), st.integers(20, 120), st.integers(0, 10_000))
def test_what_is_hidden_cannot_change_a_decision(hiding: tuple[str, JsonObject], moves: int, seed: int) -> None:
    rules, position = table(*hiding[:1], 3, hiding[1], moves, seed)
    seat = rules.actor(position)
    assume(seat is not None)
    assert seat is not None
    other = as_known(rules, position, seat, random.Random(seed + 1))
    how = decision_record("greedy", seed.to_bytes(32, "big"))
    assert decide(rules, other, seat, how) == decide(rules, position, seat, how)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 200), st.integers(0, 10_000))
def test_greedy_chooses_a_legal_move_in_any_position(of: tuple[str, int, JsonObject], moves: int, seed: int) -> None:
    rules, position = table(*of, moves, seed)
    seat = rules.actor(position)
    assume(seat is not None)
    assert seat is not None
    assert decide(rules, position, seat, decision_record("greedy", bytes(32))).move in rules.legal(position)


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seats", [2, 4])
def test_greedy_beats_random_wherever_it_sits(game: str, seats: int) -> None:
    games = [one_game((Setup(game, seats, (), "greedy", "random"), number)) for number in range(8)]
    assert sum(game.won for game in games) == len(games)


def test_an_interval_is_narrower_the_more_games_there_are() -> None:
    games = [DuelGame(float(number % 2), 0, 0.0, 0.0) for number in range(400)]
    assert share(games) == pytest.approx((0.5, 0.451, 0.549), abs=0.001)
    assert share(games[:100]) == pytest.approx((0.5, 0.404, 0.596), abs=0.001)


def test_even_games_that_are_all_won_leave_a_doubt() -> None:
    won = share([DuelGame(1.0, 0, 0.0, 0.0)] * 200)
    assert won == pytest.approx((1.0, 0.981, 1.0), abs=0.001)

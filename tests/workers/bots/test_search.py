"""The bot that looks ahead: its budget is steps or time, and what was really done is what is recorded."""

import random
from typing import Any

import pytest

from projections.rules.registry import GAMES
from tests.workers.bots.test_levels import table
from workers.bots.bot import Budget
from workers.bots.information_set import as_known
from workers.bots.levels import BOTS, decide, decision_record
from workers.bots.match import MatchPlayer, play
from workers.bots.tree_search import choose

HEAD = bytes(range(32))
MANY = 5_000


def a_choice(game: str) -> tuple[Any, Any, int]:
    """A position some moves into a game, with several moves to think about."""
    rules, position = table(game, 3, {}, 31, 5)
    seat = rules.actor(position)
    assert seat is not None
    assert len(rules.legal(position)) > 1
    return rules, position, seat


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_decision_records_the_steps_it_took(game: str) -> None:
    rules, position, seat = a_choice(game)
    assert decide(rules, position, seat, decision_record("search", HEAD, 23)).how.steps == 23
    assert decide(rules, position, seat, decision_record("search", HEAD)).how.steps == 100
    assert decide(rules, position, seat, decision_record("greedy", HEAD)).how.steps == 0


@pytest.mark.parametrize("seconds", [0.000001, 0.02, 0.1])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_time_has_ended_is_repeated_by_its_steps(game: str, seconds: float) -> None:
    rules, position, seat = a_choice(game)
    hurried = decide(rules, position, seat, decision_record("search", HEAD, MANY), seconds)
    assert hurried.how.steps < MANY
    assert decide(rules, position, seat, hurried.how) == hurried


@pytest.mark.parametrize("game", sorted(GAMES))
def test_without_time_for_every_move_it_takes_what_ranks_first(game: str) -> None:
    rules, position, seat = a_choice(game)
    shown = as_known(rules, position, seat, random.Random(1))
    legal = rules.legal(shown)
    hurried = choose(rules, shown, legal, Budget(1), random.Random(1))
    assert hurried.move == decide(rules, position, seat, decision_record("greedy", HEAD)).move


@pytest.mark.parametrize("game", sorted(GAMES))
def test_thinking_leaves_the_position_as_it_was(game: str) -> None:
    rules, position, seat = a_choice(game)
    before = rules.copy(position)
    decide(rules, position, seat, decision_record("search", HEAD, 30))
    assert position == before


def test_search_wins_more_than_its_share_of_a_few_fixed_games() -> None:  # whole tables: deploy/docs/bots.md
    """The same seeds give the same games, so that a change that weakens it shows."""
    searching, greedy = MatchPlayer(choose, Budget(40)), MatchPlayer(BOTS["greedy"].bot)
    won = 0
    for number in range(4):
        players = [searching if seat == number % 2 else greedy for seat in range(2)]
        outcome = play(GAMES["puerto_rico"], {}, players, number)
        won += outcome.places[number % 2] == 1
    assert won >= 3

"""The environments pass PettingZoo's own tests at every table, and a game played through them is one of the rules."""

import random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

from events.json_types import JsonObject
from projections.rules.registry import GAMES
from tests.workers.bots.test_levels import HIDING, TABLES, table
from workers.bots.information_set import as_known
from workers.rl.environment import Cabildo, ForbiddenAction, env
from workers.rl.game_adapters import GAME_ADAPTERS


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_pettingzoo_accepts_the_environment(game: str, seats: int, options: JsonObject) -> None:
    api_test(env(game, seats, options), num_cycles=200)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_same_seed_and_actions_give_the_same_game(game: str) -> None:
    seed_test(lambda: env(game, 3), num_cycles=60)


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seats", [2, 5])
def test_a_game_ends_with_rewards_by_place(game: str, seats: int) -> None:
    played, source = Cabildo(game, seats), random.Random(3)
    played.reset(seed=3)
    rewards = dict.fromkeys(played.agents, 0.0)
    for agent in played.agent_iter():
        _, reward, terminated, _, info = played.last()
        rewards[agent] += reward
        allowed = np.flatnonzero(info["action_mask"])
        played.step(None if terminated else int(source.choice(allowed)))
    outcome = GAMES[game].outcome(played.position)
    assert outcome is not None
    first, last = outcome.places.index(min(outcome.places)), outcome.places.index(max(outcome.places))
    assert rewards[f"seat_{first}"] == max(rewards.values()) > 0
    assert rewards[f"seat_{last}"] == min(rewards.values()) < 0
    assert sum(rewards.values()) == pytest.approx(0)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_an_action_that_the_mask_forbids_is_refused(game: str) -> None:
    played = Cabildo(game, 3)
    played.reset(seed=1)
    before = played.observe(played.agent_selection)
    for action in np.flatnonzero(played.infos[played.agent_selection]["action_mask"] == 0)[:5]:
        with pytest.raises(ForbiddenAction):
            played.step(int(action))
    assert np.array_equal(played.observe(played.agent_selection), before)


@pytest.mark.parametrize(("game", "options"), HIDING)
def test_an_observation_shows_nothing_that_the_seat_may_not_see(game: str, options: JsonObject) -> None:
    for moves in (10, 60, 110):
        rules, position = table(game, 3, options, moves, 7)
        for seat in range(3):
            other: Any = as_known(rules, position, seat, random.Random(moves))
            shown = GAME_ADAPTERS[game].observe(rules.view(position, seat), seat)
            assert shown == GAME_ADAPTERS[game].observe(rules.view(other, seat), seat)


def test_the_board_is_shown_as_text() -> None:
    played = env("spice_road", 2, render_mode="ansi")
    played.reset(seed=1)
    assert "turmeric" in played.render().lower()

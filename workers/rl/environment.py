"""A PettingZoo environment (AEC) over the engine: `env("puerto_rico", seats=4, options={...})`.

The agent of a seat writes its move by actions (see `projections.rules.move_writer`) and acts again until the move is
complete.
`infos[agent]["action_mask"]` has a 1 for each legal action, `infos[agent]["written"]` the text written so far. An
observation holds the view of the seat as numbers, then a number for each action: when it was last taken in this move.
The reward comes at the end: from 1 for the only winner down to -1 for the last.
"""

import random
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from events.errors import CabildoError
from events.json_types import JsonObject
from projections.rules.dealer import RandomDealer
from projections.rules.move_writer import MoveWriter, write_forced
from projections.rules.registry import GAMES
from workers.rl.game_adapters import GAME_ADAPTERS

MOST: Final = 10_000  # above every number of an observation
Observation = NDArray[np.int32]


class ForbiddenAction(CabildoError):
    """Raised for an action that the mask forbids."""

    def __init__(self, action: int, written: str) -> None:
        super().__init__(f"action {action} cannot follow {written!r}")
        self.action = action


class Cabildo(AECEnv[str, Any, Any]):
    """An environment of one game; the agents are named by their seats."""

    def __init__(
        self, game: str, seats: int = 4, options: JsonObject | None = None, render_mode: str | None = None
    ) -> None:
        self.game, self.adapter, self.render_mode = GAMES[game], GAME_ADAPTERS[game], render_mode
        self.metadata = {"name": f"{game}_v1", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self._options = self.game.read_options(options or {}, seats)
        self._actions = {atom: action for action, atom in enumerate(self.adapter.vocabulary)}
        self._source = random.Random()
        self._begin()
        size = len(self._observed(0))
        self._sees = {agent: Box(0, MOST, (size,), np.int32) for agent in self.possible_agents}
        self._does = {agent: Discrete(len(self._actions)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Box:
        """Returns the space of observations: the same number of integers for every position."""
        return self._sees[agent]

    def action_space(self, agent: str) -> Discrete:
        """Returns the space of actions: the words of the notation."""
        return self._does[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game; the same seed gives the same deal."""
        del options
        if seed is not None:
            self._source = random.Random(seed)
        self._begin()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn()

    def step(self, action: int | None) -> None:
        """Writes the next word of a move, and makes the move when it is complete. Raises ForbiddenAction."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        atom = self._atom(action)
        self._script.write(atom)
        self._written += [atom, *write_forced(self._script)]
        if self._script.move is not None:
            self.game.play(self.position, self._script.move, self._dealer, self._recorder)
            self._open()
        if self.game.actor(self.position) is None:
            self._end()
        self._turn()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """Returns the view of an agent's seat as numbers."""
        return np.array(self._observed(self.possible_agents.index(agent)), np.int32)

    def render(self) -> str:
        """Returns the board as text, as a spectator sees it."""
        return self.game.board(self.position, None)

    def close(self) -> None:
        """Does nothing: the environment holds no resources."""

    # --- the game --------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._dealer, self._recorder = RandomDealer(self._source), self.game.recorder(recording=False)
        seats = len(self.possible_agents)
        self.position = self.game.set_up(self._options, seats, self._dealer, self._recorder)
        self._open()

    def _open(self) -> None:
        """Starts the next move; makes moves without a choice at once."""
        while self.game.actor(self.position) is not None:
            self._script: MoveWriter = self.game.writer(self.position)
            self._written = write_forced(self._script)
            if self._script.move is None:
                return
            self.game.play(self.position, self._script.move, self._dealer, self._recorder)
        self._written = []

    def _end(self) -> None:
        outcome = self.game.outcome(self.position)
        assert outcome is not None
        others = len(outcome.places) - 1
        for agent, place in zip(self.possible_agents, outcome.places, strict=True):
            behind, ahead = (sum(sign * (other - place) > 0 for other in outcome.places) for sign in (1, -1))
            self.rewards[agent] = (behind - ahead) / others
        self.terminations = dict.fromkeys(self.agents, True)

    def _turn(self) -> None:
        """Sets the agent to act and its legal actions."""
        seat = self.game.actor(self.position)
        self.infos = {agent: self._info(mine == seat) for mine, agent in enumerate(self.possible_agents)}
        self.agent_selection = self.possible_agents[seat or 0]

    def _info(self, to_act: bool) -> dict[str, Any]:
        mask = np.zeros(len(self._actions), np.int8)
        for atom in self._script.choices() if to_act else ():
            mask[self._actions[atom]] = 1
        return {"action_mask": mask, "written": "".join(self._written) if to_act else ""}

    def _atom(self, action: int | None) -> str:
        atom = self.adapter.vocabulary[int(action)] if action is not None else None
        if atom is None or atom not in self._script.choices():
            raise ForbiddenAction(-1 if action is None else int(action), "".join(self._written))
        return atom

    def _observed(self, seat: int) -> list[int]:
        view: Mapping[str, Any] = self.game.view(self.position, seat)
        order = [0] * len(self._actions)
        if self.game.actor(self.position) == seat:
            for at, atom in enumerate(self._written, 1):
                order[self._actions[atom]] = at
        return self.adapter.observe(view, seat) + order


def env(game: str, seats: int = 4, options: JsonObject | None = None, render_mode: str | None = None) -> Any:
    """Returns the environment in PettingZoo's wrappers, which check the order of calls and the bounds of actions."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(Cabildo(game, seats, options, render_mode)))

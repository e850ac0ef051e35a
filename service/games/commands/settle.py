"""The command of the keeper, jobs and the scheduler before they look at a game: append what time has decided."""

from typing import NamedTuple
from uuid import UUID

from service.container import Container
from service.core.command_handler import BY_SERVICE, CommandOutcome, Request
from service.games.command_handler import GameOutcome
from service.games.game_state import GameState


class SettleTime(NamedTuple):
    """Append the due flags and deadlines of a game."""

    game: UUID


def settle_time(here: Container, command: SettleTime, _request: Request) -> GameOutcome:
    """Append the passed flags and deadlines, and the time without a keeper."""
    return CommandOutcome({}, here.game_commands.settle_time(command.game))


def settled_game(here: Container, game: UUID) -> GameState:
    """Settle the time of a game for the service. Returns the game."""
    state = settle_time(here, SettleTime(game), BY_SERVICE).state
    assert state is not None  # no idempotency key, no stored answer
    return state

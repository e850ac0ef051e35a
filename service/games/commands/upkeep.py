"""Commands of operators and the keeper: newer rules, and what time has decided."""

from typing import NamedTuple
from uuid import UUID

from service.container import Container
from service.core.command_handler import Answer, CommandOutcome, Request
from service.games import change_rules
from service.games.commands.answers import GameOutcome, appended_document
from service.games.game_state import GameUnitOfWork


class ChangeRules(NamedTuple):
    """Move a running game to newer rules."""

    game: UUID
    to: str
    reason: str


class SettleTime(NamedTuple):
    """Write what time has decided in a game."""

    game: UUID


def change_game_rules(here: Container, command: ChangeRules, request: Request) -> GameOutcome:
    """Move a game to newer rules, where they would have made the same events so far."""

    def decide(unit: GameUnitOfWork) -> Answer:
        change_rules.move_rules(unit, command.to, command.reason)
        return appended_document(here, unit)

    return here.game_commands.execute(command.game, request, decide)


def check_rules_change(here: Container, command: ChangeRules, request: Request) -> GameOutcome:
    """Raise what `change_game_rules` would raise; writes nothing."""

    def decide(unit: GameUnitOfWork) -> None:
        change_rules.check_movable(unit, command.to)

    return here.game_commands.execute(command.game, request, decide)


def settle_time(here: Container, command: SettleTime, _request: Request) -> GameOutcome:
    """Write the flags that fell, the waiting that ended, and the time in which no keeper was at work."""
    return CommandOutcome({}, here.game_commands.settle_time(command.game))

"""Commands of operators and the keeper: change rules, settle time."""

from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from projections.games.record import GameRecord
from service.container import Container
from service.core.command_handler import Answer, Request
from service.games.command_handler import GameOutcome
from service.games.commands.answers import appended_document
from service.games.decisions import change_rules, end_early, expiry
from service.games.game_state import GameUnitOfWork
from service.moderation.record import AdministrativeAct, act_statement


class ChangeRules(NamedTuple):
    """Move a running game to newer rules."""

    game: UUID
    to: str
    reason: str


class AnnounceExpiry(NamedTuple):
    """Announce when an open table that nobody joins will be removed."""

    game: UUID


class EndGame(NamedTuple):
    """Abort a game as an administrator, for a reason that its readers see."""

    game: UUID
    reason: str


def change_game_rules(here: Container, command: ChangeRules, request: Request) -> GameOutcome:
    """Move a game to newer rules, if these produce the same events so far."""

    def decide(unit: GameUnitOfWork) -> Answer:
        change_rules.move_rules(unit, command.to, command.reason)
        _record(unit, "rules_changed", command, to=command.to)
        return appended_document(here, unit)

    return here.game_commands.execute(command.game, request, decide)


def check_rules_change(here: Container, command: ChangeRules, request: Request) -> GameOutcome:
    """Raises the errors of `change_game_rules`; writes nothing."""

    def decide(unit: GameUnitOfWork) -> None:
        change_rules.check_movable(unit, command.to)

    return here.game_commands.execute(command.game, request, decide)


def announce_expiry(here: Container, command: AnnounceExpiry, request: Request) -> GameOutcome:
    """Announce the end of a table that nobody has joined for a time; its host and players are notified."""

    def decide(unit: GameUnitOfWork) -> None:
        expiry.announce(unit, here.settings.open_table_days)

    return here.game_commands.execute(command.game, request, decide)


def end_game(here: Container, command: EndGame, request: Request) -> GameOutcome:
    """Abort an open or running game; its event records the reason."""
    return end_game_if(here, command, request, lambda _record: True)


def end_game_if(
    here: Container, command: EndGame, request: Request, condition: Callable[[GameRecord], bool]
) -> GameOutcome:
    """Abort a game if its newest record meets a condition; else write nothing."""

    def decide(unit: GameUnitOfWork) -> Answer:
        if not condition(unit.record):
            return {}
        end_early.abort_as_administrator(unit, command.reason)
        _record(unit, "game_ended", command)
        return appended_document(here, unit)

    return here.game_commands.execute(command.game, request, decide)


def _record(unit: GameUnitOfWork, act: str, command: ChangeRules | EndGame, **details: str) -> None:
    """Records an administrative act in the transaction of its events."""
    done = AdministrativeAct(unit.actor, act, str(command.game), command.reason, details)
    unit.beside.append(act_statement(unit.at, done))

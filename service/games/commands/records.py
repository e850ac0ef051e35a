"""Commands of scribes: enter a written record, and continue it."""

from typing import NamedTuple
from uuid import UUID

from events.event import new_stream
from projections.games.imports.transcript import Transcript
from service.container import Container
from service.core.command_handler import Answer, Request
from service.games import access
from service.games.command_handler import GameOutcome
from service.games.decisions import import_game
from service.games.game_state import GameState, GameUnitOfWork
from service.games.summary import stored_summary


class ImportGame(NamedTuple):
    """Store a written record as a game."""

    transcript: Transcript
    visibility: str


class ContinueImport(NamedTuple):
    """Strike lines from an imported record, and add lines to it."""

    game: UUID
    lines: str | None
    back_to: int | None


def enter_record(here: Container, command: ImportGame, request: Request) -> GameOutcome:
    """Store a written record as a game. Returns its summary as the answer."""

    def decide(unit: GameUnitOfWork) -> Answer:
        import_game.begin(unit, command.transcript, command.visibility, here.time_budget())
        return stored_summary(here, unit.now, request.actor, request.language, unit.beside)

    return here.game_commands.create(new_stream(here.now()), request, decide)


def continue_record(here: Container, command: ContinueImport, request: Request) -> GameOutcome:
    """Strike lines from an imported record and add others. Returns the summary of the game as the answer."""

    def authorise(table: GameState) -> None:
        access.see(here.deals, table, request.actor)
        import_game.check_scribe(table.known, request.actor)

    def decide(unit: GameUnitOfWork) -> Answer:
        with here.stores.pool.connection() as connection:
            below = import_game.comments_below(connection, unit.id)
        if command.back_to is not None:
            import_game.go_back(unit, command.back_to)
            below = ()
        if command.lines is not None:
            import_game.go_on(unit, command.lines, below, here.time_budget())
        return stored_summary(here, unit.now, request.actor, request.language, unit.beside)

    return here.game_commands.execute(command.game, request, decide, authorise)

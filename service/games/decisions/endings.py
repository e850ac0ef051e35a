"""Ends games by the rules, by forfeit or by aborting; the last event reveals the seed."""

from projections.games.record import RUNNING
from projections.games.results import result
from service.games.game_state import GameUnitOfWork

STAND_IN = "random"  # moves for a forfeited seat so that the game continues


def end_if_over(unit: GameUnitOfWork) -> None:
    """End the game when the rules say so, or when all seats but one have forfeited."""
    if unit.record.status != RUNNING:
        return
    ended = result(unit.game, unit.now.board, unit.record)
    if ended is not None:
        unit.write("game_ended", **ended)
        reveal(unit)


def abort(unit: GameUnitOfWork, cause: str, reason: str | None = None) -> None:
    """End a game without a result; the event names the reason by its hash."""
    unit.write("game_aborted", cause=cause, reason=None if reason is None else unit.keep_text(reason))
    reveal(unit)


def reveal(unit: GameUnitOfWork) -> None:
    """Reveal the server's seed so that clients can verify the deal; a shared seed waits for its last table."""
    if not unit.record.imported and unit.record.deal is None:
        show_seed(unit)


def show_seed(unit: GameUnitOfWork) -> None:
    """Append the seed."""
    unit.write("seed_revealed", seed=unit.seed().hex(), draws=unit.record.draws)

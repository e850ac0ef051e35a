"""Ends games by the rules, by forfeit or by aborting; the last event reveals the seed."""

from projections.games.record import RUNNING
from projections.games.results import result
from service.games.game_state import GameUnitOfWork

STAND_IN = "random"  # moves for a forfeited seat so that the game continues


def end_if_over(act: GameUnitOfWork) -> None:
    """End the game when the rules say so, or when all seats but one have forfeited."""
    if act.record.status != RUNNING:
        return
    ended = result(act.game, act.now.board, act.record)
    if ended is not None:
        act.write("game_ended", **ended)
        reveal(act)


def abort(act: GameUnitOfWork, cause: str, reason: str | None = None) -> None:
    """End a game without a result; the event names the reason by its hash."""
    act.write("game_aborted", cause=cause, reason=None if reason is None else act.keep_text(reason))
    reveal(act)


def reveal(act: GameUnitOfWork) -> None:
    """Reveal the server's seed so that clients can verify the deal; a shared seed waits for its last table."""
    if not act.record.imported and act.record.deal is None:
        show_seed(act)


def show_seed(act: GameUnitOfWork) -> None:
    """Append the seed."""
    act.write("seed_revealed", seed=act.seed().hex(), draws=act.record.draws)

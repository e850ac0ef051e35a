"""Moves a running game to newer rules, if these produce the same events so far."""

from events.store.free_texts import keep, salted
from projections.games.execute_move import digest
from projections.games.rules_versions import MOVED_ON, board_under_rules
from projections.rules.registry import rules_of
from projections.verify.checks.changed_rules import check_move
from projections.verify.checks.parted import Parted
from service.core.errors import RulesNotMoved
from service.games.decisions.undo import check_running
from service.games.game_state import GameUnitOfWork


def move_rules(act: GameUnitOfWork, to: str, reason: str) -> None:
    """Move a game to newer rules. Raises the errors of `check_movable`."""
    check_movable(act, to)
    newer, text = rules_of(act.record.game, to), salted(reason)
    act.replace_board(board_under_rules(newer, act.now.board))
    act.beside.append(keep(act.id, text))
    act.write(MOVED_ON, to=to, digest=digest(newer, act.now.board), reason=text.hash.hex())


def check_movable(act: GameUnitOfWork, to: str) -> None:
    """Raises NotRunning, or RulesNotMoved with the first event that differs under the newer rules."""
    check_running(act.record)
    seed = None if act.record.imported else act.seed()
    try:
        check_move(act.history(), act.record.rules, to, seed)
    except Parted as parted:
        raise RulesNotMoved(parted.reason, parted.words, parted.seq) from parted

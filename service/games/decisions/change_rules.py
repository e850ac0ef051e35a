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


def move_rules(unit: GameUnitOfWork, to: str, reason: str) -> None:
    """Move a game to newer rules. Raises the errors of `check_movable`."""
    check_movable(unit, to)
    newer, text = rules_of(unit.record.game, to), salted(reason)
    unit.replace_board(board_under_rules(newer, unit.now.board))
    unit.beside.append(keep(unit.id, text))
    unit.write(MOVED_ON, to=to, digest=digest(newer, unit.now.board), reason=text.hash.hex())


def check_movable(unit: GameUnitOfWork, to: str) -> None:
    """Raises NotRunning, or RulesNotMoved with the first event that differs under the newer rules."""
    check_running(unit.record)
    seed = None if unit.record.imported else unit.seed()
    try:
        check_move(tuple(unit.history()), unit.record.rules, to, seed)
    except Parted as parted:
        raise RulesNotMoved(parted.reason, parted.words, parted.seq) from parted

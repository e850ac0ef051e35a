"""Moving a running game to newer rules: only where they would have made the very same game of it so far."""

from events.texts import keep, salted
from projections.checks.moving import check_move
from projections.checks.parted import Parted
from projections.deed import digest
from projections.games import rules_of
from projections.versions import MOVED_ON, relaid
from service.act import Act
from service.errors import RulesNotMoved
from service.undo import check_running


def move_rules(act: Act, to: str, reason: str) -> None:
    """Let a game keep to newer rules from now on; refuses like `check_movable`."""
    check_movable(act, to)
    newer, text = rules_of(act.record.game, to), salted(reason)
    act.lay(relaid(newer, act.now.board))
    act.beside.append(keep(act.id, text))
    act.write(MOVED_ON, to=to, digest=digest(newer, act.now.board), reason=text.hash.hex())


def check_movable(act: Act, to: str) -> None:
    """Refuse with NotRunning, or with RulesNotMoved and the first event that newer rules would have made otherwise."""
    check_running(act.record)
    seed = None if act.record.imported else act.seed()
    try:
        check_move(act.history(), act.record.rules, to, seed)
    except Parted as parted:
        raise RulesNotMoved(parted.reason, parted.words, parted.seq) from parted

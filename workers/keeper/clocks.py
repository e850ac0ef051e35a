"""Two duties of the keeper: to let time decide where it has run out, and to call bots whose turn is due."""

from collections.abc import Callable
from typing import Final

import structlog
from psycopg import Connection

from service.core import keeper_last_seen
from service.core.clock import SECOND
from service.core.stores import REDIS_AWAY
from service.games.clocks import GRACE
from workers.keeper.duty_context import ContainerDuty, KeeperContext

BATCH: Final = 200
CALLED_AGAIN_AFTER: Final = 5 * SECOND  # a bot that has not moved by then was perhaps not called
KEPT_ANSWERS: Final = "7 days"
DUE = "SELECT id FROM games WHERE deadline <= %s ORDER BY deadline LIMIT %s"
COUNTING = "SELECT id FROM games WHERE deadline IS NOT NULL AND status = 'running'"
LOST_AFTER: Final = 15 * SECOND  # its job is taken for lost with its worker, and another is made; both do no harm
BOTS_TO_ACT = (
    "SELECT id, version, changed FROM games WHERE engine IS NOT NULL AND changed < %s ORDER BY changed LIMIT %s"
)
OLD_ANSWERS = "DELETE FROM answers WHERE at < now() - %s::interval"
log = structlog.get_logger("workers.keeper.clocks")

Work = Callable[[Connection], bool]


class SettleClocks(ContainerDuty):
    """Lets flags fall and waiting end on time, and stops the clocks for as long as no keeper was at work."""

    def __call__(self, connection: Connection) -> bool:
        container = self.container
        now, seen = container.now(), keeper_last_seen.last_seen(connection)
        if seen is not None and now - seen > GRACE:
            for (game,) in connection.execute(COUNTING).fetchall():
                container.clerk.look(game)
            log.info("clocks stood still", since=seen, until=now)
        keeper_last_seen.note_seen(connection, now)
        due = connection.execute(DUE, (now, BATCH)).fetchall()
        for (game,) in due:
            container.clerk.look(game)
        return len(due) == BATCH


class CallBots(ContainerDuty):
    """Calls the bots whose turn has been due for a while, whatever became of the first call."""

    def __call__(self, connection: Connection) -> bool:
        now = self.container.now()
        due = connection.execute(BOTS_TO_ACT, (now - CALLED_AGAIN_AFTER, BATCH)).fetchall()
        try:
            for game, version, changed in due:
                self.container.announcer.call_bot(game, version, (now - changed) // LOST_AFTER)
        except REDIS_AWAY as problem:
            log.warning("bots not called", due=len(due), reason=str(problem))
        return False


def delete_old_answers(_office: KeeperContext) -> Work:
    """Forget the answers of requests that nobody repeats any more."""

    def work(connection: Connection) -> bool:
        connection.execute(OLD_ANSWERS, (KEPT_ANSWERS,))
        return False

    return work

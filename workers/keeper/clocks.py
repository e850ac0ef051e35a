"""Duties of the keeper for time: settles clocks that ran out, queues bots whose turn is due, deletes old answers."""

from collections.abc import Callable
from typing import Final

import structlog
from psycopg import Connection

from service.core import keeper_last_seen
from service.core.bot_turns import BotTurn
from service.core.clock import SECOND
from service.core.stores import REDIS_AWAY
from service.games.decisions.clocks import GRACE
from workers.keeper.duty_context import ContainerDuty, KeeperContext

BATCH: Final = 200
CALLED_AGAIN_AFTER: Final = 5 * SECOND  # a bot that has not moved by then may have no job
KEPT_ANSWERS: Final = "7 days"
DUE = "SELECT id FROM games WHERE deadline <= %s ORDER BY deadline LIMIT %s"
COUNTING = "SELECT id FROM games WHERE deadline IS NOT NULL AND status = 'running'"
LOST_AFTER: Final = 15 * SECOND  # then the job counts as lost and another is queued; two jobs do no harm
BOTS_TO_ACT = """
SELECT changed, id, version, coalesce(
    tournament::text,
    CASE WHEN length(host) = 36 THEN (SELECT owner::text FROM players WHERE players.id = host::uuid) END,
    host,
    id::text
) AS maker, NOT EXISTS (
    SELECT FROM json_array_elements(chairs) AS chair
    WHERE chair ->> 'player' IS NOT NULL AND chair ->> 'bot' IS NULL AND chair ->> 'stand_in' IS NULL
) AS alone
FROM games WHERE engine IS NOT NULL AND changed < %s ORDER BY changed LIMIT %s
"""
OLD_ANSWERS = "DELETE FROM answers WHERE at < now() - %s::interval"
log = structlog.get_logger("workers.keeper.clocks")

Work = Callable[[Connection], bool]


class SettleClocks(ContainerDuty):
    """Records fallen flags and expired waiting times, and stops clocks for the time when no keeper ran."""

    def __call__(self, connection: Connection) -> bool:
        container = self.container
        now, seen = container.now(), keeper_last_seen.last_seen(connection)
        if seen is not None and now - seen > GRACE:
            for (game,) in connection.execute(COUNTING).fetchall():
                container.game_commands.settle_time(game)
            log.info("clocks stopped while no keeper ran", since=seen, until=now)
        keeper_last_seen.note_seen(connection, now)
        due = connection.execute(DUE, (now, BATCH)).fetchall()
        for (game,) in due:
            container.game_commands.settle_time(game)
        return len(due) == BATCH


class CallBots(ContainerDuty):
    """Queues jobs for bots whose turn has been due for some seconds, in case the first job was lost."""

    def __call__(self, connection: Connection) -> bool:
        now = self.container.now()
        due = connection.execute(BOTS_TO_ACT, (now - CALLED_AGAIN_AFTER, BATCH)).fetchall()
        try:
            for changed, *turn in due:
                self.container.announcer.call_bot(BotTurn(*turn), (now - changed) // LOST_AFTER)
        except REDIS_AWAY as problem:
            log.warning("bots not queued", due=len(due), reason=str(problem))
        return False


def delete_old_answers(_context: KeeperContext) -> Work:
    """Deletes stored answers of requests that are too old to be repeated."""

    def work(connection: Connection) -> bool:
        connection.execute(OLD_ANSWERS, (KEPT_ANSWERS,))
        return False

    return work

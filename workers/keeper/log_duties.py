"""The table of the keeper's duties between an append and the public log."""

import time

from psycopg import Connection

from events.log.sequencer import BATCH, MANY, PAUSE, REST, sequence_once
from workers.keeper.duty_context import KeeperContext
from workers.keeper.keeper import Duty, Work
from workers.keeper.log import PublishLog, SealLog


class SequenceLog:
    """Numbers the events of the outbox; the database refuses while its gate is shut."""

    def __init__(self, _context: KeeperContext) -> None:
        self._rests_until = 0.0

    def __call__(self, connection: Connection) -> bool:
        if time.monotonic() < self._rests_until:
            return False
        moved = sequence_once(connection)
        self._rests_until = time.monotonic() + REST if MANY <= moved < BATCH else 0.0
        return moved == BATCH


def seal_log(context: KeeperContext) -> Work:
    """Signs the log with the keys of the environment."""
    return SealLog(context.settings, context.environ)


def publish_log(context: KeeperContext) -> Work:
    """Writes the public files up to the newest seal."""
    return PublishLog(context.settings, context.environ)


LOG_DUTIES: tuple[Duty, ...] = (
    Duty("sequence", PAUSE, SequenceLog, led=False),  # a lock in each transaction lets one through
    Duty("seal", 0.05, seal_log),
    Duty("publish", 0.05, publish_log),
)

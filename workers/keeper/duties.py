"""The table of the keeper's duties."""

import time

from psycopg import Connection

from events.log.sequencer import BATCH, MANY, PAUSE, REST, sequence_once
from events.log.signing_gate import is_open
from projections.read_models.registry import advance_all
from workers.analysis_job import RequeueAnalyses
from workers.keeper.clocks import CallBots, SettleClocks, delete_old_answers
from workers.keeper.duty_context import KeeperContext
from workers.keeper.keeper import Duty, Work
from workers.keeper.log import PublishLog, SealLog
from workers.keeper.tournaments import AdvanceTournaments
from workers.keeper.webhooks import QueueWebhookMessages


class SequenceLog:
    """Numbers the events of the outbox, once the signing gate has admitted this database."""

    def __init__(self, _context: KeeperContext) -> None:
        self._admitted: Connection | None = None
        self._rests_until = 0.0

    def __call__(self, connection: Connection) -> bool:
        if connection is not self._admitted and not is_open(connection):
            return False
        self._admitted = connection
        if time.monotonic() < self._rests_until:
            return False
        moved = sequence_once(connection)
        self._rests_until = time.monotonic() + REST if MANY <= moved < BATCH else 0.0
        return moved == BATCH


def update_read_models(_context: KeeperContext) -> Work:
    """Applies new log entries to the read models."""
    return advance_all


def seal_log(context: KeeperContext) -> Work:
    """Signs the log with the keys of the environment."""
    return SealLog(context.settings, context.environ)


def publish_log(context: KeeperContext) -> Work:
    """Writes the public files up to the newest seal."""
    return PublishLog(context.settings, context.environ)


DUTIES: tuple[Duty, ...] = (
    Duty("sequence", PAUSE, SequenceLog, led=False),  # a lock in each transaction lets one through
    Duty("project", 0.05, update_read_models),
    Duty("seal", 0.05, seal_log),
    Duty("publish", 0.05, publish_log),
    Duty("time", 0.5, SettleClocks),
    Duty("tournaments", 0.2, AdvanceTournaments),
    Duty("webhooks", 0.2, QueueWebhookMessages),
    Duty("call bots", 2.0, CallBots),
    Duty("call analyses", 20.0, RequeueAnalyses),
    Duty("forget answers", 3600.0, delete_old_answers),
)

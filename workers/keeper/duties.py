"""What keepers do, one row per duty."""

import time
from typing import Any

from psycopg import Connection

from events.log.sequencer import BATCH, MANY, PAUSE, REST, sequence_once
from events.log.signing_gate import is_open
from projections.read_models.registry import advance_all
from workers.analysis_job import Recalling
from workers.keeper.clocks import Calling, Timing, forgetting
from workers.keeper.duty_context import DutyContainer
from workers.keeper.keeper import Duty, Work
from workers.keeper.log import Publishing, Sealing
from workers.keeper.tournaments import Hosting
from workers.keeper.webhooks import Notifying


def sequencing(_office: DutyContainer) -> Work:
    """Number the events that wait in the outbox, once the sealer has found this database fit to go on with the log."""
    passed: list[Connection[Any]] = []
    rested = 0.0

    def work(connection: Connection[Any]) -> bool:
        nonlocal rested
        if connection not in passed and not is_open(connection):
            return False
        passed[:] = [connection]
        if time.monotonic() < rested:
            return False
        moved = sequence_once(connection)
        rested = time.monotonic() + REST if MANY <= moved < BATCH else 0.0
        return moved == BATCH

    return work


def projecting(_office: DutyContainer) -> Work:
    """Keep the read models level with the log."""
    return advance_all


def sealing(office: DutyContainer) -> Work:
    """Sign the log; the keys are in the environment."""
    return Sealing(office.settings, office.environ)


def publishing(office: DutyContainer) -> Work:
    """Bring the public files up to what is sealed."""
    return Publishing(office.settings, office.environ)


DUTIES: tuple[Duty, ...] = (
    Duty("sequence", PAUSE, sequencing, led=False),  # a lock in each transaction lets one through
    Duty("project", 0.05, projecting),
    Duty("seal", 0.05, sealing),
    Duty("publish", 0.05, publishing),
    Duty("time", 0.5, Timing),
    Duty("tournaments", 0.2, Hosting),
    Duty("webhooks", 0.5, Notifying),
    Duty("call bots", 2.0, Calling),
    Duty("call analyses", 20.0, Recalling),
    Duty("forget answers", 3600.0, forgetting),
)

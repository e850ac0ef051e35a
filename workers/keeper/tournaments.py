"""The duty of the keeper for tournaments: executes their next actions."""

from typing import Final
from uuid import UUID

from psycopg import Connection

from service.core.clock import SECOND
from service.core.stuck_streams import PauseLimit
from service.tournaments.scheduler import attend, waiting
from workers.keeper.duty_context import ContainerDuty, KeeperContext
from workers.keeper.each_stream import EachStream

BATCH: Final = 50
PASS_BEGINS: Final = UUID(int=0)  # the tournament after which the next batch starts
BLOCKED: Final = PauseLimit(10 * SECOND, 10 * SECOND)  # most blocked tournaments wait for their director


class AdvanceTournaments(ContainerDuty):
    """Executes due actions of tournaments, a batch of a pass at a time; a blocked tournament is put off."""

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        self._after = PASS_BEGINS

    def __call__(self, connection: Connection) -> bool:
        now = self.container.now()
        each = EachStream(
            "tournaments", lambda tournament: attend(self.container, connection, tournament, now), BLOCKED
        )
        due = waiting(connection, now, self._after, BATCH)
        each.run(connection, now, due)
        more = len(due) == BATCH
        self._after = due[-1] if more else PASS_BEGINS
        if not more:
            each.retry(connection, now)
        return more

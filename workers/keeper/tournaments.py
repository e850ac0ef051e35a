"""The duty of the keeper for tournaments: executes their next actions."""

from typing import Final
from uuid import UUID

import structlog
from psycopg import Connection

from events.errors import CabildoError
from service.core.clock import SECOND
from service.tournaments.scheduler import attend, waiting
from workers.keeper.duty_context import ContainerDuty, KeeperContext

BATCH: Final = 50
AGAIN_AFTER: Final = 10 * SECOND  # most blocked tournaments wait for their director
log = structlog.get_logger("workers.keeper.tournaments")


class AdvanceTournaments(ContainerDuty):
    """Executes due actions of tournaments; retries a blocked tournament after a pause, without blocking others."""

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        self._stuck: dict[UUID, int] = {}  # until when

    def __call__(self, connection: Connection) -> bool:
        now, hands = self.container.now(), self.container
        self._stuck = {stuck: until for stuck, until in self._stuck.items() if until > now}
        for tournament in waiting(connection, now, [*self._stuck], BATCH):
            try:
                attend(hands, connection, tournament, now)
            except CabildoError as problem:
                self._stuck[tournament] = now + AGAIN_AFTER
                log.warning("tournament waits", tournament=str(tournament), reason=str(problem))
        return False

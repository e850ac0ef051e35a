"""The duty of the keeper for erased accounts: leaves the games and tournaments that they are still in."""

from typing import Final
from uuid import UUID

from psycopg import Connection

from service.players.commands.leaving import FinishErasure, finish_erasure
from workers.keeper.duty_context import ContainerDuty, KeeperContext
from workers.keeper.each_stream import EachStream

BATCH: Final = 20
FIRST: Final = UUID(int=0)
NEXT: Final = "SELECT player FROM erasures WHERE player > %s ORDER BY player LIMIT %s"


class FinishErasures(ContainerDuty):
    """Goes through the accounts whose erasure is not finished, a batch in each step, and begins again."""

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        self._each = EachStream("erasures", lambda player: finish_erasure(self.container, FinishErasure(player)))
        self._last = FIRST

    def __call__(self, connection: Connection) -> bool:
        players = [player for (player,) in connection.execute(NEXT, (self._last, BATCH)).fetchall()]
        self._each.run(connection, self.container.now(), players)
        self._each.retry(connection, self.container.now())
        self._last = players[-1] if len(players) == BATCH else FIRST
        return False

"""The duties of the keeper for accounts: leaves what erased ones are still in, and erases guests that nobody uses."""

from typing import Final
from uuid import UUID

from psycopg import Connection

from service.players.commands.guests import BATCH as GUESTS
from service.players.commands.guests import EraseUnusedGuests, erase_unused_guests
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


class EraseGuests(ContainerDuty):
    """Erases guests whose browsers have not come back, a batch in each step."""

    def __call__(self, _connection: Connection) -> bool:
        return erase_unused_guests(self.container, EraseUnusedGuests()) == GUESTS

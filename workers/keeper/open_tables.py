"""The duty of the keeper for open tables: announces the end of those that nobody joins."""

from typing import Final
from uuid import UUID

from psycopg import Connection

from service.core.command_handler import BY_SERVICE
from service.games.commands.upkeep import AnnounceExpiry, announce_expiry
from service.games.decisions.expiry import DAY, notice
from workers.keeper.duty_context import ContainerDuty, KeeperContext
from workers.keeper.each_stream import EachStream

BATCH: Final = 200
IDLE: Final = """
SELECT id FROM games WHERE idle_since <= %s
    AND id NOT IN (SELECT stream FROM stuck_streams WHERE duty = 'open tables')
ORDER BY idle_since, id LIMIT %s
"""


class AnnounceExpiries(ContainerDuty):
    """Announces the end of idle tables, a batch in each step; their deadlines then end them as others end games."""

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        self._each = EachStream("open tables", self._announce)

    def __call__(self, connection: Connection) -> bool:
        now, days = self.container.now(), self.container.settings.open_table_days
        idle = [id for (id,) in connection.execute(IDLE, (now - days * DAY + notice(days), BATCH)).fetchall()]
        self._each.run(connection, now, idle)
        self._each.retry(connection, now)
        return len(idle) == BATCH

    def _announce(self, game: UUID) -> None:
        announce_expiry(self.container, AnnounceExpiry(game), BY_SERVICE)

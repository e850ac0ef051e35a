"""The duty of the keeper for days away: their beginnings and ends come into the games of each player."""

from typing import Final
from uuid import UUID

from psycopg import Connection

from service.core.command_handler import BY_SERVICE
from service.games.commands.settle import SettleTime, settle_time
from service.players.vacation.declared_days import next_due, note_kept, running_games
from workers.keeper.duty_context import ContainerDuty, KeeperContext
from workers.keeper.each_stream import EachStream

BATCH: Final = 100
FIRST: Final = UUID(int=0)


class KeepVacations(ContainerDuty):
    """Settles the running games of a player whose days away began or ended, a batch in each step.

    A game that states them already is left alone, so that a keeper that died in the middle only begins again.
    """

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        self._player, self._after = FIRST, FIRST

    def __call__(self, connection: Connection) -> bool:
        now = self.container.now()
        vacation = next_due(connection, now)
        if vacation is None:
            return False
        if vacation.player != self._player:
            self._player, self._after = vacation.player, FIRST
        games = running_games(connection, vacation.player, self._after, BATCH)
        EachStream("time", self._settle).run(connection, now, games)
        if len(games) == BATCH:
            self._after = games[-1]
            return True
        self._after = FIRST
        note_kept(connection, vacation, now)
        return True

    def _settle(self, game: UUID) -> None:
        settle_time(self.container, SettleTime(game), BY_SERVICE)

"""Holds what stands beside the events of tournaments against them: rows of lists, entries, declared games, seeds."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from psycopg import Connection

from events.errors import CabildoError
from events.log.integrity import BOARDS, SEEDS, Fault, Stretch
from events.sealing.vault import Vault
from events.store.postgres import head, read
from projections.games.chance import check_seed
from projections.tournaments import directory
from projections.tournaments.fold import record_of
from projections.tournaments.record import TournamentRecord
from service.core.sealing.sealed_columns import SEALED_SEEDS
from service.core.seeds import SEED

AT_ONCE: Final = 20
TOURNAMENTS: Final = """
SELECT stream FROM streams_begun WHERE kind = 'tournament_declared' AND stream > %s ORDER BY stream LIMIT %s
"""
HOW_MANY: Final = """
SELECT count(*), count(*) FILTER (WHERE stream <= %s) FROM streams_begun WHERE kind = 'tournament_declared'
"""
ROW: Final = """
SELECT id, version, head, title, game, status, visibility, host, entrants, rounds, starts, ends, due, created, changed
FROM tournaments WHERE id = %s
"""
ENTRIES: Final = "SELECT number, player, gone FROM entries WHERE id = %s ORDER BY number"
GAMES: Final = "SELECT game::text, settled, deal::text, awaited FROM games_declared WHERE id = %s ORDER BY game"
FIRST: Final = UUID(int=0)
UNREADABLE: Final = (CabildoError, LookupError, TypeError, ValueError)


class Tournaments:
    """Rows and seeds of every tournament, made once more from its events."""

    def __init__(self, connection: Connection, vault: Vault) -> None:
        self._connection = connection
        self._vault = vault

    def part(self, after: str) -> Iterator[Stretch]:
        """Tournament by tournament."""
        last = UUID(after) if after else FIRST
        total, done = self._connection.execute(HOW_MANY, (last,)).fetchone() or (0, 0)
        while found := [stream for (stream,) in self._connection.execute(TOURNAMENTS, (last, AT_ONCE))]:
            last, done = found[-1], done + len(found)
            faults = [fault for tournament in found for fault in self._faults(tournament)]
            yield Stretch(str(last), done, max(done, total), tuple(faults))

    def _faults(self, tournament: UUID) -> Iterator[Fault]:
        try:
            record = record_of(read(self._connection, tournament))
        except UNREADABLE as fault:
            yield Fault(BOARDS, f"tournament {tournament} cannot be read from its events: {fault}")
            return
        assert record is not None  # its first event was just found
        made = directory.row(tournament, head(self._connection, tournament), record)
        if self._connection.execute(ROW, (tournament,)).fetchone() != made:
            yield Fault(BOARDS, f"the row of tournament {tournament} is not what its events make")
        if not self._are_listed(tournament, record):
            yield Fault(BOARDS, f"the entries or games of tournament {tournament} are not what its events make")
        yield from self._seed_faults(tournament, record)

    def _are_listed(self, tournament: UUID, record: TournamentRecord) -> bool:
        entries = [(entry.number, entry.player, entry.gone is not None) for entry in record.entries]
        waited_for = {*directory.watched(record)}
        awaited = {*directory.awaited(record)}
        games = sorted(
            (str(table.game), table.game not in waited_for, current.deal, table.game in awaited)
            for current, table in record.games()
        )
        listed = self._connection.execute(GAMES, (tournament,)).fetchall()
        return self._connection.execute(ENTRIES, (tournament,)).fetchall() == entries and listed == games

    def _seed_faults(self, tournament: UUID, record: TournamentRecord) -> Iterator[Fault]:
        if record.commitment is None:
            return
        row = self._connection.execute(SEED, (tournament,)).fetchone()
        if row is None:
            yield Fault(SEEDS, f"the seed of tournament {tournament} is gone")
            return
        try:
            seed = self._vault.open(SEALED_SEEDS, tournament, bytes(row[0]))
            check_seed(tournament, bytes.fromhex(record.commitment), seed)
        except CabildoError as fault:
            yield Fault(SEEDS, f"the seed of tournament {tournament}: {fault}")

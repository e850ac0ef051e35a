"""Tables with a shared deal: closed to all but their own players and the directors until the last one ends."""

from collections.abc import Sequence
from typing import Final, LiteralString
from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from projections.games.record import GameRecord
from projections.tournaments.record import RoundRecord
from projections.tournaments.record import TournamentRecord as Tournament
from service.core.errors import TableClosed
from service.games.game_state import GameState
from service.tournaments.tournament_repository import TournamentRepository

# Tables of the deal that are not created yet, wait for players, or are running.
STILL_PLAYED: Final[LiteralString] = """
SELECT d.game FROM games_declared AS d
WHERE d.deal = %s AND (d.awaited OR d.game IN (
        SELECT id FROM games WHERE tournament IS NOT NULL AND status IN ('open', 'running')
    ))
"""
STILL_PLAYED_OF: Final[LiteralString] = """
SELECT DISTINCT d.deal::text FROM games_declared AS d
WHERE d.id = %s AND d.deal IS NOT NULL AND (d.awaited OR d.game IN (
        SELECT id FROM games WHERE tournament IS NOT NULL AND status IN ('open', 'running')
    ))
"""
CLOSED_AMONG: Final[LiteralString] = """
SELECT DISTINCT own.game FROM games_declared AS own
JOIN games_declared AS d ON d.deal = own.deal
WHERE own.game = ANY (%s) AND (d.awaited OR d.game IN (
        SELECT id FROM games WHERE tournament IS NOT NULL AND status IN ('open', 'running')
    )) ORDER BY own.game
"""
CLOSED: Final[LiteralString] = """
SELECT own.game FROM games_declared AS own WHERE own.deal IN (
    SELECT deal FROM games_declared WHERE awaited AND deal IS NOT NULL
    UNION SELECT deal FROM games_declared WHERE deal IS NOT NULL AND game IN (
        SELECT id FROM games WHERE tournament IS NOT NULL AND status IN ('open', 'running')
    )
)
"""
# For a row `g` of games: leaves out the tables that are closed to the asker. A cluster takes no null to compare with.
OPEN_TO_ASKER: Final[LiteralString] = (
    """(
    g.tournament IS NULL
    OR EXISTS (SELECT FROM places WHERE id = g.id AND player = coalesce(%(asker)s, ''))
    OR EXISTS (SELECT FROM kept_seats WHERE id = g.id AND player = coalesce(%(asker)s, ''))
    OR g.id NOT IN ("""  # noqa: S608 - constants alone
    + CLOSED
    + "))"
)


class SharedDeals:
    """Checks which shared deals are still being played, and which players may see their tables."""

    def __init__(self, pool: ConnectionPool[Connection], tournaments: TournamentRepository) -> None:
        self._pool = pool
        self._tournaments = tournaments

    def still_played(self, deal: str | None) -> int:
        """Returns the number of unfinished tables of a deal; 0 without a deal."""
        if deal is None:
            return 0
        with self._pool.connection() as connection:
            return len(connection.execute(STILL_PLAYED, (UUID(deal),)).fetchall())

    def need_open(self, table: GameState, player: str | None) -> None:
        """Raises TableClosed when the game is closed to the player."""
        playing = self._playing(table.known, player)
        if playing:
            raise TableClosed(table.id, str(table.known.tournament), playing)

    def _playing(self, record: GameRecord, player: str | None) -> int:
        """Returns the number of tables that keep a game closed to a player."""
        if record.deal is None or (player is not None and record.expects(player)):
            return 0
        playing = self.still_played(record.deal)
        return 0 if playing and self._directs(record, player) else playing

    def _directs(self, record: GameRecord, player: str | None) -> bool:
        """Returns whether a player directs the tournament without playing in the round of the deal."""
        if player is None or record.tournament is None:
            return False
        return oversees(self._tournaments.load(UUID(record.tournament)).known, record.deal, player)


def closed_among(connection: Connection, games: Sequence[UUID]) -> list[UUID]:
    """Returns the games whose deal is still being played; they must not be published."""
    return [game for (game,) in connection.execute(CLOSED_AMONG, (list(games),)).fetchall()]


def still_played_of(connection: Connection, tournament: UUID) -> frozenset[str]:
    """Returns the deals of a tournament that are still being played."""
    return frozenset(deal for (deal,) in connection.execute(STILL_PLAYED_OF, (tournament,)).fetchall())


def oversees(tournament: Tournament, deal: str | None, player: str) -> bool:
    """Returns whether a director does not play in the round of a deal, and so may see all its tables."""
    return tournament.directs(player) and not plays(tournament, deal, player)


def opened_to(tournament: Tournament, current: RoundRecord, player: str | None) -> frozenset[int]:
    """Returns the numbers of the tables that a player may see during the deal."""
    if player is None:
        return frozenset()
    entry = tournament.entry_of(player)
    everything = oversees(tournament, current.deal, player)
    own = None if entry is None else entry.number
    return frozenset(table.number for table in current.tables if everything or own in table.seats)


def plays(tournament: Tournament, deal: str | None, player: str) -> bool:
    """Returns whether a player has a seat at a table of a deal."""
    entry = tournament.entry_of(player)
    rounds = [one for one in tournament.rounds if one.deal == deal]
    return entry is not None and any(entry.number in table.paired for one in rounds for table in one.tables)

"""Reads the newest games of a state as lists show them."""

from psycopg import Connection
from psycopg_pool import ConnectionPool

from service.games import search, written_records
from service.games.lists.public_lists import NewestGames, PlacedGame
from service.tournaments.at_table import listed
from service.tournaments.tournament_repository import TournamentRepository


def newest_public(
    pool: ConnectionPool[Connection], tournaments: TournamentRepository, status: str, limit: int
) -> NewestGames:
    """Returns the newest public games, as a visitor without an account sees them."""
    return _read(pool, tournaments, {"status": status}, None, limit)


def newest_own(
    pool: ConnectionPool[Connection], tournaments: TournamentRepository, status: str, player: str, limit: int
) -> NewestGames:
    """Returns the newest games in which a player sits, is awaited, or is the host of a private one, as the player sees
    them."""
    return _read(pool, tournaments, {"status": status, "own": True}, player, limit)


def _read(
    pool: ConnectionPool[Connection],
    tournaments: TournamentRepository,
    asked: dict[str, object],
    player: str | None,
    limit: int,
) -> NewestGames:
    """Holds no connection while tournaments are loaded, which takes one."""
    with pool.connection() as connection:
        page = search.find(connection, asked, player, limit)
        known = search.known_players(connection, page.rows)
        records = written_records.records(connection, search.imported(page.rows))
    entries = listed(tournaments, (search.document(row, known, player, records) for row in page.rows))
    games = [PlacedGame(row["created"], row["id"], entry) for row, entry in zip(page.rows, entries, strict=True)]
    return NewestGames(games, page.next is not None)

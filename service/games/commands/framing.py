"""Lets pages of other sites show a game, or forbids it, as its host says; no event tells of it."""

from typing import Final
from uuid import UUID

from psycopg import Connection

from service.container import Container
from service.core.errors import NotAllowed
from service.games import access
from service.players.identity import Identity

FORBID: Final = "INSERT INTO unframed_games (id, since) VALUES (%s, %s) ON CONFLICT (id) DO NOTHING"
ALLOW: Final = "DELETE FROM unframed_games WHERE id = %s"
FORBIDDEN: Final = "SELECT 1 FROM unframed_games WHERE id = %s"


def change_framing(here: Container, game: UUID, host: Identity, *, allowed: bool) -> None:
    """Stores the choice of a game's host or a director of its tournament. Raises NotThere; NotAllowed for others."""
    table = here.games.load(game)
    access.see(here.deals, table, host.id)
    if not access.leads(here.tournaments, table.known, host.id):
        raise NotAllowed("not_host", "only the host of the game and the directors of its tournament say who shows it")
    with here.stores.pool.connection() as connection:
        if allowed:
            connection.execute(ALLOW, (game,))
        else:
            connection.execute(FORBID, (game, here.now()))


def may_be_framed(connection: Connection, game: UUID) -> bool:
    """Returns whether the host lets pages of other sites show the game."""
    return connection.execute(FORBIDDEN, (game,)).fetchone() is None

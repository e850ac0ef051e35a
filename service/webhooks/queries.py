"""Reads the webhooks of a player, and whether the player may follow a tournament or a game."""

from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.container import Container
from service.core.errors import NotAllowed, NotThere
from service.games.visibility import visible_game
from service.tournaments.queries import visible_tournament
from service.webhooks.slots import Followed

SELECT: Final = """
SELECT id, url, tournament, game, created, delivered, failed, error, waiting, dropped, failing, off, off_because,
    expires
FROM webhooks WHERE player = %s AND (%s::uuid IS NULL OR id = %s) ORDER BY created, id
"""
COUNT_OFF: Final = "SELECT count(*) FROM webhooks WHERE player = %s AND off IS NOT NULL"


class Hook(NamedTuple):
    """A webhook without its secret, with the times of its newest deliveries."""

    id: UUID
    url: str
    tournament: UUID | None
    game: UUID | None
    created: int
    delivered: int | None = None
    failed: int | None = None
    error: str | None = None
    waiting: int = 0
    dropped: int = 0
    failing: int | None = None  # since when
    off: int | None = None
    off_because: str | None = None
    expires: int | None = None

    @property
    def followed(self) -> Followed:
        """What the webhook follows."""
        return Followed(self.tournament, self.game)


def hooks_of(connection: Connection, player: UUID, id: UUID | None = None) -> list[Hook]:
    """Returns the webhooks of a player, oldest first; with an id, that one or none."""
    with connection.cursor(row_factory=class_row(Hook)) as cursor:
        return cursor.execute(SELECT, (player, id, id)).fetchall()


def get_hook(connection: Connection, player: UUID, id: UUID) -> Hook:
    """Returns a webhook of a player; raises NotThere."""
    found = hooks_of(connection, player, id)
    if not found:
        raise NotThere("webhook", id)
    return found[0]


def count_off(connection: Connection, player: UUID) -> int:
    """Returns the number of a player's webhooks that the service switched off."""
    row = connection.execute(COUNT_OFF, (player,)).fetchone()
    return int(row[0]) if row else 0


def check_access(here: Container, player: UUID, followed: Followed) -> None:
    """Raises NotThere, TableClosed or NotAllowed for what the player may not follow; checked again before sending.

    Spectators of a game that they see with a delay would hear of its moves too soon.
    """
    if followed.tournament is not None:
        visible_tournament(here, followed.tournament, str(player))
    if followed.game is not None and visible_game(here.games, here.deals, followed.game, str(player)).behind:
        raise NotAllowed("delayed", "only players of this game learn of its events without a delay")

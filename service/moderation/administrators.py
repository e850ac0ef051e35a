"""Administrators: players whose browser sessions may use the administrators' page, appointed by the operator alone.

The right belongs to no token and to no API of a session; the page asks the database for it at every request.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from service.container import Container
from service.core.errors import NotAllowed, NotThere
from service.moderation.record import OPERATOR, AdministrativeAct, record_act
from service.players.queries import get_player

APPOINT: Final = "INSERT INTO administrators (player, since) VALUES (%s, %s) ON CONFLICT DO NOTHING"
DISMISS: Final = "DELETE FROM administrators WHERE player = %s"
IS_ONE: Final = "SELECT FROM administrators JOIN players ON id = player WHERE player = %s AND forgotten IS NULL"
ALL: Final = "SELECT player, since FROM administrators ORDER BY since, player"


class AppointAdministrator(NamedTuple):
    """Lets a player use the administrators' page."""

    player: UUID


class DismissAdministrator(NamedTuple):
    """Takes the administrators' page from a player."""

    player: UUID


class AppointedPlayer(NamedTuple):
    """A player who may use the administrators' page."""

    player: UUID
    since: int


def appoint_administrator(here: Container, command: AppointAdministrator) -> None:
    """Appoints a player; an administrator stays one. Raises NotThere, or NotAllowed for a bot."""
    with here.stores.pool.connection() as connection, connection.transaction():
        player = get_player(connection, command.player)
        if player.name is None:
            raise NotThere("player", player.id)
        if player.bot:
            raise NotAllowed("bot", "a bot has no browser sessions, and cannot be an administrator")
        if connection.execute(APPOINT, (player.id, here.now())).rowcount:
            record_act(connection, here.now(), _act("administrator_appointed", player.id))


def dismiss_administrator(here: Container, command: DismissAdministrator) -> None:
    """Dismisses an administrator, whose sessions lose the page at once. Raises NotThere."""
    with here.stores.pool.connection() as connection, connection.transaction():
        if not connection.execute(DISMISS, (command.player,)).rowcount:
            raise NotThere("administrator", command.player)
        record_act(connection, here.now(), _act("administrator_dismissed", command.player))


def is_administrator(connection: Connection, player: UUID) -> bool:
    """Returns whether a player may use the administrators' page."""
    return connection.execute(IS_ONE, (player,)).rowcount > 0


def all_administrators(connection: Connection) -> Sequence[AppointedPlayer]:
    """Returns the appointed players, those of longest standing first."""
    return [AppointedPlayer(*row) for row in connection.execute(ALL).fetchall()]


COMMANDS: Final[Mapping[type, Callable[[Container, Any], None]]] = {
    AppointAdministrator: appoint_administrator,
    DismissAdministrator: dismiss_administrator,
}


def _act(act: str, player: UUID) -> AdministrativeAct:
    return AdministrativeAct(OPERATOR, act, str(player))

"""Players' accounts as the operator's commands reach them: by name, without the API."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import click
from psycopg import Connection

from deploy.local.data_folder import DataFolder, settings_of
from deploy.local.versions import postgresql_version
from events.json_types import Json
from events.store.connections import connect
from service.container import Container, open_container
from service.core import clock
from service.moderation.record import OPERATOR, AdministrativeAct, record_act
from service.players.queries import id_by_name


class PlayerMissing(click.ClickException):
    """No player has this name now."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"there is no player {name!r}; look the name up at /players, or register one with cabildo token issue --new"
        )
        self.name = name


@contextmanager
def accounts_database(folder: DataFolder) -> Iterator[Connection]:
    """Connects to the database of an installation."""
    settings = settings_of(folder)[0].direct()
    postgresql_version(settings.database_url)
    with connect(settings.database_url) as connection:
        yield connection


def find_player(connection: Connection, name: str) -> UUID:
    """Returns the id of a player by name; raises BadName or PlayerMissing."""
    id = id_by_name(connection, name)
    if id is None:
        raise PlayerMissing(name)
    return UUID(id)


def record_operators_act(
    connection: Connection, act: str, subject: str | None = None, reason: str | None = None, **details: Json
) -> None:
    """Records an act of the command line in the transaction of the connection."""
    record_act(connection, clock.now(), AdministrativeAct(OPERATOR, act, subject, reason, details))


@contextmanager
def operators_container(folder: DataFolder) -> Iterator[Container]:
    """Opens the container of a command that runs use cases of the service."""
    settings = settings_of(folder)[0].direct()
    postgresql_version(settings.database_url)
    container = open_container(settings, OPERATOR)
    try:
        yield container
    finally:
        container.close()

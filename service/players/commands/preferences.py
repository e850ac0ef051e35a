"""Changes the own settings of a player."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from service.container import Container
from service.core.errors import NotThere
from service.players.identity import Identity
from service.players.preferences.schemas import SettingsBody
from service.players.preferences.stored_settings import change_stored
from service.players.preferences.values import QUIET


class ChangeSettings(NamedTuple):
    """Changes some settings of the client."""

    client: Identity
    changes: SettingsBody


def change_settings(here: Container, command: ChangeSettings) -> Mapping[str, Any]:
    """Changes settings. Returns all that are stored; raises NotThere for an erased account."""
    with here.stores.pool.connection() as connection:
        stored = change_stored(connection, here.now(), command.client.player, _to_store(command.changes))
    if stored is None:
        raise NotThere("player", command.client.player)
    return stored


def _to_store(changes: SettingsBody) -> Mapping[str, Any]:
    quiet = changes.get("quiet_hours")
    hours = {} if quiet is None else {QUIET: {"from": quiet["begin"], "until": quiet["until"]}}
    return {**changes, **hours}

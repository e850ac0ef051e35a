"""A duty of the keeper: to lay out what webhooks are to be told, and to ring for all that is due."""

from collections.abc import Mapping
from typing import Any

from psycopg import Connection

from service.config import Settings
from service.webhooks import deliveries
from service.world import World, open_world


class Notifying:
    """Follows the log for webhooks; what a worker lost is due again and rung for again."""

    def __init__(self, settings: Settings, _environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._world: World | None = None

    def __call__(self, connection: Connection[Any]) -> bool:
        world = self._world = self._world or open_world(self._settings, "keeper")
        now = world.now()
        deliveries.lay_out(connection, now)
        for hook, number, attempts in deliveries.due(connection, now):
            world.announcer.call_courier(hook, number, attempts)
        return False

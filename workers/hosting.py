"""A duty of the keeper: to move tournaments on where something is due."""

from collections.abc import Mapping
from typing import Any, Final

import structlog
from psycopg import Connection

from events.errors import CabildoError
from service.config import Settings
from service.tournaments.starting import Hands
from service.tournaments.steward import attend, waiting
from service.world import World, open_world

BATCH: Final = 50
log = structlog.get_logger("workers.hosting")


class Hosting:
    """Attends to tournaments; one that cannot go on keeps no other waiting."""

    def __init__(self, settings: Settings, _environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._world: World | None = None

    def __call__(self, connection: Connection[Any]) -> bool:
        world = self._world = self._world or open_world(self._settings, "keeper")
        hands, now = Hands(world.desk, world.clerk), world.now()
        due = waiting(connection, now, BATCH)
        for tournament in due:
            try:
                attend(hands, connection, tournament, now)
            except CabildoError as problem:
                log.warning("tournament waits", tournament=str(tournament), reason=str(problem))
        return False

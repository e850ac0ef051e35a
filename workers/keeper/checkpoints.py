"""The duty of the keeper for old checkpoints: thins them out, a batch of a pass at a time."""

from typing import Final

import structlog
from psycopg import Connection

from events.log.old_checkpoints import thin_checkpoints
from events.log.sealer import current_origin
from service.proof.public_log import files_of, shown_in
from workers.keeper.duty_context import KeeperContext

BEGINNING: Final = -1  # the size after which a first pass starts
log = structlog.get_logger("workers.keeper.checkpoints")


class ThinCheckpoints:
    """Thins out checkpoints smaller than the one that was public when the last pass ended.

    A pass begins where the last one ended. The first step after a start only notes what is public.
    """

    def __init__(self, context: KeeperContext) -> None:
        self._settings = context.settings
        self._origin: str | None = None
        self._public = 0
        self._after = BEGINNING

    def __call__(self, connection: Connection) -> bool:
        origin = current_origin(connection)
        if origin is None:
            return False
        if origin != self._origin:
            self._origin, self._after = origin, BEGINNING
            self._public = shown_in(files_of(self._settings, origin))
            return False
        examined, removed = thin_checkpoints(connection, origin, self._public, self._after)
        if removed:
            log.info("checkpoints thinned out", origin=origin, removed=removed, after=self._after)
        if examined is None:
            self._public = shown_in(files_of(self._settings, origin))
            return False
        self._after = examined
        return True

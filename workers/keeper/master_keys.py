"""Duties of the keeper while one master key replaces another: encrypt secrets and archived events under the new one."""

from collections.abc import Iterator

import structlog
from psycopg import Connection

from service.core.sealing.key_rotation import Resealed, begin_rotation, reseal_all
from service.proof.public_log import archive_of
from workers.keeper.duty_context import ContainerDuty, KeeperContext

log = structlog.get_logger("workers.keeper.master_keys")


class ResealSecrets(ContainerDuty):
    """Encrypts secrets of the database that are under the previous key, a batch in a step; then looks again."""

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        self._left: Iterator[Resealed] | None = None

    def __call__(self, connection: Connection) -> bool:
        if not self.container.vault.is_replacing:
            return False
        if self._left is None:
            begin_rotation(connection, self.container.vault, self.container.now())
            self._left = reseal_all(connection, self.container.vault)
        batch = next(self._left, None)
        if batch is None:
            self._left = None
            return False
        log.info("secrets encrypted under the new master key", count=batch.changed, lost=len(batch.lost))
        return True


class ResealArchive:
    """Encrypts this keeper's archived events that are under the previous key, some files in a step."""

    def __init__(self, context: KeeperContext) -> None:
        self._settings = context.settings
        self._left: Iterator[object] | None = None

    def __call__(self, _connection: Connection) -> bool:
        if not self._settings.master_keys.is_replacing:
            return False
        if self._left is None:
            self._left = archive_of(self._settings).reseal()
        if next(self._left, None) is None:
            self._left = None
            return False
        return True

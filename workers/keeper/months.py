"""The duty of the keeper for the partitions of events: makes those of the next months ahead of time."""

from typing import Final

import structlog
from psycopg import Connection

from workers.keeper.duty_context import KeeperContext
from workers.keeper.keeper import Work

AHEAD: Final = 3  # months
MAKE: Final = "SELECT make_months(%s)"
log = structlog.get_logger("workers.keeper.months")


def make_months(connection: Connection) -> bool:
    """Makes the partitions that are missing; without them, events of a new month go to the default partition."""
    row = connection.execute(MAKE, (AHEAD,)).fetchone()
    if row is not None and row[0]:
        log.info("partitions made", months=row[0])
    return False


def prepare_months(_context: KeeperContext) -> Work:
    """Returns the step of the duty."""
    return make_months

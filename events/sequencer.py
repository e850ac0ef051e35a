"""Gives every event its number in the one order that all follow: dense, and the leaf number of the public log."""

import threading
from typing import Any

import structlog
from psycopg import Connection

from events.connections import Connect, keep_connected
from events.failpoints import failpoint

SEQUENCE = "SELECT sequence(%s)"
CHANNEL = "cabildo_log"
WAKE = f"NOTIFY {CHANNEL}"
BATCH = 1_000
PAUSE = 0.03  # seconds between looks at an empty outbox

before_commit = failpoint("sequence.before_commit")
after_commit = failpoint("sequence.after_commit")

log = structlog.get_logger(__name__)


def sequence_once(connection: Connection[Any], most: int = BATCH) -> int:
    """Number what waits and wake who follows; 0 when nothing waits or another process is at it.

    Any number of processes may do this at once: a lock that lives as long as the transaction lets one through.
    """
    with connection.transaction():
        row = connection.execute(SEQUENCE, (most,)).fetchone()
        before_commit()
    after_commit()
    moved: int = row[0] or 0 if row else 0
    if moved:
        connection.execute(WAKE)
    return moved


def run(connect: Connect, stop: threading.Event) -> None:
    """Sequence until told to stop, over connections that may break."""

    def work(connection: Connection[Any]) -> None:
        while not stop.is_set():
            if sequence_once(connection) < BATCH:
                stop.wait(PAUSE)

    keep_connected(connect, work, stop)

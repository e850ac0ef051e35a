"""Gives every event its number in the one order that all follow: dense, and the leaf number of the public log."""

from psycopg import Connection

from events.store.failpoints import failpoint

OLDEST = "SELECT number FROM outbox ORDER BY number LIMIT 1"
SEQUENCE = "SELECT sequence(%s)"
CHANNEL = "cabildo_log"
WAKE = f"NOTIFY {CHANNEL}"
BATCH = 4_000
PAUSE = 0.05  # seconds between looks at an empty outbox
MANY = 100  # where so many come in at once, fewer and larger steps do: each has its price
REST = 0.2  # seconds until the next of them

before_commit = failpoint("sequence.before_commit")
after_commit = failpoint("sequence.after_commit")


def sequence_once(connection: Connection, most: int = BATCH) -> int:
    """Number what waits and wake who follows; 0 when nothing waits or another process is at it.

    Any number of processes may do this at once: a lock that lives as long as the transaction lets one through.
    """
    if connection.execute(OLDEST).fetchone() is None:
        return 0
    with connection.transaction():
        row = connection.execute(SEQUENCE, (most,)).fetchone()
        moved: int = row[0] or 0 if row else 0
        if moved:
            connection.execute(WAKE)
        before_commit()
    after_commit()
    return moved

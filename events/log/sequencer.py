"""Numbers events in one dense total order; the number is the leaf index of the public log."""

from psycopg import Connection

from events.store.failpoints import failpoint

OLDEST = "SELECT number FROM outbox ORDER BY number LIMIT 1"
SEQUENCE = "SELECT sequence(%s)"
CHANNEL = "cabildo_log"
WAKE = f"NOTIFY {CHANNEL}"
BATCH = 4_000
PAUSE = 0.05  # seconds between two polls of an empty outbox
MANY = 100  # above this load, fewer and larger steps cost less
REST = 0.2  # seconds until the next large step

before_commit = failpoint("sequence.before_commit")
after_commit = failpoint("sequence.after_commit")


def sequence_once(connection: Connection, most: int = BATCH) -> int:
    """Numbers waiting events and notifies followers; returns 0 when none wait, another process does it, or the gate
    of the log is shut.

    Any number of processes may call it: a lock held for the transaction admits one.
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

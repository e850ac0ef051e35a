"""The gate before sequencing and signing: after a restore or a promotion it stays closed until signing is safe.

A restored database would sign other trees at sizes that are signed already. So a keeper opens the gate only when the
newest public checkpoints are of a size that the database has, with the same root. The database itself refuses appends,
sequencing and seals while the gate is shut, and counts only what was written since its server's start.
"""

from typing import NamedTuple

from psycopg import Connection

CLUSTER = "SELECT running_cluster()"
IS_OPEN = "SELECT gate_is_open()"
NEWEST = "SELECT cluster, open, reason FROM gates ORDER BY number DESC LIMIT 1"
LAST_OPEN = "SELECT cluster FROM gates WHERE open ORDER BY number DESC LIMIT 1"
NOT_ASKED = "no keeper has compared this database with what was published since its server started"
WRITE = "INSERT INTO gates (cluster, open, reason) VALUES (%s, %s, %s)"


class State(NamedTuple):
    """The last state of the gate, and the cluster it was set in; a restored or promoted cluster is another."""

    cluster: str
    open: bool
    reason: str


def cluster(connection: Connection) -> str:
    """Returns the name of this database of this server since its start: no copy, and no later start, shares it."""
    row = connection.execute(CLUSTER).fetchone()
    return str(row[0]) if row else ""


def gate_state(connection: Connection) -> State | None:
    """Returns the last state of the gate, or None before it was first opened."""
    row = connection.execute(NEWEST).fetchone()
    return State(*row) if row else None


def is_open(connection: Connection) -> bool:
    """Returns whether events of this database may be written, sequenced and sealed."""
    row = connection.execute(IS_OPEN).fetchone()
    return bool(row and row[0])


def reason_shut(connection: Connection) -> str | None:
    """Returns why nothing is written, sequenced and sealed here; None while the gate is open."""
    if is_open(connection):
        return None
    left = gate_state(connection)
    return left.reason if left and not left.open and left.cluster == cluster(connection) else NOT_ASKED


def set_gate(connection: Connection, *, is_open: bool, reason: str) -> None:
    """Opens or closes the gate for this cluster."""
    now = State(cluster(connection), is_open, reason)
    if gate_state(connection) != now:
        connection.execute(WRITE, now)


def same_server(connection: Connection) -> bool:
    """Returns whether the gate was last opened on this server and timeline, though perhaps before its last start."""
    row = connection.execute(LAST_OPEN).fetchone()
    return row is not None and str(row[0]).split("/")[:2] == cluster(connection).split("/")[:2]

"""The gate before sequencing and signing: after a restore or a promotion it stays closed until signing is safe.

A restored database would sign other trees at sizes that are signed already. So every process checks the gate before it
sequences or seals: the newest public checkpoints must be of a size that the database has, with the same root.
"""

from typing import NamedTuple

from psycopg import Connection

CLUSTER = """
SELECT system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) FROM pg_control_system()
"""
NEWEST = "SELECT cluster, open, reason FROM gates ORDER BY number DESC LIMIT 1"
LAST_OPEN = "SELECT cluster FROM gates WHERE open ORDER BY number DESC LIMIT 1"
WRITE = "INSERT INTO gates (cluster, open, reason) VALUES (%s, %s, %s)"


class State(NamedTuple):
    """The last state of the gate, and the cluster it was set in; a restored or promoted cluster is another."""

    cluster: str
    open: bool
    reason: str


def cluster(connection: Connection) -> str:
    """Returns the identity of this cluster: a copy shares its identifier, but not its timeline."""
    row = connection.execute(CLUSTER).fetchone()
    return str(row[0]) if row else ""


def gate_state(connection: Connection) -> State | None:
    """Returns the last state of the gate, or None before it was first opened."""
    row = connection.execute(NEWEST).fetchone()
    return State(*row) if row else None


def is_open(connection: Connection) -> bool:
    """Returns whether this cluster may sequence events and seal the log."""
    left = gate_state(connection)
    return left is not None and left.open and left.cluster == cluster(connection)


def set_gate(connection: Connection, *, is_open: bool, reason: str) -> None:
    """Opens or closes the gate for this cluster."""
    now = State(cluster(connection), is_open, reason)
    if gate_state(connection) != now:
        connection.execute(WRITE, now)


def same_server(connection: Connection) -> bool:
    """Returns whether the gate was last opened on this server and timeline, though perhaps before its last start."""
    row = connection.execute(LAST_OPEN).fetchone()
    return row is not None and str(row[0]).split("/")[:2] == cluster(connection).split("/")[:2]

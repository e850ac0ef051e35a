"""The gate before sequencing and signing: after a restore or a promotion it stays closed until signing is safe.

A restored database would sign other trees at sizes that are signed already. So every process checks the gate before it
sequences or seals: the newest public checkpoints must be of a size that the database has, with the same root.
"""

from collections.abc import Mapping
from typing import NamedTuple

from psycopg import Connection

from events.log.leaves import leaf_hashes, log_size
from events.log.sealer import newest_seal, seals_after
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note
from events.merkle.tree import RightEdge

CLUSTER = """
SELECT system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) FROM pg_control_system()
"""
NEWEST = "SELECT cluster, open, reason FROM gates ORDER BY number DESC LIMIT 1"
WRITE = "INSERT INTO gates (cluster, open, reason) VALUES (%s, %s, %s)"

NewestCheckpoints = Mapping[str, bytes | None]  # source -> its newest checkpoint; None: unreachable, b"": it has none


class State(NamedTuple):
    """The last state of the gate, and the cluster it was set in; a restored or promoted cluster is another."""

    cluster: str
    open: bool
    reason: str


class SigningDoubt(NamedTuple):
    """A reason to keep the gate closed."""

    sentence: str
    contradicts: bool  # False: a source is unreachable, which an operator may accept


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


def open_if_safe(connection: Connection, origin: str, published: NewestCheckpoints) -> list[SigningDoubt]:
    """Opens the gate when there are no doubts, else closes it; returns the doubts."""
    left = gate_state(connection)
    known = left is not None and left.open and left.cluster == cluster(connection)
    doubts = find_doubts(connection, origin, published)
    if known:
        doubts = [doubt for doubt in doubts if doubt.contradicts]
    set_gate(connection, is_open=not doubts, reason="; ".join(doubt.sentence for doubt in doubts) or "reconciled")
    return doubts


def find_doubts(connection: Connection, origin: str, published: NewestCheckpoints) -> list[SigningDoubt]:
    """Returns the doubts about continuing the log of this database."""
    doubts = [_doubt(connection, origin, name, data) for name, data in published.items()]
    return [doubt for doubt in doubts if doubt is not None]


def _doubt(connection: Connection, origin: str, name: str, data: bytes | None) -> SigningDoubt | None:
    if data is None:
        return SigningDoubt(f"{name} cannot be asked", contradicts=False)
    if not data:
        sealed = newest_seal(connection, origin)
        return SigningDoubt(f"{name} has no checkpoint", contradicts=False) if sealed and sealed.size else None
    seen = Checkpoint.parse(Note.parse(data).text)
    if seen.origin != origin:
        return None
    total = log_size(connection)
    if seen.size > total:
        return SigningDoubt(f"{name} shows {seen.size} events and the log holds {total}", contradicts=True)
    if root_at(connection, origin, seen.size) != seen.root:
        return SigningDoubt(f"{name} shows another history of {seen.size} events", contradicts=True)
    return None


def root_at(connection: Connection, origin: str, size: int) -> bytes:
    """Returns the root of the first events; in an unknown cluster it is computed from the leaves."""
    below = seals_after(connection, origin, size - 1, 1)
    if below and below[0].size == size and is_open(connection):
        return below[0].root
    edge = RightEdge()
    for leaf in leaf_hashes(connection, 0, size):
        edge.append(leaf)
    return edge.root()

"""The gate before the log: after a restore or a promotion nothing is ordered or signed until it is known to be safe.

A restored database would sign other trees at sizes that are signed already. So every process that is about to order or
seal asks here first: the newest checkpoints that the world has seen must be of a size we have, with our root.
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

Shown = Mapping[str, bytes | None]  # who shows which checkpoint: None cannot be asked, b"" has none


class State(NamedTuple):
    """How the gate was left, and in which cluster: a restored or promoted one is another."""

    cluster: str
    open: bool
    reason: str


class SigningDoubt(NamedTuple):
    """Why the gate stays closed."""

    sentence: str
    contradicts: bool  # False: somebody cannot be asked, which an operator may decide to do without


def cluster(connection: Connection) -> str:
    """What tells this cluster from its copies: they share its identifier, but not its timeline."""
    row = connection.execute(CLUSTER).fetchone()
    return str(row[0]) if row else ""


def state(connection: Connection) -> State | None:
    """How the gate was left; None before it was ever opened."""
    row = connection.execute(NEWEST).fetchone()
    return State(*row) if row else None


def is_open(connection: Connection) -> bool:
    """Whether events may be ordered and the log sealed in this cluster."""
    left = state(connection)
    return left is not None and left.open and left.cluster == cluster(connection)


def leave(connection: Connection, *, is_open: bool, reason: str) -> None:
    """Open or close the gate for this cluster."""
    now = State(cluster(connection), is_open, reason)
    if state(connection) != now:
        connection.execute(WRITE, now)


def admit(connection: Connection, origin: str, shown: Shown) -> list[SigningDoubt]:
    """Open the gate when nothing speaks against it, else close it; answers what does."""
    left = state(connection)
    known = left is not None and left.open and left.cluster == cluster(connection)
    doubts = examine(connection, origin, shown)
    if known:
        doubts = [doubt for doubt in doubts if doubt.contradicts]
    leave(connection, is_open=not doubts, reason="; ".join(doubt.sentence for doubt in doubts) or "reconciled")
    return doubts


def examine(connection: Connection, origin: str, shown: Shown) -> list[SigningDoubt]:
    """What speaks against going on with the log as it is here."""
    doubts = [_doubt(connection, origin, name, data) for name, data in shown.items()]
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
    """The root of the first events; in a cluster that is not known yet it is computed from the leaves."""
    below = seals_after(connection, origin, size - 1, 1)
    if below and below[0].size == size and is_open(connection):
        return below[0].root
    edge = RightEdge()
    for leaf in leaf_hashes(connection, 0, size):
        edge.append(leaf)
    return edge.root()

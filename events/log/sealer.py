"""Seals the log: signs size and root, and stores them before they are published; one root for each size."""

from collections.abc import Sequence
from typing import NamedTuple

from psycopg import Connection

from events.errors import CabildoError
from events.log.leaves import leaf_hashes
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note, SigningKey
from events.merkle.tree import HASH_SIZE, RightEdge
from events.store.failpoints import failpoint

BATCH = 16_384
SEAL_LEAVES = 256
SEAL_SECONDS = 2.0
SEAL_PAUSE = 1.0  # seconds between two seals without a waiting barrier: each writes a dozen times to disk

ORIGIN = "SELECT origin FROM origins ORDER BY number DESC LIMIT 1"
ORIGINS = "SELECT origin FROM origins ORDER BY number"
OPEN_ORIGIN = """
INSERT INTO origins (number, origin, reason) SELECT coalesce(max(number), 0) + 1, %s, %s FROM origins
"""
STANDING = """
WITH newest AS (SELECT origin FROM origins ORDER BY number DESC LIMIT 1)
SELECT
    (SELECT origin FROM newest),
    (SELECT max(size) FROM checkpoints WHERE origin = (SELECT origin FROM newest)),
    (SELECT coalesce(max(idx) + 1, 0) FROM log),
    (SELECT coalesce(max(idx) + 1, 0) FROM log WHERE barrier)
"""
NEWEST = "SELECT size, root, edge, note FROM checkpoints WHERE origin = %s ORDER BY size DESC LIMIT 1"
LATER = "SELECT size, root, edge, note FROM checkpoints WHERE origin = %s AND size > %s ORDER BY size LIMIT %s"
COVERING = "SELECT size, root, edge, note FROM checkpoints WHERE origin = %s AND size > %s ORDER BY size LIMIT 1"
UP_TO = "SELECT size, root, edge, note FROM checkpoints WHERE origin = %s AND size <= %s ORDER BY size DESC LIMIT 1"
SEALED_BEFORE = """
SELECT coalesce(max(size), 0) FROM checkpoints WHERE origin = %s AND at < now() - make_interval(secs => %s)
"""
STORE = """
INSERT INTO checkpoints (origin, size, root, edge, note) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (origin, size) DO NOTHING
"""
IS_OPEN = "SELECT gate_is_open()"
before_store = failpoint("seal.before_store")
before_commit = failpoint("seal.before_commit")
after_commit = failpoint("seal.after_commit")


class SealingStopped(CabildoError):
    """The sealer refuses: the log does not extend the tree it signed before."""


class Seal(NamedTuple):
    """A stored checkpoint."""

    size: int
    root: bytes
    edge: bytes
    text: str

    @property
    def note(self) -> Note:
        return Note.parse(self.text.encode())

    def right_edge(self) -> RightEdge:
        """The sealed tree, ready to grow."""
        edge = self.edge
        right = RightEdge(self.size, [edge[at : at + HASH_SIZE] for at in range(0, len(edge), HASH_SIZE)])
        if right.root() != self.root:
            raise SealingStopped(f"the stored edge of size {self.size} has another root")
        return right


class LogStanding(NamedTuple):
    """The progress of the log: its name (None before the first), its sealed size, its size.

    `barrier` is the size that includes the newest event whose seal other events wait for.
    """

    origin: str | None
    sealed: int | None
    total: int
    barrier: int = 0


def current_origin(connection: Connection) -> str | None:
    """Returns the current name of the log, or None before the first."""
    row = connection.execute(ORIGIN).fetchone()
    return row[0] if row else None


def log_standing(connection: Connection) -> LogStanding:
    """Returns the progress of the log; called often."""
    row = connection.execute(STANDING).fetchone()
    return LogStanding(*row) if row else LogStanding(None, None, 0)


def origins(connection: Connection) -> list[str]:
    """Returns all names of the log, oldest first."""
    return [origin for (origin,) in connection.execute(ORIGINS)]


def open_origin(connection: Connection, origin: str, reason: str) -> None:
    """Continues the log under a new name; the old one stays published and no longer grows."""
    connection.execute(OPEN_ORIGIN, (origin, reason))


def newest_seal(connection: Connection, origin: str) -> Seal | None:
    """Returns the newest checkpoint, or None before the first."""
    row = connection.execute(NEWEST, (origin,)).fetchone()
    return Seal(*row) if row else None


def seals_after(connection: Connection, origin: str, size: int, limit: int) -> list[Seal]:
    """Returns the next checkpoints above a size."""
    return [Seal(*row) for row in connection.execute(LATER, (origin, size, limit))]


def seal_covering(connection: Connection, origin: str, index: int) -> Seal | None:
    """Returns the smallest checkpoint that includes a log index, or None while none does."""
    row = connection.execute(COVERING, (origin, index)).fetchone()
    return Seal(*row) if row else None


def seal_up_to(connection: Connection, origin: str, size: int) -> Seal | None:
    """Returns the largest checkpoint of at most so many events, or None without one."""
    row = connection.execute(UP_TO, (origin, size)).fetchone()
    return Seal(*row) if row else None


def size_sealed_before(connection: Connection, origin: str, seconds: float) -> int:
    """Returns the size that was sealed so many seconds ago."""
    row = connection.execute(SEALED_BEFORE, (origin, seconds)).fetchone()
    return row[0] if row else 0


def is_due(found: LogStanding, seconds: float) -> bool:
    """Returns whether to seal now, so many seconds after the last seal."""
    sealed = found.sealed or 0
    enough = SEAL_PAUSE if found.total - sealed >= SEAL_LEAVES else SEAL_SECONDS
    return found.barrier > sealed or (found.total > sealed and seconds >= enough)


def seal(connection: Connection, origin: str, keys: Sequence[SigningKey]) -> Seal:
    """Signs the log's current size and root under every key in use; returns the newest stored checkpoint."""
    _check_names(origin, keys)
    with connection.transaction():
        last = newest_seal(connection, origin)
        edge = last.right_edge() if last else RightEdge()
        for leaf in leaf_hashes(connection, edge.size, edge.size + BATCH):
            edge.append(leaf)
        if last is None or edge.size > last.size:
            _store(connection, origin, edge, keys)
    after_commit()
    found = newest_seal(connection, origin)
    if found is None or (found.size == edge.size and found.root != edge.root()):
        raise SealingStopped(f"size {edge.size} is sealed with another root")
    return found


def _store(connection: Connection, origin: str, edge: RightEdge, keys: Sequence[SigningKey]) -> None:
    note = Checkpoint(origin, edge.size, edge.root()).signed(*keys)
    _require_open_gate(connection)
    before_store()
    connection.execute(STORE, (origin, edge.size, edge.root(), b"".join(edge.hashes), str(note)))
    before_commit()


def _require_open_gate(connection: Connection) -> None:
    row = connection.execute(IS_OPEN).fetchone()
    if row is None or not row[0]:
        raise SealingStopped("signing is off: the gate of this database is shut")


def _check_names(origin: str, keys: Sequence[SigningKey]) -> None:
    if not keys or any(key.name != origin for key in keys):
        raise SealingStopped(f"a signing key does not bear the name {origin}")

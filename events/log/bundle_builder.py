"""Builds a bundle from the database and the published tiles."""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.body_packing import unpack_body
from events.cold.reader import cold_events
from events.log.bundle import CLOSING, DATED, REVEALING, Barrier, Bundle, Growth, Root
from events.log.leaves import log_index
from events.log.publisher import with_cosignatures
from events.log.sealer import Seal, current_origin, seal_covering, seals_after
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note
from events.merkle.proofs import LogProof
from events.merkle.tiles import Tile, TiledTree
from events.merkle.tree import consistency_proof, inclusion_proof

BODIES = "SELECT seq, kind, body FROM events WHERE stream = %s AND seq <= %s ORDER BY seq"
NOTHING_REVEALED = b'"entropy":null'

Fetch = Callable[[Tile], bytes]


class Prover(NamedTuple):
    """Proves places of events in a published log."""

    connection: Connection
    origin: str
    sealed: Seal
    fetch: Fetch

    def place(self, stream: UUID, seq: int) -> int | None:
        """Returns the log index of an event, or None while no published checkpoint includes it."""
        index = log_index(self.connection, stream, seq)
        return None if index is None or index >= self.sealed.size else index

    def proof(self, index: int, sealed: Seal) -> LogProof:
        """Returns the proof that a checkpoint includes the event at a log index."""
        hashes = inclusion_proof(index, sealed.size, TiledTree(sealed.size, self.fetch).node)
        return LogProof(index, tuple(hashes), with_cosignatures(self.connection, self.origin, sealed))

    def growth(self, sizes: set[int]) -> Iterator[Growth]:
        """Yields the proofs that each checkpoint grew out of the one before."""
        for old, size in pairwise(sorted(sizes)):
            hashes = consistency_proof(old, size, TiledTree(size, self.fetch).node)
            yield Growth(old, size, tuple(hashes))


def open_prover(connection: Connection, size: int, fetch: Fetch) -> Prover | None:
    """Returns a prover of the published log of this size, or None when no checkpoint has it."""
    origin = current_origin(connection)
    sealed = seals_after(connection, origin, size - 1, 1) if origin else []
    if not origin or not sealed or sealed[0].size != size:
        return None
    return Prover(connection, origin, sealed[0], fetch)


def bundle_of(connection: Connection, stream: UUID, version: int, proving: Prover | None) -> Bundle:
    """Returns the bundle of a stream up to a version; without a prover it holds no proofs."""
    stored = connection.execute(BODIES, (stream, version), binary=True)
    rows = [(seq, kind, unpack_body(body)) for seq, kind, body in stored]
    if not rows:
        cold = cold_events(connection, stream)[:version]
        rows = [(seq, json.loads(event.body)["kind"], event.body) for seq, event in enumerate(cold, 1)]
    bodies = tuple(bytes(body) for _, _, body in rows)
    index = proving.place(stream, len(rows)) if proving else None
    if proving is None or index is None:
        return Bundle(stream, bodies)
    barriers = (*_barriers(proving, stream, rows), *_first_seal(proving, len(rows), index))
    roots = tuple(_roots(proving, rows))
    notes = (*(barrier.proof.checkpoint for barrier in barriers), *(root.checkpoint for root in roots))
    growth = proving.growth({proving.sealed.size, *map(_size, notes)})
    return Bundle(stream, bodies, proving.proof(index, proving.sealed), barriers, tuple(growth), roots=roots)


def _barriers(proving: Prover, stream: UUID, rows: list[Any]) -> Iterator[Barrier]:
    closing = next((seq for seq, kind, _ in rows if kind == CLOSING), None)
    reveals = (seq for seq, kind, body in rows if kind == REVEALING and NOTHING_REVEALED not in bytes(body))
    revealing = next(reveals, None)
    if closing is None or (index := proving.place(stream, closing)) is None:
        return
    sealed = seal_covering(proving.connection, proving.origin, index)
    if sealed is None or sealed.size > proving.sealed.size:
        return
    yield Barrier(closing, proving.proof(index, sealed))
    if revealing is not None and (revealed := proving.place(stream, revealing)) is not None:
        yield Barrier(revealing, proving.proof(revealed, proving.sealed))


def _first_seal(proving: Prover, last: int, index: int) -> Iterator[Barrier]:
    """Yields the last event in the first checkpoint that covers it; its witnesses date the event best."""
    sealed = seal_covering(proving.connection, proving.origin, index)
    if sealed is not None and sealed.size < proving.sealed.size:
        yield Barrier(last, proving.proof(index, sealed))


def _roots(proving: Prover, rows: list[Any]) -> Iterator[Root]:
    """Yields the checkpoints that dated events name, if the log of the current name contains them."""
    for seq, kind, body in rows:
        after = json.loads(bytes(body))["data"].get("after") if kind in DATED else None
        if after is not None and after["size"] <= proving.sealed.size:
            for sealed in seals_after(proving.connection, proving.origin, after["size"] - 1, 1):
                if (sealed.size, sealed.root.hex()) == (after["size"], after["root"]):
                    yield Root(seq, with_cosignatures(proving.connection, proving.origin, sealed))


def _size(note: Note) -> int:
    return Checkpoint.parse(note.text).size

"""Compares a database with what was published of its log, before the first signature; remembers the answer in the gate.

Sources are the store that all keepers share, or the keeper's own files, the other keepers, and the witnesses.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from psycopg import Connection

from events.errors import CabildoError
from events.log.leaves import leaf_hashes, log_size
from events.log.sealer import newest_seal, seal_up_to
from events.log.signing_decision import Relation, SigningFacts, Verdict, decide
from events.log.signing_gate import is_open, same_server, set_gate
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note
from events.merkle.tree import RightEdge

PUBLICATIONS: Final = "SELECT store, size FROM publications WHERE origin = %s ORDER BY at DESC"
PUBLISHED: Final = """
INSERT INTO publications (origin, store, size) VALUES (%s, %s, %s)
ON CONFLICT (origin, store) DO UPDATE SET size = greatest(publications.size, excluded.size), at = clock_timestamp()
"""


CLAIM: Final = "claim"  # the file of the newest checkpoint that a keeper is about to publish


class CheckpointSource(Enum):
    """A place outside the database that knows published checkpoints."""

    OWN = "our own file"
    STORE = "the store of all keepers"
    PEER = "peer"
    WITNESS = "witness"


class Shown(NamedTuple):
    """The newest checkpoint that a source shows."""

    source: CheckpointSource
    name: str
    data: bytes | None  # None: no answer; b"": the source has no checkpoint


class SourceAnswers(NamedTuple):
    """What all sources show, and whether the witnesses that answered decide: no quorum is possible without them."""

    shown: Sequence[Shown]
    store_id: str = ""  # the identity of our own files
    has_quorum: bool = False


class ComparedSource(NamedTuple):
    """A source, its relation to the database, and the sentence for the operator; none for agreement."""

    source: CheckpointSource
    relation: Relation
    sentence: str


class Reconciliation(NamedTuple):
    """The answer to: may this keeper sign here?"""

    verdict: Verdict
    reason: str


def reconcile(connection: Connection, origin: str, answers: SourceAnswers) -> Reconciliation:
    """Decides whether this database may continue the log, and opens or closes its gate."""
    found = compare(connection, origin, answers.shown)
    known = is_open(connection)
    rule = decide(_facts(connection, origin, answers, found, known=known))
    may_sign = rule.verdict is Verdict.YES
    sentences = [one.sentence for one in found if _explains(one.relation, rule.verdict)]
    reason = f"reconciled: {rule.reason}" if may_sign else f"{'; '.join(sentences) or rule.reason}. {rule.advice}"
    if not (known and may_sign):
        set_gate(connection, is_open=may_sign, reason=reason)
    return Reconciliation(rule.verdict, reason)


def contradictions(connection: Connection, origin: str, shown: Sequence[Shown]) -> list[str]:
    """Returns a sentence for each source that shows another history, or more than the database holds."""
    found = compare(connection, origin, shown)
    return [one.sentence for one in found if one.relation is Relation.CONTRADICTS]


def compare(connection: Connection, origin: str, shown: Sequence[Shown]) -> list[ComparedSource]:
    """Returns the relation of each source to this database."""
    seen = [(one, _checkpoint(one.data, origin)) for one in shown]
    total = log_size(connection)
    roots = roots_at(connection, origin, {tree.size for _, tree in seen if tree is not None and tree.size <= total})
    public = _public_size(connection, origin)
    return [_finding(one, tree, total, roots, public) for one, tree in seen]


def extends(connection: Connection, origin: str, data: bytes) -> bool:
    """Returns whether a published checkpoint is the beginning of this database's log."""
    tree = _checkpoint(data, origin)
    return tree is not None and tree.size <= log_size(connection) and _has_root(connection, origin, tree)


def _has_root(connection: Connection, origin: str, tree: Checkpoint) -> bool:
    return roots_at(connection, origin, {tree.size})[tree.size] == tree.root


def note_publication(connection: Connection, origin: str, store_id: str, size: int) -> None:
    """Remembers in the database that a checkpoint was published into a store."""
    connection.execute(PUBLISHED, (origin, store_id, size))


def _checkpoint(data: bytes | None, origin: str) -> Checkpoint | None:
    """Returns a checkpoint of this log; None for anything else."""
    try:
        seen = Checkpoint.parse(Note.parse(data).text) if data else None
    except CabildoError:
        return None
    return seen if seen is not None and seen.origin == origin else None


def _finding(
    shown: Shown, tree: Checkpoint | None, total: int, roots: Mapping[int, bytes], public: int
) -> ComparedSource:
    if tree is None and shown.data == b"":
        return ComparedSource(shown.source, Relation.EMPTY, f"{shown.name} has no checkpoint")
    if tree is None:
        said = "cannot be asked" if shown.data is None else "shows no checkpoint of this log"
        return ComparedSource(shown.source, Relation.SILENT, f"{shown.name} {said}")
    if tree.size > total:
        sentence = f"{shown.name} shows {tree.size} events and the log holds {total}"
        return ComparedSource(shown.source, Relation.CONTRADICTS, sentence)
    if roots[tree.size] != tree.root:
        sentence = f"{shown.name} shows another history of {tree.size} events"
        return ComparedSource(shown.source, Relation.CONTRADICTS, sentence)
    if tree.size < public:
        sentence = f"{shown.name} shows {tree.size} events, and the database knows of {public} that were published"
        return ComparedSource(shown.source, Relation.BEHIND, sentence)
    return ComparedSource(shown.source, Relation.COVERS, "")


def _facts(
    connection: Connection, origin: str, answers: SourceAnswers, found: Sequence[ComparedSource], *, known: bool
) -> SigningFacts:
    sealed = newest_seal(connection, origin)
    relations = {source: [one.relation for one in found if one.source is source] for source in CheckpointSource}
    others = [store for store, _ in connection.execute(PUBLICATIONS, (origin,)) if store != answers.store_id]
    return SigningFacts(
        is_known=known,
        has_seals=bool(sealed and sealed.size),
        store=next(iter(relations[CheckpointSource.STORE]), None),
        own=next(iter(relations[CheckpointSource.OWN]), None),
        others_published=bool(others),
        peers=frozenset(relations[CheckpointSource.PEER]),
        witnesses=frozenset(relations[CheckpointSource.WITNESS]),
        quorum_answered=answers.has_quorum,
    )


def _explains(relation: Relation, verdict: Verdict) -> bool:
    if verdict is Verdict.NO:
        return relation is Relation.CONTRADICTS
    return relation in (Relation.SILENT, Relation.EMPTY, Relation.BEHIND)


def _public_size(connection: Connection, origin: str) -> int:
    """Returns how many events this database knows to be published.

    A database of an earlier version has noted nothing: on the same server the files are believed, as they were then;
    on any other, all that is sealed may be public.
    """
    sizes: list[int] = [size for _, size in connection.execute(PUBLICATIONS, (origin,))]
    if sizes:
        return max(sizes)
    sealed = newest_seal(connection, origin)
    return 0 if sealed is None or same_server(connection) else sealed.size


def roots_at(connection: Connection, origin: str, sizes: set[int]) -> Mapping[int, bytes]:
    """Returns the roots of the first events, for some sizes; before the database is known they come from the leaves."""
    if is_open(connection):
        return {size: _trusted_root(connection, origin, size) for size in sizes}
    roots, edge = {}, RightEdge()
    for size in sorted(sizes):
        for leaf in leaf_hashes(connection, edge.size, size):
            edge.append(leaf)
        roots[size] = edge.root()
    return roots


def _trusted_root(connection: Connection, origin: str, size: int) -> bytes:
    """Returns the root of the first events, grown out of the newest checkpoint that is not larger."""
    below = seal_up_to(connection, origin, size)
    edge = RightEdge() if below is None else below.right_edge()
    for leaf in leaf_hashes(connection, edge.size, size):
        edge.append(leaf)
    return edge.root()

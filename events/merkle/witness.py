"""The decision of a witness (C2SP tlog-witness): a pure function of the request and the last tree it cosigned."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from events.errors import CabildoError
from events.merkle.checkpoint import Checkpoint, open_checkpoint
from events.merkle.errors import BadProof, UnreadableText, UnverifiedNote
from events.merkle.notes import MAX_NOTE, Note, Signature, VerifierKey
from events.merkle.text import from_base64, from_decimal, to_base64
from events.merkle.tree import EMPTY_ROOT, HASH_SIZE, verify_consistency

MAX_PROOF = 63


class WitnessedTree(NamedTuple):
    """The newest tree of a log that the witness cosigned."""

    size: int
    root: bytes


NOTHING_SEEN = WitnessedTree(0, EMPTY_ROOT)


class WitnessRefusal(CabildoError):
    """The witness does not cosign; the status names the violated rule."""

    def __init__(self, status: int, reason: str, known_size: int | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.known_size = known_size

    @property
    def content_type(self) -> str:
        return "text/plain; charset=utf-8" if self.known_size is None else "text/x.tlog.size"

    @property
    def body(self) -> str:
        return f"{self.reason if self.known_size is None else self.known_size}\n"


@dataclass(frozen=True)
class AddCheckpoint:
    """The request: the old size, the consistency proof, and the checkpoint to cosign."""

    old: int
    proof: tuple[bytes, ...]
    note: Note

    def __str__(self) -> str:
        return "\n".join([f"old {self.old}", *map(to_base64, self.proof), ""]) + "\n" + str(self.note)

    @classmethod
    def parse(cls, data: bytes) -> "AddCheckpoint":
        """Parses the body of a request; raises UnreadableText."""
        head, separator, note = data[: MAX_NOTE * 2].partition(b"\n\n")
        first, *lines = head.decode("utf-8", "replace").split("\n")
        if not separator or not first.startswith("old "):
            raise UnreadableText("add-checkpoint", "no old size, or no checkpoint after an empty line")
        if len(lines) > MAX_PROOF:
            raise UnreadableText("add-checkpoint", f"more than {MAX_PROOF} hashes")
        old = from_decimal(first.removeprefix("old "), "old size")
        return cls(old, tuple(from_base64(line, "consistency hash", HASH_SIZE) for line in lines), Note.parse(note))


class Accepted(NamedTuple):
    """A checkpoint that the witness may store and then cosign."""

    checkpoint: Checkpoint
    signatures: tuple[Signature, ...]  # of the log, verified; the rest of the request is dropped


def judge(data: bytes, logs: Mapping[str, Sequence[VerifierKey]], seen: Callable[[str], WitnessedTree]) -> Accepted:
    """Decides on a request; raises WitnessRefusal. The caller must store the result before `seen` can change."""
    request = _read(data)
    checkpoint, signatures = _signed_by_a_known_log(request.note, logs)
    _check_growth(request, checkpoint, seen(checkpoint.origin))
    return Accepted(checkpoint, signatures)


def _read(data: bytes) -> AddCheckpoint:
    try:
        request = AddCheckpoint.parse(data)
        Checkpoint.parse(request.note.text)
    except UnreadableText as error:
        raise WitnessRefusal(400, str(error)) from error
    return request


def _signed_by_a_known_log(
    note: Note, logs: Mapping[str, Sequence[VerifierKey]]
) -> tuple[Checkpoint, tuple[Signature, ...]]:
    keys: Iterable[VerifierKey] = logs.get(Checkpoint.parse(note.text).origin, ())
    if not keys:
        raise WitnessRefusal(404, "this log is not known here")
    try:
        checkpoint = open_checkpoint(note, keys)
    except UnverifiedNote as error:
        raise WitnessRefusal(403, str(error)) from error
    return checkpoint, tuple(signature for _, signature in note.verified(keys))


def _check_growth(request: AddCheckpoint, checkpoint: Checkpoint, seen: WitnessedTree) -> None:
    if request.old > checkpoint.size:
        raise WitnessRefusal(400, f"the old size {request.old} is above the new size {checkpoint.size}")
    if request.old != seen.size:
        raise WitnessRefusal(409, f"the last cosigned size is {seen.size}", seen.size)
    if checkpoint.size == 0 and checkpoint.root != EMPTY_ROOT:
        raise WitnessRefusal(422, "an empty log has the root of nothing")
    if request.old == 0:
        if request.proof:
            raise WitnessRefusal(422, "growth from nothing needs no proof")
        return
    try:
        verify_consistency(request.old, checkpoint.size, seen.root, checkpoint.root, request.proof)
    except BadProof as error:
        raise WitnessRefusal(422, str(error)) from error


def origin_hash(origin: str) -> str:
    """Returns the path of a log's newest checkpoint below the witness's monitoring prefix."""
    return sha256(origin.encode()).hexdigest()

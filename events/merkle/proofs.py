"""Proof files (C2SP tlog-proof): the place of one entry in a log, checked without the log."""

from dataclasses import dataclass

from events.merkle.checkpoint import Checkpoint
from events.merkle.errors import UnreadableText
from events.merkle.notes import MAX_NOTE, Note
from events.merkle.text import from_base64, from_decimal, to_base64
from events.merkle.tree import HASH_SIZE, verify_inclusion

_HEAD = "c2sp.org/tlog-proof@v1"
MAX_HASHES = 63


@dataclass(frozen=True)
class LogProof:
    """Index, inclusion hashes and the checkpoint verbatim; no signature covers the extra bytes."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: Note
    extra: bytes | None = None

    def __str__(self) -> str:
        extra = [] if self.extra is None else [f"extra {to_base64(self.extra)}"]
        lines = [_HEAD, *extra, f"index {self.index}", *map(to_base64, self.hashes), ""]
        return "\n".join(lines) + "\n" + str(self.checkpoint)

    @classmethod
    def parse(cls, data: bytes) -> "LogProof":
        """Parses a proof file; raises UnreadableText for any other form."""
        head, separator, note = data[: MAX_NOTE * 2].partition(b"\n\n")
        lines = head.decode("utf-8", "replace").split("\n")
        if not separator or lines.pop(0) != _HEAD or not lines:
            raise UnreadableText("log proof", f"does not begin with {_HEAD} and end with a checkpoint")
        extra = None
        if lines[0].startswith("extra "):
            extra = from_base64(lines.pop(0).removeprefix("extra "), "extra of a log proof")
        if not lines or not lines[0].startswith("index "):
            raise UnreadableText("log proof", "no index")
        if len(lines) - 1 > MAX_HASHES:
            raise UnreadableText("log proof", f"more than {MAX_HASHES} hashes")
        index = from_decimal(lines[0].removeprefix("index "), "index of a log proof")
        hashes = tuple(from_base64(line, "hash of a log proof", HASH_SIZE) for line in lines[1:])
        return cls(index, hashes, Note.parse(note), extra)

    def verify(self, leaf: bytes) -> Checkpoint:
        """Returns the checkpoint that includes the leaf hash, or raises BadProof; its signatures are not checked."""
        checkpoint = Checkpoint.parse(self.checkpoint.text)
        verify_inclusion(self.index, checkpoint.size, leaf, self.hashes, checkpoint.root)
        return checkpoint

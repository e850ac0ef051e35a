"""Checkpoints (C2SP tlog-checkpoint): the signed statement of a log's size and root."""

from collections.abc import Iterable
from dataclasses import dataclass

from events.merkle.errors import UnreadableText, UnverifiedNote
from events.merkle.notes import Note, SigningKey, VerifierKey
from events.merkle.text import from_base64, from_decimal, to_base64
from events.merkle.tree import HASH_SIZE


@dataclass(frozen=True)
class Checkpoint:
    """Origin, size and root of a log, and extension lines of foreign logs."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in (self.origin, self.size, to_base64(self.root), *self.extensions))

    @classmethod
    def parse(cls, text: str) -> "Checkpoint":
        """Read the text of a checkpoint's note."""
        *lines, rest = text.split("\n")
        if rest or len(lines) < 3 or "" in lines:
            raise UnreadableText("checkpoint", "not at least three lines")
        origin, size, root, *extensions = lines
        return cls(
            origin,
            from_decimal(size, "checkpoint size"),
            from_base64(root, "checkpoint root", HASH_SIZE),
            tuple(extensions),
        )

    def signed(self, *keys: SigningKey) -> Note:
        """Returns the note with the signature of each key."""
        return Note(str(self), tuple(key.sign(str(self)) for key in keys))


def open_checkpoint(note: Note, keys: Iterable[VerifierKey]) -> Checkpoint:
    """Returns the checkpoint signed by one of the keys; the key has the origin's name."""
    checkpoint = Checkpoint.parse(note.text)
    own = [key for key in keys if key.name == checkpoint.origin]
    if not note.verified(own):
        raise UnverifiedNote(f"no known key of {checkpoint.origin} signed the checkpoint")
    return checkpoint

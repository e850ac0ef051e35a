"""Checkpoints (C2SP tlog-checkpoint): the one statement a log signs about its size and its root."""

from collections.abc import Iterable
from dataclasses import dataclass

from events.merkle.errors import UnreadableText, UnverifiedNote
from events.merkle.notes import Note, SigningKey, VerifierKey
from events.merkle.text import from_base64, from_decimal, to_base64
from events.merkle.tree import HASH_SIZE


@dataclass(frozen=True)
class Checkpoint:
    """Origin, size and root of a log, and whatever lines a foreign log adds."""

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
        """The note with the signature of each key."""
        return Note(str(self), tuple(key.sign(str(self)) for key in keys))


def open_checkpoint(note: Note, keys: Iterable[VerifierKey]) -> Checkpoint:
    """The checkpoint that one of the log's keys vouches for; the key bears the name of the origin."""
    checkpoint = Checkpoint.parse(note.text)
    own = [key for key in keys if key.name == checkpoint.origin]
    if not note.verified(own):
        raise UnverifiedNote(f"no known key of {checkpoint.origin} signed the checkpoint")
    return checkpoint

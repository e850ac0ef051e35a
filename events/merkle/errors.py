"""Errors about proofs, notes, keys, tiles and policies."""

from events.errors import CabildoError


class BadProof(CabildoError):
    """A Merkle proof does not lead to the stated root."""


class BadKey(CabildoError):
    """A verifier or signing key is not trustworthy."""


class UnreadableText(CabildoError):
    """Bytes are not a valid note, checkpoint, proof, policy or tile name."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what}: {reason}")
        self.what = what
        self.reason = reason


class UnverifiedNote(CabildoError):
    """A note has no valid signature of a known key, or a false one."""

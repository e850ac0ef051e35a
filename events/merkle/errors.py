"""Why a proof, a note, a key, a tile or a policy is refused."""

from events.errors import CabildoError


class BadProof(CabildoError):
    """A Merkle proof does not lead to the root it claims."""


class BadKey(CabildoError):
    """A verifier or signing key is not one that may be trusted."""


class UnreadableText(CabildoError):
    """Bytes that should be a note, a checkpoint, a proof, a policy or a tile name are not in the format."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what}: {reason}")
        self.what = what
        self.reason = reason


class UnverifiedNote(CabildoError):
    """A note carries no valid signature of a known key, or a false one."""

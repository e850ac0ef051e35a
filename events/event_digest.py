"""The hash of an event: SHA-256 of its canonical bytes behind a prefix."""

import hashlib
from typing import Final

PREFIX: Final = b"cabildo/event/v1\n"
NO_HASH: Final = bytes(32)  # what the first event of a stream names as the hash before it


def digest(body: bytes) -> bytes:
    """Returns the hash of an event's canonical bytes."""
    return hashlib.sha256(PREFIX + body).digest()

"""Codes that let their bearer take a chair kept for somebody without an account; they follow from the master key."""

import base64
import hmac
from uuid import UUID

LABEL = b"cabildo/invite/v1"
BYTES = 10


def code(key: bytes, game: UUID, chair: int) -> str:
    """The code of a chair."""
    mac = hmac.digest(key, LABEL + game.bytes + bytes([chair]), "sha256")
    return base64.b32encode(mac[:BYTES]).decode().lower()


def fits(given: str, key: bytes, game: UUID, chair: int) -> bool:
    """Whether a code is the one of the chair."""
    return hmac.compare_digest(given.strip().lower().encode(), code(key, game, chair).encode())

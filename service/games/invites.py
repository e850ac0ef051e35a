"""Invitation codes for chairs, derived from the master key; each admits a player without an account."""

import base64
import hmac
from uuid import UUID

from events.sealing.master_keys import MasterKeys

LABEL = b"cabildo/invite/v1"
BYTES = 10


def code(key: bytes, game: UUID, chair: int) -> str:
    """Returns the code of a chair."""
    mac = hmac.digest(key, LABEL + game.bytes + bytes([chair]), "sha256")
    return base64.b32encode(mac[:BYTES]).decode().lower()


def fits(given: str, keys: MasterKeys, game: UUID, chair: int) -> bool:
    """Returns whether a code belongs to the chair, under the current master key or one of a rotation."""
    entered = given.strip().lower().encode()
    return any(hmac.compare_digest(entered, code(key, game, chair).encode()) for key in keys.known)

"""What players sign with keys of their own: that a key is theirs, and each move with the history in front of it."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events.errors import CabildoError
from events.event import Head
from events.merkle.curve import check_public_key

MOVE: Final = "cabildo/move/v1"
OWN_KEY: Final = "cabildo/player-key/v1"


class FalseSignature(CabildoError):
    """A signature is not of this statement by this key."""

    def __init__(self, statement: bytes) -> None:
        super().__init__("the signature is not of this statement by this key")
        self.statement = statement.decode()


def move_statement(stream: UUID, before: Head, seat: int, move: str) -> bytes:
    """What a player signs with a move: the event it is to be, the history before it, the seat, the canonical move."""
    return _lines(MOVE, stream, before.seq + 1, before.hash.hex(), seat, move)


def key_statement(player: str) -> bytes:
    """Returns what proves that whoever registers a key also holds it."""
    return _lines(OWN_KEY, player)


def check_signature(key: bytes, statement: bytes, signature: bytes) -> None:
    """Raises BadKey for a key that libraries disagree about, and with FalseSignature another signature."""
    check_public_key(key)
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, statement)
    except InvalidSignature as false:
        raise FalseSignature(statement) from false


def _lines(*words: object) -> bytes:
    rows: Iterable[str] = (f"{word}\n" for word in words)
    return "".join(rows).encode()

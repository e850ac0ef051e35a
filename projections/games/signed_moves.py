"""Signatures of players: the proof of a key, and the signature of each move with the history before it."""

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
    """The signature is not valid for this statement and key."""

    def __init__(self, statement: bytes) -> None:
        super().__init__("the signature does not match this statement and key")
        self.statement = statement.decode()


def move_statement(stream: UUID, before: Head, seat: int, move: str) -> bytes:
    """Returns the bytes that a player signs with a move: stream, history, seat, canonical move."""
    return _lines(MOVE, stream, before.seq + 1, before.hash.hex(), seat, move)


def key_statement(player: str) -> bytes:
    """Returns the bytes that prove possession of a key at its registration."""
    return _lines(OWN_KEY, player)


def check_signature(key: bytes, statement: bytes, signature: bytes) -> None:
    """Raises BadKey for a key that libraries read differently, FalseSignature for an invalid signature."""
    check_public_key(key)
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, statement)
    except InvalidSignature as false:
        raise FalseSignature(statement) from false


def _lines(*words: object) -> bytes:
    rows: Iterable[str] = (f"{word}\n" for word in words)
    return "".join(rows).encode()

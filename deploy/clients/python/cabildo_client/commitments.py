"""What a seat contributes to a committed deal: hashes of entropy and of hash chains, and the texts that a player signs.

All prefixes are ASCII, a game is its 16 bytes, a chair is one byte, numbers of links are 4 bytes big-endian.
"""

from hashlib import sha256
from typing import Final
from uuid import UUID

SECRET_BYTES: Final = 32  # of an entropy and of a link
SEALED, CHAINED = 2, 3  # chance levels: entropy is committed to; and each move reveals a link


def entropy_hash(game: UUID, chair: int, entropy: bytes) -> bytes:
    """Returns the hash that a seat sends before it reveals its entropy."""
    return sha256(b"cabildo/entropy/v1" + game.bytes + bytes([chair]) + entropy).digest()


def link_chain(game: UUID, chair: int, last: bytes, length: int) -> list[bytes]:
    """Returns the links of a hash chain: the commitment, then each link in the order in which moves reveal them."""
    links = [last]
    for number in range(length, 0, -1):
        place = game.bytes + bytes([chair]) + number.to_bytes(4, "big")
        links.append(sha256(b"cabildo/link/v1" + place + links[-1]).digest())
    return links[::-1]


def key_text(player: str) -> bytes:
    """Returns the bytes that prove possession of a signing key."""
    return f"cabildo/player-key/v1\n{player}\n".encode()


def move_text(game: UUID, version: int, head: str, seat: int, move: str) -> bytes:
    """Returns the bytes that a player signs with a move after a version of the game, whose hash is `head`."""
    return f"cabildo/move/v1\n{game}\n{version + 1}\n{head}\n{seat}\n{move}\n".encode()

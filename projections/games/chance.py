"""Committed chance: server and seats commit before play, and every client can verify the draws afterwards.

All prefixes are ASCII, a game's id is its 16 bytes, a seat (the number of its chair, which it has before the
turn order is known) and a count of seats are one byte, numbers of links 4 bytes big-endian, hashes are SHA-256, `,`
joins bytes.

    commitment          hash("cabildo/seed/v1", id, seed)
    entropy commitment  hash("cabildo/entropy/v1", id, seat, entropy)
    game seed           HMAC(seed; "cabildo/game-seed/v1", id, number of seats, then per seat: seat, 01, entropy
                             or, of a seat whose entropy is absent: seat, 00)
    link k - 1          hash("cabildo/link/v1", id, seat, k, link k); link 0 is what a seat commits to
    turn seed           HMAC(game seed; "cabildo/turn-seed/v1", id, number of seats, then per seat: seat, 01, k, link k
                             with the newest link revealed or, of a seat without a chain: seat, 00)

Draw *i* is what a SeededDealer deals from the game seed (levels 0 to 2) or from the turn seed at that moment (level 3).
"""

import hmac
from collections.abc import Sequence
from enum import IntEnum
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from projections.games.errors import BrokenCommitment

SECRET = 32  # bytes in a seed, an entropy and a link


class ChanceLevel(IntEnum):
    """The contributions to the deal."""

    DECLARED = 0  # the server's seed alone, committed to or chosen
    OPEN = 1  # and entropy of the seats, sent in clear
    SEALED = 2  # and entropy of the seats, committed to before the first reveal
    CHAINED = 3  # and a link of each seat's hash chain with each of its moves


class Link(NamedTuple):
    """The newest revealed link of a seat's chain; number 0 is the commitment itself."""

    number: int
    value: bytes


def commitment(game: UUID, seed: bytes) -> bytes:
    """Returns the hash that the server publishes when a game is created."""
    return sha256(b"cabildo/seed/v1" + game.bytes + _secret(seed)).digest()


def entropy_commitment(game: UUID, seat: int, entropy: bytes) -> bytes:
    """Returns the hash that a seat sends first; it reveals its entropy when all hashes are in."""
    return sha256(b"cabildo/entropy/v1" + game.bytes + _seat(seat) + _secret(entropy)).digest()


def game_seed(game: UUID, seed: bytes, entropies: Sequence[bytes | None]) -> bytes:
    """Returns the seed of all draws, mixed from the server's seed and each seat's entropy (None: absent)."""
    parts = [
        _seat(seat) + (b"\x00" if entropy is None else b"\x01" + _secret(entropy))
        for seat, entropy in enumerate(entropies)
    ]
    message = b"cabildo/game-seed/v1" + game.bytes + _seat(len(entropies)) + b"".join(parts)
    return hmac.digest(_secret(seed), message, sha256)


def turn_seed(game: UUID, mixed: bytes, links: Sequence[Link | None]) -> bytes:
    """Returns the seed of the draws after the newest links; None is a seat without a chain."""
    parts = [
        _seat(seat) + (b"\x00" if link is None else b"\x01" + _number(link.number) + _secret(link.value))
        for seat, link in enumerate(links)
    ]
    message = b"cabildo/turn-seed/v1" + game.bytes + _seat(len(links)) + b"".join(parts)
    return hmac.digest(mixed, message, sha256)


def next_link(game: UUID, seat: int, newest: Link, value: bytes) -> Link:
    """Returns the next link of the chain; raises BrokenCommitment for a wrong value."""
    number = newest.number + 1
    if not hmac.compare_digest(_link_before(game, seat, number, value), newest.value):
        raise BrokenCommitment("link", seat)
    return Link(number, value)


def check_seed(game: UUID, promised: bytes, seed: bytes) -> None:
    """Raises BrokenCommitment unless the seed matches its commitment."""
    if not hmac.compare_digest(commitment(game, seed), promised):
        raise BrokenCommitment("seed", None)


def check_entropy(game: UUID, seat: int, promised: bytes, entropy: bytes) -> None:
    """Raises BrokenCommitment unless the entropy matches the seat's commitment."""
    if not hmac.compare_digest(entropy_commitment(game, seat, entropy), promised):
        raise BrokenCommitment("entropy", seat)


def _link_before(game: UUID, seat: int, number: int, value: bytes) -> bytes:
    return sha256(b"cabildo/link/v1" + game.bytes + _seat(seat) + _number(number) + _secret(value)).digest()


def _secret(value: bytes) -> bytes:
    if len(value) != SECRET:
        raise BrokenCommitment("length", None)
    return value


def _seat(seat: int) -> bytes:
    return seat.to_bytes(1, "big")


def _number(number: int) -> bytes:
    return number.to_bytes(4, "big")

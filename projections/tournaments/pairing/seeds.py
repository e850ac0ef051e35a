"""The seeds of pairings: one is committed to before anybody enters, and each pairing shows the part it was drawn from.

commitment     hash("cabildo/seed/v1", id of the tournament, seed), as for a game
pairing seed   HMAC(seed; "cabildo/pairing-seed/v1", id, number of the round, number of the attempt), 4 bytes each
regulations    hash("cabildo/regulations/v1\\n", canonical JSON)
game of a table  the first 16 bytes of hash("cabildo/table/v1", id, round, attempt, table, 4 bytes each), as a UUID
"""

import hmac
from hashlib import sha256
from uuid import UUID

from events.canonical import canonical
from events.json_types import JsonObject

WIDTH = 4


def pairing_seed(tournament: UUID, seed: bytes, round: int, attempt: int) -> bytes:
    """Returns what a pairing of a round is drawn from; each attempt has its own."""
    message = b"cabildo/pairing-seed/v1" + tournament.bytes + _number(round) + _number(attempt)
    return hmac.digest(seed, message, sha256)


def regulations_hash(regulations: JsonObject) -> bytes:
    """Returns what stands for regulations that nobody changes any more."""
    return sha256(b"cabildo/regulations/v1\n" + canonical(regulations)).digest()


def game_of(tournament: UUID, round: int, attempt: int, table: int) -> UUID:
    """Returns the game of a table: whoever starts a round a second time finds the same one."""
    return _derived(b"cabildo/table/v1", tournament, round, attempt, table)


def deal_of(tournament: UUID, round: int, attempt: int) -> UUID:
    """Returns the name under which all tables of a round are dealt alike."""
    return _derived(b"cabildo/deal/v1", tournament, round, attempt)


def _derived(label: bytes, tournament: UUID, *numbers: int) -> UUID:
    parts = label + tournament.bytes + b"".join(map(_number, numbers))
    raw = bytearray(sha256(parts).digest()[:16])
    raw[6], raw[8] = raw[6] & 0x0F | 0x80, raw[8] & 0x3F | 0x80  # RFC 9562: version 8, made as the maker likes
    return UUID(bytes=bytes(raw))


def _number(value: int) -> bytes:
    return value.to_bytes(WIDTH, "big")

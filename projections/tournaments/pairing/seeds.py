"""Seeds of pairings: the server commits to one seed before the first entry; each pairing shows its derived part.

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
    """Returns the seed of a pairing of a round; each attempt has its own."""
    message = b"cabildo/pairing-seed/v1" + tournament.bytes + _number(round) + _number(attempt)
    return hmac.digest(seed, message, sha256)


def regulations_hash(regulations: JsonObject) -> bytes:
    """Returns the hash of published regulations."""
    return sha256(b"cabildo/regulations/v1\n" + canonical(regulations)).digest()


def game_of(tournament: UUID, round: int, attempt: int, table: int) -> UUID:
    """Returns the id of a table's game; starting a round twice gives the same id."""
    return _derived(b"cabildo/table/v1", tournament, round, attempt, table)


def deal_of(tournament: UUID, round: int, attempt: int) -> UUID:
    """Returns the id of the deal shared by all tables of a round."""
    return _derived(b"cabildo/deal/v1", tournament, round, attempt)


def _derived(label: bytes, tournament: UUID, *numbers: int) -> UUID:
    parts = label + tournament.bytes + b"".join(map(_number, numbers))
    raw = bytearray(sha256(parts).digest()[:16])
    raw[6], raw[8] = raw[6] & 0x0F | 0x80, raw[8] & 0x3F | 0x80  # RFC 9562: version 8, custom content
    return UUID(bytes=bytes(raw))


def _number(value: int) -> bytes:
    return value.to_bytes(WIDTH, "big")

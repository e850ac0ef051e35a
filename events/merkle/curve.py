"""Checks Ed25519 public keys: accepts keys that every library reads alike and for which signatures cannot be forged."""

from events.merkle.errors import BadKey

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P

# The y coordinates of the eight points of low order: signatures under them can be forged.
_Y_OF_ORDER_8 = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
_LOW_ORDER = frozenset({0, 1, _P - 1, _Y_OF_ORDER_8, _P - _Y_OF_ORDER_8})


def check_public_key(encoded: bytes) -> None:
    """Raises BadKey for bytes that are no point, not the canonical encoding, or of low order."""
    if len(encoded) != 32:
        raise BadKey("an Ed25519 key has 32 bytes, not {found}", found=len(encoded))
    y = int.from_bytes(encoded, "little") & (2**255 - 1)
    if y >= _P:
        raise BadKey("the key is not in canonical form")
    if y in _LOW_ORDER:
        raise BadKey("the key has a low order, so its signatures prove nothing")
    x_squared = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    if pow(x_squared, (_P - 1) // 2, _P) != 1:
        raise BadKey("the key is not a point of the curve")

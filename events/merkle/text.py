"""Strict base64 and decimals: the encodings of all log formats, each with one accepted form."""

import base64
import binascii
import re

from events.merkle.errors import UnreadableText

_DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


def to_base64(data: bytes) -> str:
    """Returns the standard alphabet with padding."""
    return base64.b64encode(data).decode("ascii")


def from_base64(text: str, what: str, length: int | None = None) -> bytes:
    """Decodes the only accepted form, of the given length if any; raises UnreadableText."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnreadableText(what, "not base64") from error
    if to_base64(data) != text:
        raise UnreadableText(what, "base64 in an unusual form")
    if length is not None and len(data) != length:
        raise UnreadableText(what, f"{len(data)} bytes instead of {length}")
    return data


def from_decimal(text: str, what: str) -> int:
    """Parses a number from 0 to 2^63 - 1 without leading zeros; raises UnreadableText."""
    if not _DECIMAL.fullmatch(text) or int(text) >= 2**63:
        raise UnreadableText(what, f"{text[:30]!r} is not a plain decimal")
    return int(text)

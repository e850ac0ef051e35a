"""Canonical JSON (RFC 8785) without floats: the only accepted form of a value, whose bytes are hashed and stored."""

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any

import orjson

from events.errors import EventTooLarge, UnfitJson
from events.json_types import Json

LARGEST_INTEGER = 2**53 - 1  # above it, JavaScript and others round
LONGEST_INTEGER = 17  # characters, with the sign
DEEPEST = 32
LEAVES = frozenset((str, int, bool, type(None)))
STRICT = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER


def canonical(value: Json) -> bytes:
    """Returns the canonical bytes of a value; raises UnfitJson for a value that other languages read differently."""
    if _is_plain((value,), DEEPEST + 1):
        try:
            return orjson.dumps(value, option=STRICT)
        except orjson.JSONEncodeError:  # a large integer, half a surrogate pair: the slow way says what is wrong
            pass
    return canonical_by_rules(value)


def canonical_by_rules(value: Json) -> bytes:
    """Returns the same as `canonical`, written out rule by rule: for what is unusual, and for its refusals."""
    try:
        return _write_list((value,), DEEPEST + 1)[1:-1].encode()
    except UnicodeEncodeError as problem:
        raise UnfitJson("lone_surrogate", ascii(problem.object[problem.start])) from None


def canonical_unchecked(value: Json) -> bytes:
    """Returns the canonical bytes without checking the value, many times faster than `canonical`.

    The value is made by this program: names in ASCII, no floats, no large integers. Tests compare both functions.
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _is_plain(items: Iterable[Any], room: int) -> bool:
    """Returns whether values are of JSON's own types, not deep, with names in ASCII, whose order is that of bytes."""
    if not room:
        return False
    for item in items:
        kind = type(item)
        if kind in LEAVES:
            continue
        if kind is list or kind is tuple:
            if not _is_plain(item, room - 1):
                return False
        elif kind is not dict or not _has_plain_names(item) or not _is_plain(item.values(), room - 1):
            return False
    return True


def _has_plain_names(value: Mapping[Any, object]) -> bool:
    try:
        return "".join(value).isascii()
    except TypeError:
        return False


def _writer(value: Any) -> Callable[[Any, int], str]:
    for family, write in _FAMILIES:
        if isinstance(value, family):
            return write
    raise UnfitJson("float" if isinstance(value, float) else "type", type(value).__name__)


def _write_text(value: str, _room: int) -> str:
    return encode_basestring(value)


def _write_integer(value: int, _room: int) -> str:
    if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
        raise UnfitJson("integer_beyond_2^53", hex(value)[:40])
    return int.__repr__(value)


def _write_constant(value: bool | None, _room: int) -> str:
    return "null" if value is None else "true" if value else "false"


def _write_list(value: Sequence[Json], room: int) -> str:
    if not room:
        raise UnfitJson("too_deep", f"more than {DEEPEST} levels")
    room -= 1
    return "[" + ",".join([(_WRITERS.get(type(item)) or _writer(item))(item, room) for item in value]) + "]"


def _write_object(value: Mapping[str, Json], room: int) -> str:
    if not room:
        raise UnfitJson("too_deep", f"more than {DEEPEST} levels")
    room -= 1
    fields = []
    for name in _names(value):
        item = value[name]
        write = _WRITERS.get(type(item)) or _writer(item)
        fields.append(f"{encode_basestring(name)}:{write(item, room)}")
    return "{" + ",".join(fields) + "}"


def _names(value: Mapping[str, Json]) -> list[str]:
    """Returns the keys in the order of their UTF-16 code units, which for ASCII is the order of characters."""
    try:
        names = sorted(value)
        if not "".join(names).isascii():
            names.sort(key=lambda name: name.encode("utf-16-be"))
    except TypeError:
        raise UnfitJson("key", "not all keys are texts") from None
    return names


_WRITERS: dict[type, Callable[[Any, int], str]] = {
    str: _write_text,
    int: _write_integer,
    bool: _write_constant,
    type(None): _write_constant,
    list: _write_list,
    tuple: _write_list,
    dict: _write_object,
}
_FAMILIES: tuple[tuple[type, Callable[[Any, int], str]], ...] = (
    (str, _write_text),
    (int, _write_integer),
    (Mapping, _write_object),
    (tuple, _write_list),
    (list, _write_list),
)


def read_json(raw: bytes, limit: int) -> Json:
    """Parses JSON from a client; raises UnfitJson for text without canonical bytes or not in NFC."""
    if len(raw) > limit:
        raise EventTooLarge("JSON text", len(raw), limit)
    try:
        value: Json = _DECODER.decode(raw.decode())
    except UnicodeDecodeError:
        raise UnfitJson("not_utf8") from None
    except RecursionError:
        raise UnfitJson("too_deep", f"more than {DEEPEST} levels") from None
    except json.JSONDecodeError as problem:
        raise UnfitJson("syntax", str(problem)) from None
    if not unicodedata.is_normalized("NFC", canonical(value).decode()):
        raise UnfitJson("not_nfc")
    return value


def read_canonical(raw: bytes, limit: int) -> Json:
    """Parses canonical bytes; raises UnfitJson for any other spelling."""
    value = read_json(raw, limit)
    if canonical(value) != raw:
        raise UnfitJson("not_canonical")
    return value


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        name, times = Counter(name for name, _ in pairs).most_common(1)[0]
        raise UnfitJson("duplicate_key", f"{name!r}, {times} times")
    return value


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_INTEGER:
        raise UnfitJson("integer_beyond_2^53", digits[:40])
    return int(digits)


def _no_float(text: str) -> Json:
    raise UnfitJson("float", text[:40])


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_no_float, parse_constant=_no_float
)

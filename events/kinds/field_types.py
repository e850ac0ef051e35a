"""Types of fields of events: numbers, names, hashes and lists of them, never free text."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from events.json_types import Json


class FieldType(NamedTuple):
    """The type of a field: a description and a test."""

    reads: str
    holds: Callable[[Json], bool]
    required: bool = True


Fields = Mapping[str, FieldType]


def whole(least: int, most: int) -> FieldType:
    """Returns the type of an integer within bounds."""
    return FieldType(f"an integer from {least} to {most}", lambda value: type(value) is int and least <= value <= most)


def matching(reads: str, pattern: str) -> FieldType:
    """Returns the type of a text that matches a pattern."""
    fits = re.compile(pattern, re.ASCII).fullmatch
    return FieldType(reads, lambda value: isinstance(value, str) and fits(value) is not None)


def hexadecimal(size: int) -> FieldType:
    """Returns the type of so many bytes in lower-case hexadecimal digits."""
    return matching(f"{size} bytes in hexadecimal", f"[0-9a-f]{{{2 * size}}}")


def one_of(*names: str) -> FieldType:
    """Returns the type of one of these names."""
    allowed = frozenset(names)
    return FieldType("one of " + ", ".join(names), lambda value: isinstance(value, str) and value in allowed)


def each(item: FieldType, most: int) -> FieldType:
    """Returns the type of a list of items of one type."""
    holds = item.holds

    def all_hold(value: Json) -> bool:
        return isinstance(value, list | tuple) and len(value) <= most and all(map(holds, value))

    return FieldType(f"a list of at most {most}, each {item.reads}", all_hold)


def record(**fields: FieldType) -> FieldType:
    """Returns the type of an object with these fields."""
    return FieldType(
        "an object with " + ", ".join(fields),
        lambda value: isinstance(value, Mapping) and first_fault(fields, value) is None,
    )


def named(value_field: FieldType, most: int) -> FieldType:
    """Returns the type of an object with arbitrary names and values of one type."""

    def all_hold(value: Json) -> bool:
        if not isinstance(value, Mapping) or len(value) > most:
            return False
        return all(map(NAME.holds, value)) and all(map(value_field.holds, value.values()))

    return FieldType(f"an object of at most {most} names, each {value_field.reads}", all_hold)


def either(*fields: FieldType) -> FieldType:
    """Returns the type of a value that fits one of several types."""
    return FieldType(" or ".join(field.reads for field in fields), lambda value: any(f.holds(value) for f in fields))


def optional(field: FieldType) -> FieldType:
    """Returns the same type for a field that may be missing."""
    return field._replace(required=False)


def nullable(field: FieldType) -> FieldType:
    """Returns the same type for a field that may be null."""
    return field._replace(reads=f"{field.reads} or null", holds=lambda value: value is None or field.holds(value))


def first_fault(fields: Fields, data: Mapping[str, Json]) -> tuple[str, str] | None:
    """Returns the first wrong field and the reason, or None when all are right."""
    for name, field in fields.items():
        if name in data:
            if not field.holds(data[name]):
                return name, f"is not {field.reads}"
        elif field.required:
            return name, "is missing"
    if len(data) > len(fields) or not data.keys() <= fields.keys():
        return min(data.keys() - fields.keys()), "is not a field of this kind"
    return None


FLAG = FieldType("true or false", lambda value: isinstance(value, bool))
NAME = matching("a name", r"[a-z0-9][a-z0-9_.:+-]{0,63}")
ID = matching("an id", r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}")
RULES = matching("a version of rules", r"[a-z0-9][a-z0-9_./+-]{0,63}")
UUID_TEXT = matching("a UUID", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOVE = matching("a move", r"[a-z0-9][ -~]{0,511}")
HASH = hexadecimal(32)
SEAT = whole(0, 4)
FORCED_MOVE = record(seat=SEAT, move=MOVE)
COUNT = whole(0, 10_000)
MICROSECONDS = whole(0, 2**53 - 1)
VERSION = whole(0, 2**53 - 1)
ATOM = FieldType(
    "a name, an integer, true, false or null",
    lambda value: value is None or type(value) in (int, bool) or NAME.holds(value),
)
ATOMS = each(ATOM, 64)
OPTIONS = named(either(ATOM, ATOMS), 64)
FACT = FieldType(
    "a fact: a list that begins with its name",
    lambda value: isinstance(value, list | tuple) and bool(value) and isinstance(value[0], str),
)
FACTS = each(FACT, 2_000)

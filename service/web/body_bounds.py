"""Bounds of request bodies, computed from what schemas take: a body beyond them is refused before it is validated."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, NamedTuple

from flask import current_app, request
from marshmallow import Schema, fields, validate

from events.messages import Message
from service.core.errors import InvalidRequest

MOST_VALUES: Final = 20_000  # of any body: members, items and objects together
MOST_DEPTH: Final = 64
OF_DOCUMENT: Final = 8_000  # values of an object without a schema: a position, options
BYTES_OF_DOCUMENT: Final = 262_144
BYTES_OF_TEXT: Final = 1_024  # of a field without a longest length: an id, a word, a number
BYTES_OF_CHARACTER: Final = 12  # at most: a pair of escapes
VALUES: Final = "x-values"  # metadata of a field that takes a larger object
BYTES: Final = "x-bytes"
SPARE_VALUES: Final = 32  # a body with a few unknown or mistaken fields is told which
EMPTY_OBJECT: Final = b"{}"
MOST_OF_NO_BODY: Final = 1_024  # bytes that are read of a body that is not taken
SPARE_BYTES: Final = 16_384
TEXTS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
BRACKETS: Final = re.compile(r"[\[\]{}]")


class BodyBounds(NamedTuple):
    """The most values and bytes that a body may have."""

    values: int
    bytes: int


@cache
def bounds_of(schema: Schema) -> BodyBounds:
    """Returns the bounds of the bodies that a schema takes."""
    needed = _of_schema(schema)
    documents = [_of_field(field).values for field in schema.load_fields.values() if isinstance(field, fields.Mapping)]
    most = max(MOST_VALUES, *documents, 0)
    return BodyBounds(min(needed.values + SPARE_VALUES, most), needed.bytes + SPARE_BYTES)


def check_values(text: str, most: int) -> None:
    """Raises InvalidRequest for a JSON text with more values or deeper nesting than allowed; does not parse it."""
    if text.count(",") + text.count("[") + text.count("{") < min(most, MOST_DEPTH):
        return
    bare = TEXTS.sub("", text)
    opened = bare.count("[") + bare.count("{")
    if (found := bare.count(",") + opened) > most:
        raise InvalidRequest(
            {"json": [Message("has {found} values, and this operation takes at most {most}", found=found, most=most)]}
        )
    if opened > MOST_DEPTH and _depth(bare) > MOST_DEPTH:
        raise InvalidRequest({"json": [Message("is nested deeper than {most} levels", most=MOST_DEPTH)]})


def _depth(bare: str) -> int:
    """Returns how deep the brackets of a text nest."""
    depth = deepest = 0
    for bracket in BRACKETS.finditer(bare):
        depth += 1 if bracket[0] in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _of_schema(schema: Schema) -> BodyBounds:
    return _sum((_of_field(field), len(name)) for name, field in schema.load_fields.items())


def _sum(parts: Iterable[tuple[BodyBounds, int]]) -> BodyBounds:
    """Returns the bounds of an object with these members."""
    values = size = 2
    for bounds, name in parts:
        values += bounds.values
        size += bounds.bytes + name + len('"":, ')
    return BodyBounds(values, size)


def _of_field(field: fields.Field[Any]) -> BodyBounds:
    if isinstance(field, fields.Nested):
        return _of_schema(field.schema)
    if isinstance(field, fields.List):
        inner, most = _of_field(field.inner), longest(field)
        if most is None:
            raise TypeError(f"the list {field.name} has no greatest length")
        return BodyBounds(2 + most * inner.values, 2 + most * (inner.bytes + len(", ")))
    if isinstance(field, fields.Mapping):
        return BodyBounds(
            int(field.metadata.get(VALUES, OF_DOCUMENT)), int(field.metadata.get(BYTES, BYTES_OF_DOCUMENT))
        )
    if isinstance(field, fields.String) and (most := longest(field)) is not None:
        return BodyBounds(1, most * BYTES_OF_CHARACTER + len('""'))
    return BodyBounds(1, BYTES_OF_TEXT)


def longest(field: fields.Field[Any]) -> int | None:
    """Returns the greatest length that the validators of a field allow, if any bounds it."""
    lengths = [rule for rule in field.validators if isinstance(rule, validate.Length)]
    return min((most for rule in lengths if (most := rule.equal or rule.max) is not None), default=None)


def refuse_body() -> None:
    """Raises InvalidRequest when the request has a body; clients that always send an object may send an empty one."""
    if not request.content_length and "Transfer-Encoding" not in request.headers:
        return
    bound_body(MOST_OF_NO_BODY)
    if request.get_data() != EMPTY_OBJECT:
        raise InvalidRequest({"json": [Message("this operation takes no body")]})


def bound_body(most: int) -> None:
    """Lets the client send this many bytes at most, or fewer by the settings; more is refused with 413."""
    request.max_content_length = min(most, current_app.config["MAX_CONTENT_LENGTH"])

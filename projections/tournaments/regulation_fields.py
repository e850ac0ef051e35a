"""Parses single fields of regulations; raises BadRegulations with the field's name and the expected value."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, TypeVar

from events.json_types import Json, JsonObject
from projections.tournaments.errors import BadRegulations

Read = Callable[[JsonObject, str], Any]
E_ = TypeVar("E_", bound=StrEnum)
EXACT: Final = re.compile(r"[0-9]{1,7}(\.[0-9]{1,4}|/[1-9][0-9]{0,3})?")


def text(document: JsonObject, name: str) -> str:
    """Parses a short text."""
    value = document[name]
    if not isinstance(value, str) or not 0 < len(value) <= 60:
        raise BadRegulations(name, "a text of up to 60 characters")
    return value


def number(least: int, most: int) -> Callable[[JsonObject, str], int]:
    """Returns a parser of whole numbers within these limits."""

    def read(document: JsonObject, name: str) -> int:
        value = document[name]
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise BadRegulations(name, "a number from {least} to {most}", least=least, most=most)
        return value

    return read


def number_or_none(document: JsonObject, name: str) -> int | None:
    """Parses a positive number or null."""
    return None if document[name] is None else number(1, 10_000)(document, name)


def truth(document: JsonObject, name: str) -> bool:
    """Parses a boolean."""
    value = document[name]
    if not isinstance(value, bool):
        raise BadRegulations(name, "true or false")
    return value


def word(words: Collection[str]) -> Callable[[JsonObject, str], str]:
    """Returns a parser of one of these words."""

    def read(document: JsonObject, name: str) -> str:
        value = document[name]
        if not isinstance(value, str) or value not in words:
            raise BadRegulations(name, "one of {known}", known=", ".join(words))
        return value

    return read


def one_of(kind: type[E_], document: JsonObject, name: str) -> E_:
    """Parses a required member of an enumeration."""
    if name not in document:
        raise BadRegulations(name, "one of {known}", known=", ".join(kind))
    return kind(word([one.value for one in kind])(document, name))


def items(document: JsonObject, name: str) -> Sequence[Json]:
    """Parses a list that is not empty."""
    value = document[name]
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise BadRegulations(name, "a list that is not empty")
    return value


def members(document: JsonObject, name: str, fields: Mapping[str, Read]) -> dict[str, Any]:
    """Parses the fields of an object; errors name the path of the field."""
    value = document[name]
    if not isinstance(value, Mapping) or set(value) - set(fields):
        raise BadRegulations(name, "an object of {known}", known=", ".join(fields))
    try:
        return {field: fields[field](value, field) for field in value}
    except BadRegulations as inner:
        raise BadRegulations(f"{name}.{inner.where}", inner.reason) from None


def exact(where: str, value: Json) -> Fraction:
    """Parses a number written as 7, "7", "7.5" or "15/2"."""
    if isinstance(value, bool) or not isinstance(value, int | str) or not EXACT.fullmatch(str(value)):
        raise BadRegulations(where, "{value!r} is not a number such as 7, 7.5 or 15/2", value=value)
    return Fraction(value)

"""Reads the service's JSON into frozen dataclasses by their annotations; fields that they do not know are left out."""

import dataclasses
import types
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, Literal, TypeVar, Union, cast, get_args, get_origin
from uuid import UUID

from cabildo_client.errors import UnreadableAnswer
from cabildo_client.json_values import Json

T = TypeVar("T")
NAMED: Final = "json"  # of a field's metadata: its name in the document
FROM_MEMBER: Final = "from_member"  # a class method of a dataclass that reads a member of an object in its own way
PLAIN: Final = (str, int, bool, float)


def read(kind: type[T], document: Json) -> T:
    """Returns a dataclass with the fields of a document; raises UnreadableAnswer where one is missing or misfits."""
    return cast(T, _read(kind, document, kind.__name__))


def _read(kind: Any, value: Any, where: str) -> Any:
    if kind == Json:
        return value
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _one_of(get_args(kind), value, where)
    if origin is tuple:
        return tuple(_rows(get_args(kind)[0], value, where))
    if origin is not None and origin is not Literal:
        return {
            name: _read(get_args(kind)[1], item, f"{where}.{name}") for name, item in _is(dict, value, where).items()
        }
    if dataclasses.is_dataclass(kind):
        return _fields_of(kind, _is(dict, _named(kind, value), where), where)
    return _plain(kind, value, where)


def _rows(kind: Any, value: Any, where: str) -> Iterator[Any]:
    """Yields the items of a list, or dataclasses by the members of an object, whose names are their first field."""
    if not (isinstance(value, dict) and dataclasses.is_dataclass(kind)):
        yield from (_read(kind, item, f"{where}[{at}]") for at, item in enumerate(_is(list, value, where)))
    elif made := getattr(kind, FROM_MEMBER, None):
        yield from (made(name, member) for name, member in value.items())
    else:
        yield from (_fields_of(kind, _member(kind, name, held), f"{where}.{name}") for name, held in value.items())


def _member(kind: Any, name: str, held: Any) -> Mapping[str, Any]:
    """Returns the document of a dataclass whose first field is the name of a member, and the others its value."""
    first, second = (spelled for _, spelled, _, _ in _fields(kind)[:2])
    return {first: name, **held} if isinstance(held, dict) else {first: name, second: held}


def _named(kind: Any, value: Any) -> Any:
    """Returns the values of a list under the names of the fields, in their order; another value as it is."""
    if not isinstance(value, list):
        return value
    return {spelled: held for (_, spelled, _, _), held in zip(_fields(kind), value, strict=False)}


def _one_of(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    """Returns the value as the first kind that it fits; None fits None alone."""
    if value is None and type(None) in kinds:
        return None
    faults = []
    for kind in (kind for kind in kinds if kind is not type(None)):
        try:
            return _read(kind, value, where)
        except UnreadableAnswer as fault:
            faults.append(fault)
    raise faults[-1]


def _plain(kind: Any, value: Any, where: str) -> Any:
    if kind in (UUID, datetime):
        try:
            return UUID(value) if kind is UUID else datetime.fromisoformat(value)
        except (ValueError, TypeError, AttributeError) as fault:
            raise UnreadableAnswer(f"{where}: {value!r} is no {kind.__name__}") from fault
    if kind is float and type(value) is int:
        return float(value)
    if kind in PLAIN and type(value) is not kind:
        raise UnreadableAnswer(f"{where}: {value!r} is no {kind.__name__}")
    if kind is type(None) and value is not None:
        raise UnreadableAnswer(f"{where}: {value!r} is not null")
    return value


def _is(kind: type[T], value: Any, where: str) -> T:
    if not isinstance(value, kind):
        raise UnreadableAnswer(f"{where}: {value!r:.80} is no {kind.__name__}")
    return value


def _fields_of(kind: Any, document: Mapping[str, Any], where: str) -> Any:
    given = {}
    for name, spelled, of, has_default in _fields(kind):
        if spelled in document:
            given[name] = _read(of, document[spelled], f"{where}.{spelled}")
        elif not has_default:
            raise UnreadableAnswer(f"{where}.{spelled} is missing")
    return kind(**given)


@cache
def _fields(kind: Any) -> tuple[tuple[str, str, Any, bool], ...]:
    """Returns the name of each field, its name in JSON, its type, and whether it may be left out."""
    return tuple(
        (
            field.name,
            field.metadata.get(NAMED, field.name),
            field.type,
            field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING,
        )
        for field in dataclasses.fields(kind)
        if field.init
    )

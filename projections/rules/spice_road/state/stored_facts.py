"""Facts as events store them - the name, then the fields - and back, unchanged."""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple, get_type_hints

from events.json_types import Json
from projections.rules.errors import BadFact
from projections.rules.spice_road.apply import FACTS
from projections.rules.spice_road.cubes import Cubes
from projections.rules.spice_road.state.position import Cards


def encode(fact: tuple[Any, ...]) -> list[Json]:
    """The name of a fact and its fields."""
    return [_NAMES[type(fact)], *(list(field) if isinstance(field, tuple) else field for field in fact)]


def decode(stored: Json) -> tuple[Any, ...]:
    """The fact that was stored; raises BadFact if no version writes it."""
    name, *fields = stored if isinstance(stored, list | tuple) and stored else (None,)
    if not isinstance(name, str) or name not in _SHAPES:
        raise BadFact(stored, "not one of this game's facts")
    shape = _SHAPES[name]
    if len(fields) != len(shape.readers):
        raise BadFact(stored, "{found} fields are expected", found=len(shape.readers))
    try:
        return shape.fact(*(read(field) for read, field in zip(shape.readers, fields, strict=True)))
    except TypeError as wrong:
        raise BadFact(stored, str(wrong)) from wrong


def _number(field: Json) -> int:
    if type(field) is not int:
        raise TypeError(f"{field!r} is not a number")
    return field


def _text(field: Json) -> str:
    if not isinstance(field, str):
        raise TypeError(f"{field!r} is not a text")
    return field


def _texts(field: Json) -> Cards:
    if not isinstance(field, list | tuple):
        raise TypeError(f"{field!r} is not a list")
    return tuple(map(_text, field))


def _cubes(field: Json) -> Cubes:
    if not isinstance(field, list | tuple) or len(field) != 4:
        raise TypeError(f"{field!r} does not count the four spices")
    y, r, g, b = map(_number, field)
    return y, r, g, b


class _Shape(NamedTuple):
    fact: Callable[..., tuple[Any, ...]]
    readers: tuple[Callable[[Json], Any], ...]


_READERS: Final[dict[Any, Callable[[Json], Any]]] = {int: _number, str: _text, Cards: _texts, Cubes: _cubes}
_NAMES: Final[dict[type, str]] = {fact: re.sub(r"(?<!^)(?=[A-Z])", "_", fact.__name__).lower() for fact in FACTS}
_SHAPES: Final = {
    name: _Shape(fact, tuple(_READERS[kind] for kind in get_type_hints(fact).values())) for fact, name in _NAMES.items()
}

"""Checks names of board parts against a position: `players[1].city[3]`, `ships[0]`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from events.json_types import JsonObject
from service.studies.errors import StudyRefused

STEP: Final = re.compile(r"\[(?P<number>\d+)\]|\.?(?P<name>[a-z0-9_]+)")


def check(position: JsonObject, markers: Iterable[Mapping[str, Any]]) -> None:
    """Raises StudyRefused for a marker on a part that is not on the board."""
    for marker in markers:
        for path in (marker["on"], marker.get("to")):
            if path is not None and not is_there(position, path):
                raise StudyRefused("unknown_part", "there is no {path} on this board", path=path)


def is_there(position: Any, path: str) -> bool:
    """Returns whether a position has the named part; an empty store has a place for each of its goods too."""
    at, holder = position, ""
    for step in STEP.finditer(path):
        name, number = step["name"], step["number"]
        if number is not None:
            if not isinstance(at, list | tuple) or int(number) >= len(at):
                return False
            at = at[int(number)]
        elif isinstance(at, Mapping) and name in at:
            at, holder = at[name], name
        else:
            return step.end() == len(path) and isinstance(at, Mapping) and name in _kinds(position, holder)
    return True


def _kinds(value: Any, holder: str) -> Iterator[str]:
    """Yields the keys that any store of the same name counts."""
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list | tuple) else ()
    for name, part in inner:
        if name == holder and isinstance(part, Mapping):
            yield from (kind for kind, count in part.items() if isinstance(count, int))
        yield from _kinds(part, holder)

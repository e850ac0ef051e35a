"""Parts of a board, named as the document of its position names them: `players[1].city[3]`, `ships[0]`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from events.json_types import JsonObject
from service.studies.errors import StudyRefused

STEP: Final = re.compile(r"\[(?P<number>\d+)\]|\.?(?P<name>[a-z0-9_]+)")


def check(position: JsonObject, markers: Iterable[Mapping[str, Any]]) -> None:
    """Refuse with StudyRefused a marker on what is not on the board."""
    for marker in markers:
        for path in (marker["on"], marker.get("to")):
            if path is not None and not is_there(position, path):
                raise StudyRefused("unknown_part", "there is no {path} on this board", path=path)


def is_there(position: Any, path: str) -> bool:
    """Whether a position has a part of this name; a store that holds none of its goods has a place for them too."""
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
    """What is counted in any store of the same name, wherever it is."""
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list | tuple) else ()
    for name, part in inner:
        if name == holder and isinstance(part, Mapping):
            yield from (kind for kind, count in part.items() if isinstance(count, int))
        yield from _kinds(part, holder)

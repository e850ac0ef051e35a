"""Boards as small pictures (SVG) for reports and forums; a third game is a module and a line here."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from events.json_types import JsonObject
from projections.pictures import puerto_rico, spice_road

Markers = Iterable[Mapping[str, Any]]


class PictureMaker(Protocol):
    """How the boards of a game are drawn."""

    def __call__(self, position: JsonObject, names: Sequence[str], markers: Markers, language: str) -> str: ...


PICTURES: Final[Mapping[str, PictureMaker]] = {"puerto_rico": puerto_rico.draw, "spice_road": spice_road.draw}


def picture(position: JsonObject, names: Sequence[str], markers: Markers = (), language: str = "en") -> str:
    """A document or view of a position as SVG, with markers on parts of it; `names` are those of the seats."""
    return PICTURES[str(position["game"])](position, names, markers, language)

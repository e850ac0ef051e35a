"""Boards as small pictures (SVG) for reports and forums; a third game is a module and a line here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from events.json_types import JsonObject
from projections.pictures import puerto_rico, spice_road

Markers = Iterable[Mapping[str, Any]]
Draw = Callable[[JsonObject, Sequence[str], Markers], str]
PICTURES: Final[Mapping[str, Draw]] = {"puerto_rico": puerto_rico.draw, "spice_road": spice_road.draw}


def picture(position: JsonObject, names: Sequence[str], markers: Markers = ()) -> str:
    """A document or view of a position as SVG, with markers on parts of it; `names` are those of the seats."""
    return PICTURES[str(position["game"])](position, names, markers)

"""Markers over a picture: frames of several shapes around parts of the board, and arrows from one part to another."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from projections.pictures.svg import element, text

STYLES: Final = {  # kind -> colour, dashes and sign, for colour is not the only sign
    "look": ("#1d5f99", "7 4", "●"),
    "good": ("#1f6b3a", "none", "✓"),
    "bad": ("#a11d1d", "2 4", "✕"),
    "idea": ("#6b3fa0", "10 3 2 3", "✦"),
}
LAST_STEP: Final = re.compile(r"(\.[a-z0-9_]+|\[\d+\])\Z")
MARGIN: Final = 2
HEAD: Final = 9  # the length of an arrow's head


class Spot(NamedTuple):
    """Where a part of the board is drawn."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """Where arrows begin and end."""
        return self.x + self.width / 2, self.y + self.height / 2


def draw_markers(spots: Mapping[str, Spot], markers: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The markers, for the parts that are in the picture."""
    for marker in markers:
        spot, end = _found(spots, marker["on"]), _found(spots, marker.get("to") or "")
        if spot is not None:
            yield from _ring(spot, marker["kind"])
            if end is not None:
                yield from _arrow(spot.middle, end.middle, marker["kind"])


def _found(spots: Mapping[str, Spot], name: str) -> Spot | None:
    """The spot of a part, or else of the first of its own parts, or else of its whole."""
    below = next((one for one in spots if one.startswith((f"{name}.", f"{name}["))), None)
    if name not in spots and below is not None:
        return spots[below]
    while name not in spots and LAST_STEP.search(name):
        name = LAST_STEP.sub("", name)
    return spots.get(name)


def _ring(spot: Spot, kind: str) -> Iterator[str]:
    colour, dashes, sign = STYLES[kind]
    x, y = spot.x - MARGIN, spot.y - MARGIN
    frame = {"x": x, "y": y, "width": spot.width + 2 * MARGIN, "height": spot.height + 2 * MARGIN, "rx": 5}
    yield element("rect", {**frame, "fill": "none", "stroke": colour, "stroke_width": 2.5, "stroke_dasharray": dashes})
    corner = x + spot.width + 2 * MARGIN
    yield element("circle", {"cx": corner, "cy": y, "r": 6, "fill": colour})
    yield text(corner, y + 3, sign, 8, text_anchor="middle", fill="#ffffff")


def _arrow(begin: tuple[float, float], end: tuple[float, float], kind: str) -> Iterator[str]:
    (x, y), (to_x, to_y) = begin, end
    way = math.atan2(to_y - y, to_x - x)
    wings = [(to_x - HEAD * math.cos(way + turn), to_y - HEAD * math.sin(way + turn)) for turn in (0.45, -0.45)]
    colour, dashes, _ = STYLES[kind]
    line = {"x1": x, "y1": y, "x2": round(to_x, 1), "y2": round(to_y, 1)}
    yield element("line", {**line, "stroke": colour, "stroke_width": 3, "stroke_dasharray": dashes})
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in (end, *wings))
    yield element("polygon", {"points": points, "fill": colour})

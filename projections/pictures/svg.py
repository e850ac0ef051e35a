"""Elements of SVG as text: whatever comes in stays text, and nothing in a picture can run."""

from collections.abc import Iterable, Mapping
from typing import Final
from xml.sax.saxutils import escape, quoteattr

INK: Final = "#2b2117"
PAPER: Final = "#fffaf0"
LINE: Final = "#7d6b4f"
SEATS: Final = ("#9b2c2c", "#1d5f99", "#2d6a3a", "#6b3fa0", "#7a5312")
USUAL_WIDTH: Final = 0.56  # of a letter, in sizes of the letters
FONT: Final = "system-ui, DejaVu Sans, sans-serif"


def element(tag: str, attributes: Mapping[str, object], inside: str = "") -> str:
    """An element; its content is SVG already."""
    written = "".join(f" {name.replace('_', '-')}={quoteattr(str(value))}" for name, value in attributes.items())
    return f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>"


def text(x: float, y: float, said: object, size: int = 11, **more: object) -> str:
    """A line of text that begins, or by `text_anchor` ends or stands, at a point."""
    return element("text", {"x": x, "y": y, "font_size": size, "fill": INK, **more}, escape(str(said)) or " ")


def fitted(x: float, y: float, said: object, room: float, size: int = 10, **more: object) -> str:
    """A line of text that is squeezed where it would need more room."""
    too_long = len(str(said)) * size * USUAL_WIDTH > room
    squeezed = {"textLength": room, "lengthAdjust": "spacingAndGlyphs"} if too_long else {}
    return text(x, y, said, size, **squeezed, **more)


def box(x: float, y: float, width: float, height: float, fill: str = PAPER, **more: object) -> str:
    """A box with round corners."""
    place = {"x": x, "y": y, "width": width, "height": height, "rx": 3}
    return element("rect", {**place, "fill": fill, "stroke": LINE, "stroke_width": 1, **more})


def dot(x: float, y: float, radius: float, fill: str, **more: object) -> str:
    """A disc."""
    return element("circle", {"cx": x, "cy": y, "r": radius, "fill": fill, "stroke": INK, "stroke_width": 0.8, **more})


def sign(x: float, y: float, letters: str) -> str:
    """A few small letters on a piece, for colour-blind readers."""
    outlined = {"stroke": "#ffffff", "stroke_width": 1.6, "paint_order": "stroke"}
    return text(x, y + 2.4, letters, 7, text_anchor="middle", font_weight=700, **outlined)


def badge(x: float, y: float, seat: int) -> str:
    """The number of a seat, counted from 1, on its colour."""
    number = text(x, y + 4, seat + 1, 11, text_anchor="middle", fill="#ffffff", font_weight=700)
    return dot(x, y, 9, SEATS[seat], stroke="none") + number


def drawing(width: int, height: int, said: str, parts: Iterable[str]) -> str:
    """A whole picture that says its content in words."""
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {width} {height}",
        "width": width,
        "height": height,
        "role": "img",
        "font_family": FONT,
        "aria_label": said,
    }
    ground = element("rect", {"width": width, "height": height, "fill": "#f6f0e2"})
    return element("svg", attributes, f"<title>{escape(said)}</title>{ground}{''.join(parts)}")

"""Writes lines over time as an SVG picture."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

Point = tuple[float, float]
WIDTH: Final = 760
HEIGHT: Final = 200  # of a panel
LEFT: Final = 64
RIGHT: Final = 16
TOP: Final = 34
BOTTOM: Final = 36
STEPS: Final = 4  # of each axis
WHOLE: Final = 10  # an axis that goes further has whole numbers
COLOURS: Final = ("#1f5f8b", "#c05621", "#2f855a", "#6b46c1", "#97266d", "#4a5568")
STYLE: Final = (
    "text{font:12px sans-serif;fill:#222}.grid{stroke:#ddd}.line{fill:none;stroke-width:2}"
    ".mark{stroke:#b3261e;stroke-dasharray:2 4}.aim{stroke:#2e7d32;stroke-dasharray:6 4}"
)


class Line(NamedTuple):
    """Values over time, with their name."""

    name: str
    points: Sequence[Point]


class Panel(NamedTuple):
    """Lines over the same time, with a title."""

    title: str
    lines: Sequence[Line]
    aim: float | None = None


def write_plot(path: Path, panels: Sequence[Panel], seconds: float, mark: float, what: str) -> None:
    """Writes panels below each other over the same time; a vertical line stands at `mark`, named `what`."""
    height = len(panels) * (HEIGHT + TOP + BOTTOM)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(', '.join(panel.title for panel in panels))}</title><style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
    ]
    for number, panel in enumerate(panels):
        parts += _drawn(panel, number * (HEIGHT + TOP + BOTTOM) + TOP, seconds, mark, what)
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")


def _drawn(panel: Panel, top: float, seconds: float, mark: float, what: str) -> list[str]:
    values = (value for line in panel.lines for _, value in line.points)
    most = 1.1 * max([1.0, panel.aim or 0.0, *values])

    def x(at: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, at / seconds)

    def y(value: float) -> float:
        return top + HEIGHT * (1 - value / most)

    parts = [f'<text x="{LEFT}" y="{top - 12}" font-weight="bold">{escape(panel.title)}</text>']
    for step in range(STEPS + 1):
        value, at = most * step / STEPS, seconds * step / STEPS
        parts.append(_line("grid", LEFT, y(value), WIDTH - RIGHT, y(value)))
        parts.append(f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{_number(value, most)}</text>')
        parts.append(f'<text x="{x(at):.1f}" y="{top + HEIGHT + 16}" text-anchor="middle">{at:.0f} s</text>')
    if panel.aim is not None:
        parts.append(_line("aim", LEFT, y(panel.aim), WIDTH - RIGHT, y(panel.aim)))
    parts.append(_line("mark", x(mark), top, x(mark), top + HEIGHT))
    parts.append(f'<text x="{x(mark) + 6:.1f}" y="{top + 14}">{escape(what)}</text>')
    for number, line in enumerate(panel.lines):
        corners = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in line.points)
        parts.append(f'<polyline class="line" stroke="{_colour(number)}" points="{corners}"/>')
    return parts + _legend(panel, top)


def _legend(panel: Panel, top: float) -> list[str]:
    """Names the lines of a panel beside its title, from the right."""
    names = [f'<tspan fill="{_colour(number)}"> {escape(line.name)}</tspan>' for number, line in enumerate(panel.lines)]
    return [f'<text x="{WIDTH - RIGHT}" y="{top - 12}" text-anchor="end">{" ".join(names)}</text>']


def _number(value: float, most: float) -> str:
    """Returns the label of a value; small axes have a decimal place, so that no two labels are equal."""
    return f"{value:.0f}" if most >= WHOLE else f"{value:.1f}"


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'

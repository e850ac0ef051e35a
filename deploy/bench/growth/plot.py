"""Draws the cost of operations over the length of the log as an SVG picture: multiples of that at the first length."""

from collections.abc import Mapping, Sequence
from html import escape
from math import log10
from pathlib import Path
from typing import Final

from deploy.bench.growth.measured import YARDSTICK

WIDTH: Final = 760
HEIGHT: Final = 360
LEFT: Final = 56
RIGHT: Final = 240  # for the names
TOP: Final = 24
BOTTOM: Final = 44
LEAST: Final = 2.0  # the top of the axis at least
FLAT: Final = 1.2  # the aim: at most a fifth dearer
COLOURS: Final = ("#1f5f8b", "#b3261e", "#2e7d32", "#8a5a00", "#6a3d9a", "#00695c", "#c2185b", "#37474f")
DASHES: Final = ("none", "7 3", "2 3")  # one for each round of the colours
STYLE: Final = "text{font:12px sans-serif;fill:#222}.grid{stroke:#ddd}.aim{stroke:#2e7d32;stroke-dasharray:6 4}"


def draw_growth(path: Path, sizes: Sequence[int], ratios: Mapping[str, Sequence[float]]) -> None:
    """Writes a line for each operation but the yardstick, by which the ratios are divided."""
    ratios = {name: costs for name, costs in ratios.items() if name != YARDSTICK}
    most = max(LEAST, *(max(costs) for costs in ratios.values()))
    first, decades = log10(sizes[0]), max(1e-9, log10(sizes[-1]) - log10(sizes[0]))

    def x(size: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (log10(size) - first) / decades

    def y(ratio: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - ratio / most)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>Cost of operations, relative to {sizes[0]:,} events</title><style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for step in range(5):
        level = most * step / 4
        parts.append(_line("grid", LEFT, y(level), WIDTH - RIGHT, y(level)))
        parts.append(f'<text x="{LEFT - 8}" y="{y(level) + 4:.1f}" text-anchor="end">{level:.1f}</text>')
    parts.append(_line("aim", LEFT, y(FLAT), WIDTH - RIGHT, y(FLAT)))
    parts += [
        f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{size:,}</text>' for size in sizes
    ]
    names = sorted(ratios, key=lambda name: -ratios[name][-1])
    for place, name in enumerate(names):
        look = f'stroke="{COLOURS[place % len(COLOURS)]}" stroke-dasharray="{DASHES[place // len(COLOURS)]}"'
        corners = " ".join(f"{x(size):.1f},{y(at):.1f}" for size, at in zip(sizes, ratios[name], strict=False))
        parts.append(f'<polyline points="{corners}" fill="none" {look} stroke-width="2"/>')
        beside, level = WIDTH - RIGHT + 10, TOP + 20 * place + 8
        parts.append(f'<path d="M{beside} {level}h26" {look} stroke-width="2"/>')
        text = f"{escape(name)} {ratios[name][-1]:.2f}"
        parts.append(f'<text x="{beside + 32}" y="{level + 4}">{text}</text>')
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'

"""What was measured at each length, each figure beside the yardstick of the same moment, and its ratio to the first."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import click

BYTES: Final = "bytes an event"  # a unit that a busy machine does not change
YARDSTICK: Final = "yardstick"


class GrowthCost(NamedTuple):
    """A figure, and the yardstick before and after it, in milliseconds."""

    cost: float
    yardstick: float


Measurements = Mapping[str, Sequence[GrowthCost]]


def ratios(measured: Sequence[GrowthCost], unit: str) -> Sequence[float]:
    """Returns each figure as a multiple of the first, divided by that of the yardstick but for bytes."""
    if unit == BYTES:
        return [one.cost / measured[0].cost for one in measured]
    first = measured[0].cost / measured[0].yardstick
    return [one.cost / one.yardstick / first for one in measured]


def print_table(sizes: Sequence[int], units: Mapping[str, str], table: Measurements) -> None:
    """Prints a line for each operation: the figure at each length, and the ratio of the last to the first."""
    click.echo(f"{'':22}{'':>15}" + "".join(f"{size:>12,}" for size in sizes) + f"{'ratio':>8}")
    for name, unit in units.items():
        costs = [f"{one.cost:,.2f}" for one in table[name]]
        told = "".join(f"{cost:>12}" for cost in costs + ["-"] * (len(sizes) - len(costs)))
        ratio = ratios(table[name], unit)[-1] if costs and name != YARDSTICK else 1.0
        click.echo(f"{name:22}{unit:>15}{told}{ratio:8.2f}")

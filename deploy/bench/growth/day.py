"""`cabildo bench scale`: a simulated day of many games, by what one event was measured to cost each stage."""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi
from typing import Final, NamedTuple

import click

DAY: Final = 86_400  # seconds
EVENTS_OF_A_GAME: Final = 250
PEAK_BEGINS: Final = 20 * 3_600
PEAK_SECONDS: Final = 1_800
SWING: Final = 0.6  # of the daily curve around its mean, without the peak
GIGABYTE: Final = 1e9


class MeasuredStage(NamedTuple):
    """A stage that every event passes: time of an event, and whether one at most passes it at a time."""

    name: str
    microseconds: float
    single: bool = False


class StageLoad(NamedTuple):
    """The result of a day in a stage."""

    most: float  # events a second
    busy: float  # at the peak, 1 is all of its processors
    delay: float  # the longest, in seconds
    after: float  # seconds from the peak's end until nothing waits


# Measured on two processors: see deploy/docs/scale.md.
WAL_BYTES: Final = 3_300
QUERY_BYTES: Final = 1_500  # of the call that writes a move, and its answer
STAGES: Final = (
    MeasuredStage("web servers", 950),
    MeasuredStage("database", 225),
    MeasuredStage("Redis", 30),
    MeasuredStage("sequencer", 5, single=True),
    MeasuredStage("read models", 52, single=True),
    MeasuredStage("sealer and publisher", 11, single=True),
)
NETWORK: Final = "network of the primary"
DATA_BYTES: Final = 798  # of tables and indexes an event
REDIS_COMMANDS: Final = 2.5
WATCHER_BYTES: Final = 1_300  # a move and watcher


@click.command()
@click.option("--games", default=1_000_000, show_default=True, help="Games a day.")
@click.option("--peak", default=10_000, show_default=True, help="Events a second in the busiest half hour.")
@click.option("--web", default=12, show_default=True, help="Processors for web servers.")
@click.option("--database", default=6, show_default=True, help="Processors for the primary.")
@click.option("--redis", default=1, show_default=True, help="Nodes of Redis.")
@click.option("--gigabits", default=10.0, show_default=True, help="Gigabits a second of the primary's network.")
@click.option("--standbys", default=2, show_default=True, help="Standbys that take the WAL.")
@click.option("--watchers", default=2, show_default=True, help="Watchers of a game, on average.")
def scale(
    games: int, peak: int, web: int, database: int, redis: int, gigabits: float, standbys: int, watchers: int
) -> None:
    """Simulate a day, second by second, and tell which stage saturates first."""
    processors = {"web servers": web, "database": database, "Redis": redis}
    load = day(games * EVENTS_OF_A_GAME, peak)
    events = sum(load)
    found = simulate(load, processors, (*STAGES, network_stage(gigabits, standbys)))
    click.echo(f"{events:,.0f} events a day, {events / DAY:,.0f} a second on average, {max(load):,.0f} at the peak")
    click.echo(f"{'':24}{'at most /s':>12}{'busy at peak':>14}{'longest wait':>14}{'gone after':>12}")
    for name, one in found.items():
        click.echo(f"{name:24}{one.most:12,.0f}{one.busy:14.2f}{one.delay:12.1f} s{one.after:10.0f} s")
    first = min(found, key=lambda name: found[name].most)
    click.echo(f"first to saturate: {first}, at {found[first].most:,.0f} events/s")
    click.echo(
        f"disk {events * DATA_BYTES / GIGABYTE:,.0f} GB a day, and {events * WAL_BYTES / GIGABYTE:,.0f} GB of WAL"
    )
    click.echo(f"WAL to each standby {max(load) * WAL_BYTES / 1e6:,.0f} MB/s at the peak")
    click.echo(f"to watchers {max(load) * watchers * WATCHER_BYTES / 1e6:,.0f} MB/s at the peak")
    click.echo(f"Redis {max(load) * REDIS_COMMANDS:,.0f} commands/s at the peak")


def day(events: int, peak: int) -> Sequence[float]:
    """Returns the events of each second: a daily curve, with a peak of half an hour in the evening."""
    in_peak = peak * PEAK_SECONDS
    mean = max(0.0, events - in_peak) / (DAY - PEAK_SECONDS)
    evening = PEAK_BEGINS + PEAK_SECONDS / 2
    curve = [mean * (1 + SWING * cos(2 * pi * (second - evening) / DAY)) for second in range(DAY)]
    peaked = range(PEAK_BEGINS, PEAK_BEGINS + PEAK_SECONDS)
    outside = sum(curve) - sum(curve[PEAK_BEGINS : PEAK_BEGINS + PEAK_SECONDS])
    fitted = max(0.0, events - in_peak) / outside if outside else 0.0
    return [float(peak) if second in peaked else rate * fitted for second, rate in enumerate(curve)]


def network_stage(gigabits: float, standbys: int) -> MeasuredStage:
    """Returns the stage of what an event sends over the primary's network: to web servers and to each standby."""
    bits = 8 * (QUERY_BYTES + standbys * WAL_BYTES)
    return MeasuredStage(NETWORK, 1e6 * bits / (gigabits * GIGABYTE), single=True)


def simulate(
    load: Sequence[float], processors: Mapping[str, int], stages: Sequence[MeasuredStage] = STAGES
) -> Mapping[str, StageLoad]:
    """Sends the events of a day through the stages; what a stage cannot do in a second waits before it."""
    found, arriving = dict[str, StageLoad](), load
    for stage in stages:
        most = (1 if stage.single else processors[stage.name]) * 1e6 / stage.microseconds
        leaving, waiting = zip(*_served(arriving, most), strict=True)
        left = [second for second, backlog in enumerate(waiting) if backlog >= 1]
        over = PEAK_BEGINS + PEAK_SECONDS
        gone = max(0, left[-1] + 1 - over) if left else 0
        found[stage.name] = StageLoad(most, max(arriving) / most, max(waiting) / most, gone)
        arriving = leaving
    return found


def _served(arriving: Sequence[float], most: float) -> Iterator[tuple[float, float]]:
    """Yields for each second the served events, and those that still wait."""
    waiting = 0.0
    for events in arriving:
        served = min(waiting + events, most)
        waiting += events - served
        yield served, waiting

"""Prints what `cabildo bench load` measured, as a table of Markdown."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from deploy.bench.load.abusers import ABUSERS, Tally
from deploy.bench.load.samples import KINDS, REQUESTS, Percentiles, Sample, faults, figures
from deploy.bench.load.users import MIX

AIM: Final = 250.0  # ms, for 99 of 100 ordinary requests
SETTLES: Final = 60.0  # seconds of abuse, after which memory is flat
MEGABYTE: Final = 2**20
SHARE: Final = 10  # memory is the median of a tenth of the time
MOST_FAULTS: Final = 10  # kinds that are printed
MOST_ANSWERS: Final = 8  # of each abuser
HEADING: Final = "| ms | Alone | Errors | p50 | p95 | p99 | With abusers | Errors | p50 | p95 | p99 | Ratio of p99 |"


class MemoryAt(NamedTuple):
    """Memory of the web processes at a time."""

    at: float
    megabytes: float


class LoadFigures(NamedTuple):
    """The result of a run."""

    begin: float
    abuse: float  # when the abusers began
    end: float
    samples: Sequence[Sample]
    memory: Sequence[MemoryAt]
    tallies: Sequence[Tally]  # of each abuser: its answers


def lines(found: LoadFigures) -> Iterator[str]:
    """Yields the lines of the report."""
    quiet, beside = found.abuse - found.begin, found.end - found.abuse
    yield f"{MIX}; {quiet:.0f} s without abusers, then {beside:.0f} s with them"
    for (name, _), tally in zip(ABUSERS, found.tallies, strict=True):
        yield f"abuser: {name}; answers: " + ", ".join(
            f"{what} {number}" for what, number in tally.most_common(MOST_ANSWERS)
        )
    yield HEADING
    yield "|---|" + "---:|" * (HEADING.count("|") - 2)
    for kind in KINDS:
        yield _row(kind, found, (kind,))
    yield _row("all requests", found, REQUESTS)
    yield from (f"error: {fault}: {number}" for fault, number in faults(found.samples)[:MOST_FAULTS])
    yield _memory(found)
    _, requests = _both(found, REQUESTS)
    verdict = "within" if requests.p99 < AIM and not requests.errors else "NOT within"
    yield f"{verdict} the aim: ordinary requests without errors, p99 {AIM:.0f} ms"


def _row(name: str, found: LoadFigures, kinds: Sequence[str]) -> str:
    alone, beside = _both(found, kinds)
    ratio = beside.p99 / alone.p99 if alone.p99 and beside.p99 else 0.0
    return f"| {name} | {_cells(alone)} | {_cells(beside)} | {ratio:.1f} |"


def _both(found: LoadFigures, kinds: Sequence[str]) -> tuple[Percentiles, Percentiles]:
    """Returns the figures of some kinds before the abusers began and after it."""
    chosen = [sample for sample in found.samples if sample.kind in kinds and sample.at >= found.begin]
    early = [sample for sample in chosen if sample.at < found.abuse]
    return figures(early), figures([sample for sample in chosen if sample.at >= found.abuse])


def _cells(of: Percentiles) -> str:
    return f"{of.number} | {of.errors} | {of.p50:.0f} | {of.p95:.0f} | {of.p99:.0f}"


def _memory(found: LoadFigures) -> str:
    settled = min(SETTLES, (found.end - found.abuse) / 2)
    length = (found.end - found.begin) / SHARE
    before, after, last = (
        _median(found, since, since + length)
        for since in (found.abuse - length, found.abuse + settled, found.end - length)
    )
    most = max((one.megabytes for one in found.memory), default=0.0)
    ratio = last / after if after else 0.0
    return (
        f"memory of the web processes: {before:.0f} MB before the abusers, {after:.0f} MB {settled:.0f} s after they "
        f"began, {last:.0f} MB at the end (ratio {ratio:.2f}), {most:.0f} MB at most"
    )


def _median(found: LoadFigures, since: float, until: float) -> float:
    """Returns the median memory of a time; of a time without a sample, of all."""
    within = [one.megabytes for one in found.memory if since <= one.at < until]
    return statistics.median(within or [one.megabytes for one in found.memory] or [0.0])

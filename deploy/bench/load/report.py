"""Prints what `cabildo bench load` measured, as a table of Markdown."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from deploy.bench.load.abusers import ABUSERS, Tally
from deploy.bench.load.memory import KINDS as PROCESSES
from deploy.bench.load.memory import WEB, MemoryAt
from deploy.bench.load.samples import BOT, KINDS, REQUESTS, Percentiles, Sample, faults, figures
from deploy.bench.load.users import MIX

AIM: Final = 250.0  # ms, for 99 of 100 ordinary requests
SETTLES: Final = 60.0  # seconds of abuse, after which memory is flat
SHARE: Final = 10  # memory is the median of a tenth of the time
MOST_FAULTS: Final = 10  # kinds that are printed
MOST_ANSWERS: Final = 8  # of each abuser
BOT_AIM: Final = 1000.0  # ms, until a bot has answered
FLAT: Final = 0.03  # growth that is measured in runs of equal work
MEMORY_HEADING: Final = "| MB (PSS) | Alone | Settled | At the end | Growth | Most |"
HEADING: Final = "| ms | Alone | Errors | p50 | p95 | p99 | With abusers | Errors | p50 | p95 | p99 | Ratio of p99 |"


class LoadFigures(NamedTuple):
    """The result of a run."""

    begin: float
    abuse: float  # when the abusers began
    end: float
    samples: Sequence[Sample]
    memory: Sequence[MemoryAt]
    tallies: Sequence[Tally]  # of each abuser: its answers


class MemoryFigures(NamedTuple):
    """The memory of a kind of process in megabytes: medians of parts of the run, and the most."""

    alone: float
    early: float  # when it should have settled
    late: float  # at the end
    most: float
    settled: float  # seconds of abuse until `early`

    @property
    def growth(self) -> float:
        """The growth from `early` to the end."""
        return self.late / self.early - 1 if self.early else 0.0


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
    yield MEMORY_HEADING
    yield "|---|" + "---:|" * (MEMORY_HEADING.count("|") - 2)
    memory = {kind: _memory_of(found, kind) for kind, _ in PROCESSES}
    yield from (f"| {kind} | {_megabytes(figures)} |" for kind, figures in memory.items())
    yield from verdicts(found, memory[WEB])


def verdicts(found: LoadFigures, web: MemoryFigures) -> Iterator[str]:
    """Yields a line for each aim: whether it was reached."""
    requests, bots = (_both(found, kinds)[1] for kinds in (REQUESTS, (BOT,)))
    yield _verdict(
        not requests.errors and requests.p99 < AIM,
        f"ordinary requests beside the abusers, p99 under {AIM:.0f} ms and no error",
        f"p99 {requests.p99:.0f} ms, {requests.errors} errors",
    )
    yield _verdict(bots.p99 < BOT_AIM, f"bots beside the abusers, p99 under {BOT_AIM:.0f} ms", f"p99 {bots.p99:.0f} ms")
    yield _verdict(
        web.growth <= FLAT,
        f"memory of the web processes is flat {web.settled:.0f} s after the abusers began: grows by {FLAT:.0%} at most",
        f"{web.growth:+.1%} in the rest of the run",
    )


def _verdict(reached: bool, aim: str, found: str) -> str:
    return f"{'REACHED' if reached else 'MISSED'}: {aim}: {found}"


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


def _memory_of(found: LoadFigures, kind: str) -> MemoryFigures:
    settled = min(SETTLES, (found.end - found.abuse) / 2)
    length = (found.end - found.begin) / SHARE
    alone, early, late = (
        _median(found, kind, at, at + length)
        for at in (found.abuse - length, found.abuse + settled, found.end - length)
    )
    return MemoryFigures(alone, early, late, max((one.megabytes[kind] for one in found.memory), default=0.0), settled)


def _megabytes(of: MemoryFigures) -> str:
    return f"{of.alone:.0f} | {of.early:.0f} | {of.late:.0f} | {of.growth:+.1%} | {of.most:.0f}"


def _median(found: LoadFigures, kind: str, since: float, until: float) -> float:
    """Returns the median memory of a kind of process in a time; of a time without a sample, of all."""
    within = [one.megabytes[kind] for one in found.memory if since <= one.at < until]
    return statistics.median(within or [one.megabytes[kind] for one in found.memory] or [0.0])

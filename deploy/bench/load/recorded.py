"""Writes the report of the last recorded run into the documentation, between two marks."""

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from deploy.local.data_folder import PROJECT

PERFORMANCE: Final = PROJECT / "deploy" / "docs" / "performance.md"
PICTURE: Final = PERFORMANCE.parent / "pictures" / "load.svg"
BEGIN: Final = "<!-- what `cabildo bench load --record` wrote -->"
END: Final = "<!-- its end -->"


def record_report(page: Path, report: Sequence[str], busy: float) -> None:
    """Replaces the recorded run of a page. `busy` is the load average before the run."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text("\n".join((before + BEGIN, "", *_section(report, busy), "", END)) + after)


def _section(report: Sequence[str], busy: float) -> Iterator[str]:
    """Yields the report as Markdown: tables stay, other lines become items of a list."""
    day = time.strftime("%Y-%m-%d")
    yield f"Recorded on {day}, on {os.cpu_count()} cores that also carried load generator, abusers, stores and workers;"
    yield f"the load average before the run was {busy:.1f}."
    was_table: bool | None = None
    for line in report:
        is_table = line.startswith("|")
        if is_table != was_table or (is_table and _is_heading(line)):
            yield ""
        yield line if is_table else f"- {line}"
        was_table = is_table
    yield ""
    yield f"![Percentiles, errors and memory over the run](pictures/{PICTURE.name})"


def _is_heading(line: str) -> bool:
    return line.startswith(("| ms ", "| MB "))

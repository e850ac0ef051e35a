"""`cabildo verify`: verifies a bundle or an archive without server, database or clock."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from deploy.console import OUT
from events.errors import CabildoError
from events.merkle.policy import Policy
from projections.verify.archive import MAGIC, ArchiveReport, unpack, verify_archive
from projections.verify.bundle import (
    FAILED,
    INVALID,
    NOT_APPLICABLE,
    NOT_CHECKED,
    NOT_REACHED,
    PASSED,
    REMARKS,
    UNDECIDED,
    BundleReport,
)
from projections.verify.bundle import verify as judge
from projections.verify.checks.case import Contents, Finding, Weight
from projections.verify.client_receipts import parse_receipts, with_receipts
from projections.verify.editions import editions_known

SIGNS = {
    PASSED: "[green]passed[/]",
    FAILED: "[red]failed[/]",
    NOT_CHECKED: "[yellow]not checked[/]",
    NOT_REACHED: "[dim]not reached[/]",
    NOT_APPLICABLE: "[dim]-[/]",
}
COLOURS = {INVALID: "red", UNDECIDED: "red", REMARKS: "yellow"}
GRAVEST = (FAILED, NOT_REACHED, NOT_CHECKED, PASSED)  # of the games of an archive, the first of these is shown
HEADINGS = (("Remarks", (Weight.UNDECIDED, Weight.REMARK)), ("Not proved by design", (Weight.NOTE,)))
UNREADABLE = 2
LARGEST_FILE = 2**30


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--policy", type=click.Path(path_type=Path, dir_okay=False), help="The policy with the trusted keys (C2SP)."
)
@click.option("--receipts", type=click.Path(path_type=Path, dir_okay=False), help="A file of receipts from a client.")
@click.option(
    "--evidence", type=click.Path(path_type=Path, dir_okay=False), help="Write bundle and receipts to this file."
)
@click.option("--newer", type=click.Path(path_type=Path, dir_okay=False), help="Another archive of the tournament.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(
    file: Path, policy: Path | None, receipts: Path | None, evidence: Path | None, newer: Path | None, as_json: bool
) -> None:
    """Verify the bundle of a game, or the archive of a set of games, in FILE, offline.

    With --receipts a bundle is held against the service's signed words that a client of the project has kept. What
    contradicts them is found by V11; --evidence writes both into one bundle, which proves it to everybody.

    With --newer the archive of a tournament is held against another one of it: when that has a later edition, made by
    a correction after the end, a remark says that this one was replaced.

    Ends with 0 when it is valid: the result was recomputed, and the log vouches for it as far as the policy asks; what
    nothing proves by design is told as notes. With 1 when it is valid with remarks that a director should read. With 2
    when a file cannot be read. With 10 + n when check Vn failed. With 30 when nothing is known to be wrong and the
    result was not recomputed, as under rules that this program does not know.
    """
    try:
        trusted = Policy.parse(policy.read_bytes()) if policy else None
        with file.open("rb") as opened:
            data = opened.read(LARGEST_FILE)
        if receipts and data.startswith(MAGIC):
            raise click.UsageError("--receipts goes with the bundle of one game")
        if newer and not data.startswith(MAGIC):
            raise click.UsageError("--newer goes with the archive of a tournament")
        if receipts:
            data = with_receipts(data, parse_receipts(receipts.read_text(encoding="utf-8")))
        if evidence:
            evidence.write_bytes(data)
        report: BundleReport | ArchiveReport = (
            verify_archive(data, trusted, _editions_with(newer)) if data.startswith(MAGIC) else judge(data, trusted)
        )
    except OSError as problem:
        raise Unreadable(f"{problem.filename}: {problem.strerror}") from problem
    except CabildoError as problem:
        raise Unreadable(f"the policy or the receipts: {problem}") from problem
    if as_json:
        click.echo(json.dumps(report.document(), indent=2))
    else:
        print_report(file, report)
    raise SystemExit(report.exit_status)


def _editions_with(newer: Path | None) -> Callable[[Contents], int]:
    """Returns the count of known editions of a tournament's archive, given another archive of it."""
    other = None if newer is None else unpack(newer.read_bytes())
    return lambda contents: 0 if other is None else editions_known(contents.games, other.games)


class Unreadable(click.ClickException):
    """A file named on the command line cannot be read."""

    exit_code = UNREADABLE


def print_report(file: Path, report: BundleReport | ArchiveReport) -> None:
    """Prints the report in words."""
    if isinstance(report, ArchiveReport):
        _print_archive(report)
    else:
        _print_bundle(report)
    OUT.print(f"\n[bold {COLOURS.get(report.verdict, 'green')}]{escape(file.name)} is {report.verdict}.[/]")


def _print_archive(report: ArchiveReport) -> None:
    for stream, game in report.games:
        wrong = f": {escape(game.failure.sentence)} ({game.failure.code})" if game.failure else ""
        OUT.print(f"{stream} is {game.verdict}{wrong}")
    table = Table(box=None, show_header=False)
    for answers in zip(*(game.answers for _, game in report.games), strict=True):
        asked = [answer for answer in answers if answer.status != NOT_APPLICABLE]
        passed = sum(answer.status == PASSED for answer in asked)
        gravest = next((one for one in GRAVEST if one in {answer.status for answer in asked}), NOT_APPLICABLE)
        if asked:
            table.add_row(asked[0].code, asked[0].asks, SIGNS[gravest], f"{passed}/{len(asked)}")
    if report.games:
        OUT.print(table)
    _print_findings([found for _, game in report.games for found in game.findings])
    if report.refused:
        OUT.print(f"\nWrong: {escape(report.refused)}")


def _print_bundle(report: BundleReport) -> None:
    table = Table(box=None, show_header=False)
    for answer in report.answers:
        why_not = f": {escape(answer.why_not)}" if answer.why_not else ""
        table.add_row(answer.code, answer.asks, SIGNS[answer.status] + why_not)
    OUT.print(table)
    _print_findings(report.findings)
    if report.failure:
        OUT.print(f"\nWrong ({report.failure.code}): {escape(report.failure.sentence)}")


def _print_findings(findings: Sequence[Finding]) -> None:
    """Prints remarks on the verdict, and notes on claims that are not proved by design."""
    for heading, weights in HEADINGS:
        sentences = dict.fromkeys(found.sentence for found in findings if found.weight in weights)
        if sentences:
            OUT.print(f"\n{heading}:")
        for sentence in sentences:
            OUT.print(f"  - {escape(sentence)}")

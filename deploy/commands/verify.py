"""`cabildo verify`: judge a bundle without server, database or clock."""

import json
from collections.abc import Iterable
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from deploy.console import OUT
from events.errors import CabildoError
from events.merkle.policy import Policy
from projections.archives import MAGIC, ArchiveReport, verify_archive
from projections.audit import FAILED, INVALID, NOT_APPLICABLE, NOT_REACHED, PASSED, Report
from projections.audit import verify as judge
from projections.checks.case import Remark
from projections.kept_receipts import kept, with_receipts

SIGNS = {PASSED: "[green]yes[/]", FAILED: "[red]no[/]", NOT_REACHED: "[dim]not reached[/]", NOT_APPLICABLE: "[dim]-[/]"}
COLOURS = {INVALID: "red"}
UNREADABLE = 3
LARGEST_FILE = 2**30


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--policy", type=click.Path(path_type=Path, dir_okay=False), help="Whose signatures count (C2SP).")
@click.option("--receipts", type=click.Path(path_type=Path, dir_okay=False), help="Receipts that a client kept.")
@click.option("--evidence", type=click.Path(path_type=Path, dir_okay=False), help="Where to write bundle and receipts.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for machines.")
def verify(file: Path, policy: Path | None, receipts: Path | None, evidence: Path | None, as_json: bool) -> None:
    """Verify the bundle of a game, or the archive of a set of games, in FILE, offline.

    With --receipts a bundle is held against the service's signed words that a client of the project has kept. What
    contradicts them is found by V11; --evidence writes both into one bundle, which proves it to everybody.

    Ends with 0 when it is valid, 1 when it is valid with remarks on what is not proved, 3 when a file cannot be read,
    and 10 + n when check Vn found something wrong.
    """
    try:
        trusted = Policy.parse(policy.read_bytes()) if policy else None
        with file.open("rb") as opened:
            data = opened.read(LARGEST_FILE)
        if receipts and data.startswith(MAGIC):
            raise click.UsageError("--receipts goes with the bundle of one game")
        if receipts:
            data = with_receipts(data, kept(receipts.read_text(encoding="utf-8")))
        if evidence:
            evidence.write_bytes(data)
        report: Report | ArchiveReport = (
            verify_archive(data, trusted) if data.startswith(MAGIC) else judge(data, trusted)
        )
    except OSError as problem:
        raise Unreadable(f"{problem.filename}: {problem.strerror}") from problem
    except CabildoError as problem:
        raise Unreadable(f"the policy or the receipts: {problem}") from problem
    if as_json:
        click.echo(json.dumps(report.document(), indent=2))
    else:
        tell(file, report)
    raise SystemExit(report.exit_status)


class Unreadable(click.ClickException):
    """A file that the command was given cannot be read."""

    exit_code = UNREADABLE


def tell(file: Path, report: Report | ArchiveReport) -> None:
    """Say in words what came of it."""
    if isinstance(report, ArchiveReport):
        _tell_archive(report)
    else:
        _tell_bundle(report)
    OUT.print(f"\n[bold {COLOURS.get(report.verdict, 'green')}]{escape(file.name)} is {report.verdict}.[/]")


def _tell_archive(report: ArchiveReport) -> None:
    for stream, game in report.games:
        wrong = f": {escape(game.failure.sentence)} ({game.failure.code})" if game.failure else ""
        OUT.print(f"{stream} is {game.verdict}{wrong}")
    table = Table(box=None, show_header=False)
    for answers in zip(*(game.answers for _, game in report.games), strict=True):
        asked = [answer for answer in answers if answer.status != NOT_APPLICABLE]
        passed = sum(answer.status == PASSED for answer in asked)
        sign = SIGNS[PASSED if passed == len(asked) else FAILED]
        if asked:
            table.add_row(asked[0].code, asked[0].asks, sign, f"{passed}/{len(asked)}")
    if report.games:
        OUT.print(table)
    _not_proved(remark for _, game in report.games for remark in game.remarks)
    if report.refused:
        OUT.print(f"\nWrong: {escape(report.refused)}")


def _tell_bundle(report: Report) -> None:
    table = Table(box=None, show_header=False)
    for answer in report.answers:
        table.add_row(answer.code, answer.asks, SIGNS[answer.status])
    OUT.print(table)
    _not_proved(report.remarks)
    if report.failure:
        OUT.print(f"\nWrong ({report.failure.code}): {escape(report.failure.sentence)}")


def _not_proved(remarks: Iterable[Remark]) -> None:
    sentences = dict.fromkeys(remark.sentence for remark in remarks)
    if sentences:
        OUT.print("\nNot proved:")
    for sentence in sentences:
        OUT.print(f"  - {escape(sentence)}")

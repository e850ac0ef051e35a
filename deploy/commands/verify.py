"""`cabildo verify`: judge a bundle without server, database or clock."""

import json
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from deploy.console import OUT
from events.bundle import LARGEST_BUNDLE
from events.errors import CabildoError
from events.merkle.policy import Policy
from projections.audit import FAILED, INVALID, NOT_APPLICABLE, NOT_REACHED, PASSED, Report
from projections.audit import verify as judge

SIGNS = {PASSED: "[green]yes[/]", FAILED: "[red]no[/]", NOT_REACHED: "[dim]not reached[/]", NOT_APPLICABLE: "[dim]-[/]"}
COLOURS = {INVALID: "red"}
UNREADABLE = 3


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--policy", type=click.Path(path_type=Path, dir_okay=False), help="Whose signatures count (C2SP).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for machines.")
def verify(file: Path, policy: Path | None, as_json: bool) -> None:
    """Verify the bundle in FILE, offline.

    Ends with 0 when it is valid, 1 when it is valid with remarks on what is not proved, 3 when a file cannot be read,
    and 10 + n when check Vn found something wrong.
    """
    try:
        trusted = Policy.parse(policy.read_bytes()) if policy else None
        with file.open("rb") as opened:
            report = judge(opened.read(LARGEST_BUNDLE + 1), trusted)
    except OSError as problem:
        raise Unreadable(f"{problem.filename}: {problem.strerror}") from problem
    except CabildoError as problem:
        raise Unreadable(f"the policy {policy}: {problem}") from problem
    if as_json:
        click.echo(json.dumps(report.document(), indent=2))
    else:
        _tell(file, report)
    raise SystemExit(report.exit_status)


class Unreadable(click.ClickException):
    """A file that the command was given cannot be read."""

    exit_code = UNREADABLE


def _tell(file: Path, report: Report) -> None:
    table = Table(box=None, show_header=False)
    for answer in report.answers:
        table.add_row(answer.code, answer.asks, SIGNS[answer.status])
    OUT.print(table)
    if report.remarks:
        OUT.print("\nNot proved:")
        for sentence in dict.fromkeys(remark.sentence for remark in report.remarks):
            OUT.print(f"  - {escape(sentence)}")
    if report.failure:
        OUT.print(f"\nWrong ({report.failure.code}): {escape(report.failure.sentence)}")
    OUT.print(f"\n[bold {COLOURS.get(report.verdict, 'green')}]{escape(file.name)} is {report.verdict}.[/]")

"""The measurement of lists runs on few games, and finds what it laid out."""

import re

from click.testing import CliRunner

from deploy.cli import main


def test_every_list_is_measured_and_not_empty() -> None:
    ran = CliRunner().invoke(main, ["bench", "lists", "--games", "20000"])
    assert ran.exit_code == 0, ran.output
    found = {
        name.strip(): int(rows) for name, rows in re.findall(r"^(\D+?) +[\d.]+ +[\d.]+  (\d+) games$", ran.output, re.M)
    }
    assert len(found) > 15
    assert [name for name, rows in found.items() if not rows] == [
        "running, of a busy player",
        "lost by a busy player (none)",
        "by a fact that never happened",
    ]

"""The measurement of growth lets a log grow, measures each operation at every length and draws the ratios."""

from pathlib import Path
from xml.etree import ElementTree as ET

from click.testing import CliRunner

from deploy.bench.growth.command import ARCHIVED_OPERATIONS, OPERATIONS
from deploy.cli import main


def test_each_operation_is_measured_at_each_length(tmp_path: Path) -> None:
    drawn = tmp_path / "growth.svg"
    sizes = ("--events", "300", "--events", "200")
    ran = CliRunner().invoke(main, ["bench", "growth", *sizes, "--plot", str(drawn)])
    assert ran.exit_code == 0, ran.output
    titles, *told = ran.stdout.splitlines()
    told, after = told[: len(OPERATIONS)], told[len(OPERATIONS) :]
    assert titles.split() == ["200", "300", "ratio"]
    assert [line[:22].strip() for line in told] == [operation.name for operation in OPERATIONS]
    assert after[0].startswith("table events")
    archived = next(number for number, line in enumerate(after) if line.startswith("archive of"))
    assert [line[:28].strip() for line in after[archived + 3 :]] == [one.name for one in ARCHIVED_OPERATIONS]
    assert all(float(figure.replace(",", "")) > 0 for line in told for figure in line.split()[-3:])
    lines = ET.parse(drawn).getroot().findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == len(OPERATIONS)

"""The measurement of growth lets a log grow, measures each operation at every length and draws the ratios."""

from pathlib import Path
from xml.etree import ElementTree as ET

from click.testing import CliRunner

from deploy.bench.growth.command import OPERATIONS
from deploy.cli import main


def test_each_operation_is_measured_at_each_length(tmp_path: Path) -> None:
    drawn = tmp_path / "growth.svg"
    sizes = ("--events", "300", "--events", "200")
    ran = CliRunner().invoke(main, ["bench", "growth", *sizes, "--plot", str(drawn)])
    assert ran.exit_code == 0, ran.output
    titles, *told = ran.output.splitlines()
    assert titles.split() == ["200", "300", "ratio"]
    assert [line[:22].strip() for line in told] == [operation.name for operation in OPERATIONS]
    assert all(float(figure.replace(",", "")) > 0 for line in told for figure in line.split()[-3:])
    lines = ET.parse(drawn).getroot().findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == len(OPERATIONS)

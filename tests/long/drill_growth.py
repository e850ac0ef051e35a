"""The measurement of growth lets a log grow, measures each operation at every length and draws the ratios."""

from pathlib import Path
from xml.etree import ElementTree as ET

from click.testing import CliRunner, Result

from deploy.bench.growth.measured import YARDSTICK
from deploy.bench.growth.operations import ARCHIVED_OPERATIONS, OPERATIONS, WHOLE
from deploy.cli import main

LINES = "{http://www.w3.org/2000/svg}polyline"


def measured(*options: str) -> Result:
    """Runs the measurement."""
    ran = CliRunner().invoke(main, ["bench", "growth", *options])
    assert ran.exit_code == 0, ran.output
    return ran


def test_each_operation_is_measured_at_each_length(tmp_path: Path) -> None:
    drawn = tmp_path / "growth.svg"
    said = measured("--events", "2000", "--events", "200", "--plot", str(drawn)).stdout.splitlines()
    told = said[-len(OPERATIONS) :]
    assert said[-len(OPERATIONS) - 1].split() == ["200", "2,000", "ratio"]
    assert [line[:22].strip() for line in told] == [operation.name for operation in OPERATIONS]
    assert all(float(figure.replace(",", "")) > 0 for line in told for figure in line.split()[-3:])
    archived = next(number for number, line in enumerate(said) if line.startswith("archive of"))
    names = [line[:28].strip() for line in said[archived + 3 : -len(OPERATIONS) - 1]]
    assert names == [one.name for one in ARCHIVED_OPERATIONS]
    assert len([line for line in said if line.startswith("plan of search for a fact:")]) == 2
    assert len(ET.parse(drawn).getroot().findall(LINES)) == len([one for one in OPERATIONS if one.name != YARDSTICK])


def test_what_takes_too_long_is_left_out() -> None:
    said = measured("--events", "200", "--events", "1000000000", "--growing", "1", "--whole", "100").stdout
    assert "1,000,000,000" not in said
    assert "archive of" not in said
    told = {line[:22].strip(): line.split()[-2] for line in said.splitlines()[-len(OPERATIONS) :]}
    assert {name for name, figure in told.items() if figure == "-"} == set(WHOLE)

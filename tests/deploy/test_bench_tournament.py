"""The benchmark of tournaments pairs every format."""

from click.testing import CliRunner

from deploy.cli import main


def test_every_format_is_paired_round_by_round() -> None:
    ran = CliRunner().invoke(main, ["bench", "tournament", "--players", "24", "--rounds", "2"])
    assert ran.exit_code == 0, ran.output
    rows = [line.split()[:2] for line in ran.output.splitlines()[1:-1]]
    assert rows == [
        [name, number] for name in ("heats", "swiss", "round_robin", "knock_out", "pods") for number in "12"
    ]


def test_one_format_can_be_measured_alone() -> None:
    ran = CliRunner().invoke(main, ["bench", "tournament", "--players", "9", "--rounds", "1", "--format", "swiss"])
    assert ran.exit_code == 0, ran.output
    assert "the slowest pairing took" in ran.output

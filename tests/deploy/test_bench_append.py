"""The measurement of appends runs, counts every kind of writing and tells the ratio."""

from click.testing import CliRunner

from deploy.cli import main


def test_appends_are_counted_beside_bare_commits_and_streams_are_read() -> None:
    ran = CliRunner().invoke(main, ["bench", "append", "--writers", "1", "--seconds", "0.5", "--length", "1200"])
    assert ran.exit_code == 0, ran.output
    titles, writing, _, _, reading = ran.output.splitlines()
    assert titles.split() == ["writers", "bare/s", "appends/s", "ratio", "moves/s"]
    writers, *speeds = (float(figure.replace(",", "")) for figure in writing.split())
    assert writers == 1
    assert min(speeds) > 0
    assert abs(speeds[1] / speeds[0] - speeds[2]) < 0.1
    events, first, speed = (float(figure.replace(",", "")) for figure in reading.split())
    assert events == 1_200
    assert first > 0
    assert speed > 0

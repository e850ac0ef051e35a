"""The measurement of streams runs, and every watcher hears every move."""

import re

from click.testing import CliRunner

from deploy.cli import main


def test_moves_reach_all_who_watch() -> None:
    ran = CliRunner().invoke(main, ["bench", "streams", "--watchers", "20", "--rounds", "2"])
    assert ran.exit_code == 0, ran.output
    first, half, every = re.findall(r"first (\d+), by half (\d+), by all (\d+)", ran.output)[0]
    assert 0 < int(first) <= int(half) <= int(every)
    verdict = "within" if int(every) < 1000 else "NOT within"  # as it is told, and a busy machine may miss the aim
    assert ran.output.splitlines()[-1] == f"{verdict} the aim of 1 s"

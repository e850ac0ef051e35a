"""The measurement of streams: every watcher hears every move once, over two nodes, and a signal ends its servers."""

import subprocess
import sys

import psutil
from click.testing import CliRunner

from deploy.cli import main
from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT, descendants, eventually


def test_every_watcher_of_every_game_hears_every_move_once() -> None:
    size = ("--watchers", "60", "--games", "3", "--rounds", "9", "--rate", "100", "--nodes", "2")
    ran = CliRunner().invoke(main, ["bench", "streams", *size], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    assert "60 watchers of 3 games, 9 moves" in ran.output
    assert "not received 0, gaps or doubles 0, streams ended 0" in ran.output


def test_a_measurement_ended_by_a_signal_stops_its_servers() -> None:
    command = (sys.executable, "-m", "deploy.cli", "bench", "streams", "--watchers", "2", "--rounds", "1000")
    with subprocess.Popen(bound(command), cwd=PROJECT, stdout=subprocess.DEVNULL) as measuring:
        measured = psutil.Process(measuring.pid)
        assert eventually(lambda: descendants(measured, "gunicorn") > 1)
        servers = measured.children(recursive=True)
        measuring.terminate()
        assert measuring.wait(PATIENCE) == 128 + 15
    _, left = psutil.wait_procs(servers, PATIENCE)
    assert left == []

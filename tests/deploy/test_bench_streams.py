"""The measurement of streams stops its servers when it is ended."""

import subprocess
import sys

import psutil

from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT, descendants, eventually


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

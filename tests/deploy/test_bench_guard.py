"""A measurement that is ended, by whatever way, ends everything that it started."""

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from deploy.local.guard import PREFIX, TOO_LONG
from tests.support.running_program import PATIENCE, PROJECT, descendants, eventually

BENCH = (sys.executable, "-m", "deploy.cli", "bench")
LONG = ("append", "--writers", "2", "--seconds", "500")


def directories(started: list[psutil.Process]) -> list[Path]:
    """Returns the temporary directories of the processes of a measurement."""
    numbers = {str(one.pid) for one in started}
    found = Path(tempfile.gettempdir()).glob(f"{PREFIX}*")
    return [path for path in found if path.name.removeprefix(PREFIX).split("-")[0] in numbers]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGHUP, 129)], ids=lambda one: str(one))
def test_a_signal_ends_the_servers_too(number: signal.Signals, code: int) -> None:
    with subprocess.Popen((*BENCH, *LONG), cwd=PROJECT, stdout=subprocess.DEVNULL) as measuring:
        measured = psutil.Process(measuring.pid)
        assert eventually(lambda: descendants(measured, "spawn_main") > 0)
        started = measured.children(recursive=True)
        assert directories(started)
        measuring.send_signal(number)
        assert measuring.wait(PATIENCE) == code
    _, left = psutil.wait_procs(started, PATIENCE)
    assert left == []
    assert directories(started) == []


def test_a_killed_measurement_leaves_nothing() -> None:
    with subprocess.Popen((*BENCH, *LONG), cwd=PROJECT, stdout=subprocess.DEVNULL) as measuring:
        measured = psutil.Process(measuring.pid)
        assert eventually(lambda: descendants(measured, "postgres: ") > 0)
        started = measured.children(recursive=True)
        measured.children()[0].kill()
        assert measuring.wait(PATIENCE) == 128 + signal.SIGKILL
    _, left = psutil.wait_procs(started, PATIENCE)
    assert left == []
    assert directories(started) == []


def test_one_that_takes_too_long_is_ended() -> None:
    ran = subprocess.run(
        (*BENCH, "--within", "3", *LONG), cwd=PROJECT, capture_output=True, text=True, timeout=PATIENCE
    )
    assert ran.returncode == TOO_LONG
    assert "took too long" in ran.stderr

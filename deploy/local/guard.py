"""Runs a measurement in a child process and ends all that it started: after a signal, a fault or too long a time."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import click
import psutil

from deploy.local.forking import AdoptedChild, adopt_orphans, signal_on_death_of_parent

PREFIX: Final = "cabildo-bench-"
ENDS_WITHIN: Final = 60.0  # seconds for a measurement to stop its servers, then they are killed
SERVERS_END_WITHIN: Final = 20.0
TOO_LONG: Final = 124  # the exit status of a measurement that took too long, as of timeout(1)
SIGNALLED: Final = 128  # plus the signal: the exit status after one
ENDING: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def run_guarded(most_seconds: float) -> None:
    """Returns in a child process that measures; the calling process waits for it and ends with its exit status.

    SIGTERM, SIGHUP and Ctrl-C let the measurement stop its servers. So does the death of the calling process.
    """
    adopt_orphans()
    guard = os.getpid()
    if (number := os.fork()) == 0:
        for one in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(one, _exit)
        signal_on_death_of_parent(guard, signal.SIGTERM)
        return
    code = _Guard(AdoptedChild(number), time.monotonic() + most_seconds).watch()
    _end_descendants()
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}{number}-*"):
        shutil.rmtree(left, ignore_errors=True)
    sys.exit(code)


@contextmanager
def bench_directory() -> Iterator[Path]:
    """Yields a temporary directory that servers of other users may pass through."""
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


class _Guard:
    """Waits for a measurement, and passes signals on."""

    def __init__(self, child: AdoptedChild, deadline: float) -> None:
        self._child = child
        self._deadline = deadline
        self._is_late = self._was_asked = False
        for one in ENDING:
            signal.signal(one, self._pass_on)

    def watch(self) -> int:
        """Waits for the end, and kills a measurement that does not end. Returns its exit status."""
        while True:
            try:
                code = self._child.wait(max(0.0, self._deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                self._late()
            else:
                return TOO_LONG if self._is_late else SIGNALLED - code if code < 0 else code

    def _late(self) -> None:
        """Asks a measurement to end that took too long; kills one that was asked before."""
        if self._was_asked:
            self._child.send_signal(signal.SIGKILL)
        else:
            self._is_late = self._was_asked = True
            click.echo("the measurement took too long and is ended", err=True)
            self._child.send_signal(signal.SIGTERM)
        self._deadline = time.monotonic() + ENDS_WITHIN

    def _pass_on(self, number: int, _frame: object) -> None:
        if number != signal.SIGINT:  # Ctrl-C reaches the measurement by itself
            self._child.send_signal(number)
        self._was_asked = True
        self._deadline = min(self._deadline, time.monotonic() + ENDS_WITHIN)


def _exit(number: int, _frame: object) -> None:
    """Raises SystemExit, so that a measurement that is ended by a signal stops its servers."""
    sys.exit(SIGNALLED + number)


def _end_descendants() -> None:
    """Ends the servers that a measurement left."""
    left = psutil.Process().children(recursive=True)
    for one in left:
        with suppress(psutil.NoSuchProcess):
            one.send_signal(signal.SIGINT if one.name() == "postgres" else signal.SIGTERM)
    _, stubborn = psutil.wait_procs(left, timeout=SERVERS_END_WITHIN)
    for one in stubborn:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    psutil.wait_procs(stubborn, timeout=SERVERS_END_WITHIN)

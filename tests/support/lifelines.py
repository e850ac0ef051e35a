"""Binds a process to the one that starts it, so that a killed test run leaves no server behind."""

import shutil
import signal
from collections.abc import Sequence
from typing import Final

BINDER: Final = shutil.which("setpriv")  # of util-linux; where there is none, the next run clears servers away


def bound(command: Sequence[str], last: signal.Signals = signal.SIGTERM) -> tuple[str, ...]:
    """Returns the command with a wrapper: its process gets a signal when the starting thread ends."""
    if BINDER is None:
        return tuple(command)
    return BINDER, "--pdeathsig", last.name.removeprefix("SIG"), "--", *command

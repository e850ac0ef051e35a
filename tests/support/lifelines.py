"""Binds a process to the one that starts it, so that a test run that is killed leaves no server behind."""

import shutil
import signal
from collections.abc import Sequence
from typing import Final

BINDER: Final = shutil.which("setpriv")  # of util-linux; where there is none, the next run clears servers away


def bound(command: Sequence[str], last: signal.Signals = signal.SIGTERM) -> tuple[str, ...]:
    """The same command; what it runs gets a last signal when the thread that started it is gone."""
    if BINDER is None:
        return tuple(command)
    return BINDER, "--pdeathsig", last.name.removeprefix("SIG"), "--", *command

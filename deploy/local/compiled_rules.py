"""Compiles the rules beside the running service, once for each state of the sources, and tells when that is done."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from deploy.compiling import BUILDS, missing_tool, present
from deploy.local.data_folder import PROJECT
from deploy.local.processes import bare_environment
from projections.rules.compiled import VARIABLE, folder_name

COMMAND: Final = (sys.executable, "-m", "deploy.cli", "compile", "--service")
WITHIN: Final = 3600.0  # seconds, on a machine that has hardly any time for it
TOLD: Final = 300  # characters of the reason of a failure
Say = Callable[[str], None]


def compiled_environment() -> Mapping[str, str]:
    """Returns the variable that lets a process take the compiled rules; none when they do not fit the sources."""
    folder = present()
    return {} if folder is None else {VARIABLE: str(folder)}


class BackgroundBuild:
    """A child process that compiles the rules; without a compiler, or when it fails, everything goes on in Python."""

    def __init__(self, say: Say, done: Callable[[], None], builds: Path = BUILDS) -> None:
        self._say = say
        self._done = done
        self._child: subprocess.Popen[str] | None = None
        self._builds = builds
        self._failed = builds / f"{folder_name()}.failed"  # a build that failed is not tried again by itself

    @contextmanager
    def running(self) -> Iterator[None]:
        """Compiles while entered, if need be; ends the compiler on leaving."""
        if present(self._builds) is not None:
            yield
            return
        if reason := missing_tool() or self._earlier_failure():
            self._say(f"the rules run in Python: {reason}")
            yield
            return
        self._say("compiling the rules in the background, once; bots play by the same rules in Python until then")
        self._child = subprocess.Popen(
            COMMAND,
            cwd=PROJECT,
            env=bare_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        thread = threading.Thread(target=self._wait, args=(self._child,), name="compiler", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._end(self._child)
            thread.join()

    def _earlier_failure(self) -> str:
        if not self._failed.exists():
            return ""
        return f"they could not be compiled ({self._failed.read_text()}); to try again: cabildo compile --service"

    def _wait(self, child: subprocess.Popen[str]) -> None:
        began = time.monotonic()
        try:
            _, said = child.communicate(timeout=WITHIN)
        except subprocess.TimeoutExpired:
            self._end(child)
            said = f"not done within {WITHIN:.0f} s"
        if child.returncode == 0 and present(self._builds) is not None:
            self._say(f"the rules are compiled, after {time.monotonic() - began:.0f} s; bots start again with them")
            self._done()
        elif child.returncode != -signal.SIGKILL:
            reason = " ".join(said.split())[:TOLD] or "no reason given"
            self._failed.parent.mkdir(exist_ok=True)
            self._failed.write_text(reason)
            self._say(f"the rules are not compiled and run in Python: {reason}")

    def _end(self, child: subprocess.Popen[str]) -> None:
        """Ends the compiler and what it started."""
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)

"""`cabildo up` in a process of its own, watched through what it prints."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import psutil

PROJECT = Path(__file__).parents[2]
PATIENCE = 120.0  # the condition usually holds at once; a very busy machine takes long


class Up:
    """A running (or refused) `cabildo up`."""

    def __init__(
        self, data_dir: Path, *options: str, before: Sequence[str] = (), environ: Mapping[str, str] = {}
    ) -> None:
        self.data_dir = data_dir
        self._said = ""
        self._news = threading.Condition()
        command = (sys.executable, "-m", "deploy.cli", "--data-dir", str(data_dir), "up", "--workers", "1", *options)
        self._popen = subprocess.Popen(
            (*before, *command),
            cwd=PROJECT,
            env={**os.environ, "CABILDO_SAMPLES": "off", "CABILDO_COMPILED": "off", **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._popen.stdout is not None
        for line in self._popen.stdout:
            with self._news:
                self._said += line
                self._news.notify_all()

    @property
    def said(self) -> str:
        """Everything printed so far."""
        with self._news:
            return self._said

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait until it has printed something."""
        with self._news:
            found = self._news.wait_for(lambda: re.search(pattern, self._said) or self._ended(), PATIENCE)
            match = re.search(pattern, self._said)
        assert match is not None, f"{pattern!r} was not said ({found=}):\n{self._said}"
        return match

    def _ended(self) -> bool:
        return self._popen.poll() is not None and not self._reader.is_alive()

    def ready(self) -> str:
        """Wait until it is healthy; its address."""
        return self.wait_for(r"page +(http://\S+[^/])/\s")[1]

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; the exit status."""
        self._popen.send_signal(number)
        return self.exit_code()

    def exit_code(self) -> int:
        """Wait for the end; the exit status."""
        code = self._popen.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert self._popen.stdout is not None
        self._popen.stdout.close()
        return code

    def process(self, name: str) -> int:
        """The process number of one of its programs."""
        running: dict[str, list[Any]] = json.loads((self.data_dir / "processes.json").read_text())
        return int(running[name][0])


@contextmanager
def up(data_dir: Path, *options: str, before: Sequence[str] = (), environ: Mapping[str, str] = {}) -> Iterator[Up]:
    """A service that is stopped at the end, whatever happened."""
    service = Up(data_dir, "--port", "0", *options, before=before, environ=environ)
    try:
        yield service
    finally:
        if service._popen.poll() is None:
            service.end()


def eventually(true: Callable[[], bool], within: float = PATIENCE) -> bool:
    """Returns whether a condition becomes true in time."""
    end, pause = monotonic() + within, threading.Event()
    while not (is_true := true()) and monotonic() < end:
        pause.wait(0.1)
    return is_true


def descendants(process: psutil.Process, known_by: str) -> int:
    """Returns how many descendants of a process have a text in their command lines; some may end meanwhile."""
    number = 0
    for one in process.children(recursive=True):
        with suppress(psutil.Error):
            number += known_by in " ".join(one.cmdline())
    return number


def readiness(url: str) -> dict[str, Any]:
    """Returns the answer of `/readyz`; empty without an answer."""
    try:
        answer: dict[str, Any] = httpx.get(f"{url}/readyz", timeout=PATIENCE).json()
    except httpx.TransportError:
        return {}
    return answer

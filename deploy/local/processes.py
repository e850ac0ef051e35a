"""A server process: starts it, waits until it is ready, stops it; finds processes that a killed run left."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import psutil

from deploy.errors import ServerFailed
from deploy.local.identity import SystemUser

READY_WITHIN = 60.0
POLL_EVERY = 0.05
LOG_TAIL = 2000
PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "HOME", "TMPDIR")


def bare_environment() -> dict[str, str]:
    """Returns an environment without settings and secrets, for programs of others."""
    return {name: os.environ[name] for name in PASSED_ON if name in os.environ}


@dataclass(frozen=True)
class ServerProgram:
    """A program to run: its command, its user, a check for readiness, and the signal that stops it."""

    name: str
    command: tuple[str, ...]
    log: Path
    ready: Callable[[], bool]
    environment: Mapping[str, str] = field(default_factory=bare_environment)
    identity: SystemUser | None = None
    descriptors: tuple[int, ...] = ()
    directory: Path | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 10.0
    forks: bool = False  # whether a fork server may start it: its command runs a module of this Python


class Child(Protocol):
    """A process that this one started, as `subprocess.Popen` describes it."""

    pid: int

    def poll(self) -> int | None:
        """Returns the exit status; None while the process runs."""

    def send_signal(self, sig: int, /) -> None:
        """Sends a signal to a running process."""

    def wait(self, timeout: float | None = None) -> int:
        """Waits for the end. Returns the exit status. Raises TimeoutExpired."""


Start = Callable[[ServerProgram], Child]


def execute(program: ServerProgram) -> Child:
    """Starts a program as a new process."""
    with program.log.open("ab") as log:
        return subprocess.Popen(
            program.command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=dict(program.environment),
            pass_fds=program.descriptors,
            start_new_session=True,
            **(program.identity.starts() if program.identity else {"cwd": program.directory}),
        )


class Process:
    """A running program in its own session, so that Ctrl-C reaches only the process that started it."""

    def __init__(self, program: ServerProgram, start: Start = execute) -> None:
        self.program = program
        self.started = time.monotonic()
        self._child = start(program)
        self.pid = self._child.pid

    def exit_code(self) -> int | None:
        """Returns the exit status; None while the program runs."""
        return self._child.poll()

    def wait_ready(self, within: float = READY_WITHIN, stopping: threading.Event | None = None) -> None:
        """Waits until the program is ready or `stopping` is set. Raises ServerFailed."""
        stopping = stopping or threading.Event()
        deadline = time.monotonic() + within
        while not stopping.is_set() and not self.program.ready():
            if self.exit_code() is not None:
                raise ServerFailed(self.program.name, f"ended with status {self.exit_code()}", self.log_tail())
            if time.monotonic() > deadline:
                raise ServerFailed(self.program.name, f"was not ready after {within:.0f} s", self.log_tail())
            stopping.wait(POLL_EVERY)

    def ask_to_stop(self) -> None:
        """Sends the program its stop signal."""
        if self.exit_code() is None:
            self._child.send_signal(self.program.stop_signal)

    def stop(self) -> None:
        """Sends the stop signal, waits for the program's time limit, then kills its process group."""
        self.ask_to_stop()
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(self.program.stop_seconds)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._child.wait()

    def log_tail(self) -> str:
        """Returns the end of the program's log."""
        return self.program.log.read_text(errors="replace")[-LOG_TAIL:].strip()


def write_record(record: Path, processes: Mapping[str, int]) -> None:
    """Writes the running processes to a file, so that the next run can stop those that a killed run left."""
    running = {name: [pid, started] for name, pid in processes.items() if (started := _start_time(pid)) is not None}
    fresh = record.with_suffix(".new")
    fresh.write_text(json.dumps(running))
    fresh.replace(record)


def stop_leftovers(record: Path, timeout: float = 15.0) -> list[str]:
    """Stops recorded processes that still run (same pid and start time). Returns their names."""
    left = {name: process for name, process in _recorded(record) if process is not None}
    for process in left.values():
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGINT if process.name() == "postgres" else signal.SIGTERM)
    _, stubborn = psutil.wait_procs(left.values(), timeout=timeout)
    for process in stubborn:
        with suppress(psutil.NoSuchProcess, ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    psutil.wait_procs(stubborn, timeout=timeout)
    record.unlink(missing_ok=True)
    return sorted(left)


def _recorded(record: Path) -> list[tuple[str, psutil.Process | None]]:
    try:
        rows: dict[str, list[float]] = json.loads(record.read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return []
    return [(name, _same_process(int(pid), started)) for name, (pid, started) in rows.items()]


def _same_process(pid: int, started: float) -> psutil.Process | None:
    """Returns the process with this pid and start time; None when it ended or another process has the pid."""
    now = _start_time(pid)
    return psutil.Process(pid) if now is not None and abs(now - started) < 1 else None


def _start_time(pid: int) -> float | None:
    """Returns the start time of a process; None when it ended."""
    try:
        return float(psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return None

"""The supervisor's side of the fork server: starts programs in it, and adopts them as its own children."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import psutil

from deploy.local.fork_protocol import NUMBER, READY, ForkedProgram
from deploy.local.processes import Child, ServerProgram, bare_environment, execute

FORK_SERVER: Final = "fork server"
ADOPT_ORPHANS: Final = 36  # PR_SET_CHILD_SUBREAPER of linux/prctl.h
SIGNAL_ON_DEATH: Final = 1  # PR_SET_PDEATHSIG
ANSWERS_WITHIN: Final = 60.0  # seconds for the imports on a busy machine
LOOK_EVERY: Final = 0.02
MODULE: Final = (sys.executable, "-m")  # how the command of a program begins that can be forked


class AdoptedChild:
    """A forked program, which became a child of this process when the process that forked it ended."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        """Returns the exit status, negative for a signal; None while the program runs."""
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code

    def send_signal(self, number: int) -> None:
        """Sends a signal to the program unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, timeout: float | None = None) -> int:
        """Waits for the end. Returns the exit status. Raises TimeoutExpired."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("a forked program", timeout or 0.0)
            time.sleep(LOOK_EVERY)
        return code


class ForkServer:
    """Starts programs by forking a process that has imported them; executes them where that is not possible."""

    def __init__(self, log: Path, directory: Path, environment: Callable[[], Mapping[str, str]] = dict) -> None:
        self._log = log
        self._directory = directory
        self._environment = environment  # what it needs besides, when it starts: what its imports depend on
        self._requests: socket.socket | None = None
        self._other_end: socket.socket | None = None

    def prepare(self) -> ServerProgram:
        """Returns the program of a new fork server, in place of an earlier one."""
        self.close()
        self._requests, self._other_end = socket.socketpair()
        self._requests.settimeout(ANSWERS_WITHIN)
        descriptor = self._other_end.fileno()
        return ServerProgram(
            name=FORK_SERVER,
            command=(*MODULE, "deploy.local.fork_server", str(descriptor)),
            log=self._log,
            ready=partial(bool, True),  # the first program waits for it
            environment={**bare_environment(), **self._environment()},
            descriptors=(descriptor,),
            directory=self._directory,
        )

    def start(self, program: ServerProgram) -> Child:
        """Starts a program: forks it if it can be forked and the fork server answers, else executes it."""
        if program.forks and self._requests is not None:
            try:
                return self._fork(program, self._requests)
            except (OSError, ValueError):  # it was killed, or could not make a process; the supervisor starts another
                self.close()
        return execute(program)

    def _fork(self, program: ServerProgram, requests: socket.socket) -> AdoptedChild:
        if self._other_end is not None:
            self._other_end.close()  # so that the end of the fork server is noticed
            self._other_end = None
            _receive(requests, len(READY))
        hear, tell = os.pipe()
        with os.fdopen(tell, "wb") as description, os.fdopen(hear, "rb"), program.log.open("ab") as log:
            socket.send_fds(requests, [b"f"], [hear, log.fileno(), *program.descriptors])
            child = AdoptedChild(int(_receive(requests, NUMBER)))
            description.write(_forked(program).text())
        return child

    def close(self) -> None:
        """Closes the connection to the fork server, which then ends; its programs go on."""
        for end in (self._requests, self._other_end):
            if end is not None:
                end.close()
        self._requests = self._other_end = None


class Orphans:
    """Processes whose parents ended, such as those of a killed web server: reaped when nobody else waits for them."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def reap(self) -> None:
        """Reaps the children that had ended at the last call already."""
        ended = {child.pid for child in psutil.Process().children() if _has_ended(child)}
        for pid in ended & self._seen:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        self._seen = ended - self._seen


def adopt_orphans() -> bool:
    """Makes this process the parent of descendants whose own parent ends. Returns whether the system can do that."""
    return _prctl(ADOPT_ORPHANS, 1)


def signal_on_death_of_parent(parent: int, number: signal.Signals) -> None:
    """Lets the system send this process a signal when its parent ends; at once when it has ended."""
    _prctl(SIGNAL_ON_DEATH, number)
    if os.getppid() != parent:
        os.kill(os.getpid(), number)


def _prctl(what: int, value: int) -> bool:
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    return prctl is not None and prctl(what, value, 0, 0, 0) == 0


def _receive(requests: socket.socket, size: int) -> bytes:
    answer = requests.recv(size, socket.MSG_WAITALL)
    if len(answer) != size:
        raise ConnectionResetError("the fork server ended")
    return answer


def _forked(program: ServerProgram) -> ForkedProgram:
    module, *arguments = program.command[len(MODULE) :]
    directory = str(program.directory or Path.cwd())
    return ForkedProgram(module, arguments, directory, program.environment, program.descriptors)


def _has_ended(child: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return bool(child.status() == psutil.STATUS_ZOMBIE)
    return False

"""Programs that a fork server starts: theirs alone is what they get, and they are children of the supervisor."""

import ctypes
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from deploy.local.data_folder import PROJECT
from deploy.local.forking import ADOPT_ORPHANS, AdoptedChild, ForkServer, Orphans, adopt_orphans
from deploy.local.processes import Process, ServerProgram
from tests.support.running_program import PATIENCE, eventually

SECRET = {"PATH": os.environ["PATH"], "CABILDO_LOG_KEY": "of one program alone"}


@pytest.fixture(scope="module")
def server(module_directory: Path) -> Iterator[tuple[ForkServer, Process]]:
    """A fork server, and its process; this process adopts orphans meanwhile."""
    assert adopt_orphans()
    forks = ForkServer(module_directory / "fork-server.log", PROJECT)
    process = Process(forks.prepare())
    try:
        yield forks, process
    finally:
        forks.close()
        process.stop()
        ctypes.CDLL(None).prctl(ADOPT_ORPHANS, 0, 0, 0, 0)


def program(directory: Path, *arguments: str, descriptors: tuple[int, ...] = ()) -> ServerProgram:
    """Returns a program that can be forked."""
    return ServerProgram(
        name="forked",
        command=(sys.executable, "-m", "tests.support.forked_program", *arguments),
        log=directory / "forked.log",
        ready=lambda: True,
        environment=SECRET,
        descriptors=descriptors,
        directory=PROJECT,
        forks=True,
    )


def test_a_program_has_what_it_was_given_and_nothing_else(server: tuple[ForkServer, Process], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        os.set_inheritable(listener.fileno(), True)
        begun = Process(program(tmp_path, "tell", descriptors=(listener.fileno(),)), server[0].start)
        assert begun._child.wait(PATIENCE) == 0
        told = json.loads(begun.log_tail())
        assert told["descriptors"] == [0, 1, 2, listener.fileno()]
    assert isinstance(begun._child, AdoptedChild)
    assert told["environment"] == SECRET
    assert (told["arguments"], told["directory"]) == (["tell"], str(PROJECT))
    assert told["leads_session"]


@pytest.mark.parametrize("status", [0, 3])
def test_its_exit_status_is_known(status: int, server: tuple[ForkServer, Process], tmp_path: Path) -> None:
    begun = Process(program(tmp_path, "exit", str(status)), server[0].start)
    assert begun._child.wait(PATIENCE) == begun.exit_code() == status


def test_it_is_a_child_that_can_be_killed(server: tuple[ForkServer, Process], tmp_path: Path) -> None:
    begun = Process(program(tmp_path, "stay"), server[0].start)
    assert psutil.Process(begun.pid).ppid() == os.getpid()
    os.kill(begun.pid, signal.SIGKILL)
    assert eventually(lambda: begun.exit_code() == -signal.SIGKILL)


def test_the_server_has_one_thread_and_no_connection(server: tuple[ForkServer, Process], tmp_path: Path) -> None:
    Process(program(tmp_path, "exit", "0"), server[0].start).stop()  # it is ready by then
    found = psutil.Process(server[1].pid)
    assert found.num_threads() == 1
    assert found.net_connections() == []
    assert found.children() == []


def test_without_a_server_a_program_is_executed(server_directory: Path, tmp_path: Path) -> None:
    forks = ForkServer(server_directory / "killed.log", PROJECT)
    process = Process(forks.prepare())
    os.kill(process.pid, signal.SIGKILL)
    process._child.wait(PATIENCE)
    for _ in range(2):
        begun = Process(program(tmp_path, "exit", "3"), forks.start)
        assert not isinstance(begun._child, AdoptedChild)
        assert begun._child.wait(PATIENCE) == 3


def test_orphans_are_reaped_when_they_were_seen_before(server: tuple[ForkServer, Process], tmp_path: Path) -> None:
    begun = Process(program(tmp_path, "exit", "0"), server[0].start)
    assert eventually(lambda: psutil.Process(begun.pid).status() == psutil.STATUS_ZOMBIE)
    orphans = Orphans()
    orphans.reap()
    assert psutil.pid_exists(begun.pid)  # somebody may wait for it
    orphans.reap()
    assert not psutil.pid_exists(begun.pid)

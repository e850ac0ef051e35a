"""A supervisor starts some programs again when it is asked to, and leaves the others alone."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.local.processes import ServerProgram
from deploy.local.supervisor import Supervisor
from tests.support.running_program import eventually


class Renewing:
    """A supervisor of two programs, and one on demand that is wanted."""

    def __init__(self, directory: Path) -> None:
        self.said: list[str] = []
        self._log = directory / "log"
        self.supervisor = Supervisor(directory / "processes.json", self.said.append)
        self.supervisor.start([lambda: self.program("bots"), lambda: self.program("web")])
        self.supervisor.start([], [(lambda: self.program("analyses"), lambda: True)])

    def program(self, name: str) -> ServerProgram:
        """Returns a program that runs until it is stopped."""
        return ServerProgram(name, ("sleep", "600"), self._log, lambda: True)

    def numbers(self) -> dict[str, int]:
        """Returns the number of each running process."""
        running = [kept.process for kept in self.supervisor._all() if kept.process]
        return {process.program.name: process.pid for process in running if process.exit_code() is None}


@pytest.fixture
def renewing(tmp_path: Path) -> Iterator[Renewing]:
    found = Renewing(tmp_path)
    thread = threading.Thread(target=found.supervisor.watch)
    thread.start()
    try:
        yield found
    finally:
        found.supervisor.stopping.set()
        thread.join()
        found.supervisor.stop()


def test_the_named_programs_start_again_and_no_others(renewing: Renewing) -> None:
    assert eventually(lambda: len(renewing.numbers()) == 3)
    before = renewing.numbers()
    renewing.supervisor.ask_to_renew(lambda name: name != "web")
    assert eventually(lambda: len(renewing.numbers()) == 3 and renewing.numbers()["analyses"] != before["analyses"])
    after = renewing.numbers()
    assert after["bots"] != before["bots"]
    assert after["web"] == before["web"]
    assert any(line.startswith("bots starts again") for line in renewing.said)
    assert not any("ended with" in line for line in renewing.said)

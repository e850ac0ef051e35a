"""Run as a program: each line of its input is one turn of a freshly started keeper, in a process of its own.

A turn passes the failpoints of sealing and publishing; at one of them its process may kill or stop itself, for real.
Whatever a turn shows to anybody is noted before it is written: every checkpoint and every claim.
"""

import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from psycopg import Connection

from events.store import failpoints

if TYPE_CHECKING:
    from service.settings import Settings

ENDED, REFUSED, BROKEN, KILLED, STOPPED = "ended", "refused", "broken", "killed", "stopped"
STOPS: Final = ("publish.before_claim", "publish.after_claim", "publish.before_checkpoint", "publish.after_checkpoint")


class Failing:
    """Counts the failpoints that a turn passes."""

    def __init__(self) -> None:
        self.left = {"kill": 0, "stop": 0}

    def failpoint(self, name: str) -> Callable[[], None]:
        """Stands in for events.store.failpoints.failpoint."""
        return lambda: self.passed(name)

    def passed(self, name: str) -> None:
        self._count("kill", signal.SIGKILL)
        if name in STOPS:
            self._count("stop", signal.SIGSTOP)

    def _count(self, kind: str, number: signal.Signals) -> None:
        self.left[kind] -= 1
        if self.left[kind] == 0:
            os.kill(os.getpid(), number)


class Turn(NamedTuple):
    """One turn: the variables of its node, and at which failpoint it is killed or stopped (0: at none).

    Or the operator recovers the database on that node.
    """

    environ: Mapping[str, str]
    journal: str  # the file of what is shown
    recovers: bool = False
    kill: int = 0
    stop: int = 0


class Turns:
    """The program that runs turns, seen from a test."""

    def __init__(self) -> None:
        command = (sys.executable, "-m", "tests.support.events.keeper_turns")
        self._program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, turn: Turn) -> tuple[str, int]:
        """Runs a turn; returns how it went, and its process."""
        return self._ask(turn._asdict())

    def go_on(self, process: int) -> str:
        """Lets a stopped turn go on to its end."""
        return self._ask({"process": process})[0]

    def close(self) -> None:
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.close()
        self._program.wait(60)
        self._program.stdout.close()

    def _ask(self, question: Mapping[str, object]) -> tuple[str, int]:
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(json.dumps(question) + "\n")
        self._program.stdin.flush()
        how, process = json.loads(self._program.stdout.readline())
        return str(how), int(process)


def main() -> None:
    """Runs the turns of standard input."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # log lines are no answers
    failing = Failing()
    failpoints.failpoint = failing.failpoint  # before the modules that have failpoints are read
    from events.files import directory_store  # noqa: F401
    from workers.keeper import log_duties  # noqa: F401

    for line in sys.stdin:
        asked = json.loads(line)
        process = asked.get("process") or start(Turn(**asked), failing)
        if "process" in asked:
            os.kill(process, signal.SIGCONT)
        _, status = os.waitpid(process, os.WUNTRACED)
        answers.write(json.dumps((outcome(status), process)) + "\n")
        answers.flush()


def outcome(status: int) -> str:
    if os.WIFSTOPPED(status):
        return STOPPED
    if os.WIFSIGNALED(status):
        return KILLED
    return (ENDED, REFUSED, BROKEN)[os.waitstatus_to_exitcode(status)]


def start(turn: Turn, failing: Failing) -> int:
    """Starts the process of a turn."""
    if process := os.fork():
        return process
    code = 2
    try:
        failing.left.update(kill=turn.kill, stop=turn.stop)
        os.environ.update({name: value for name, value in turn.environ.items() if name.startswith("AWS_")})
        code = take(turn)
    finally:
        if code == 2:
            traceback.print_exc()
        os._exit(code)


def take(turn: Turn) -> int:
    """Takes a turn; returns 1 when it is refused."""
    from events.errors import CabildoError
    from events.store.connections import connect
    from service import settings as config

    note_what_is_shown(Path(turn.journal))
    environ = {name: value for name, value in turn.environ.items() if not name.startswith("AWS_")}
    settings = config.load(environ)
    with connect(settings.database_url) as connection:
        try:
            recover(connection, settings) if turn.recovers else keep(connection, settings, environ)
        except CabildoError as refusal:
            sys.stderr.write(f"{type(refusal).__name__} {refusal}\n")
            return 1
    return 0


def keep(connection: Connection, settings: "Settings", environ: Mapping[str, str]) -> None:
    """Numbers, seals and publishes once, as a keeper does after its start."""
    from workers.keeper.duty_context import KeeperContext
    from workers.keeper.log import PublishLog, SealLog
    from workers.keeper.log_duties import SequenceLog

    SealLog(settings, environ)(connection)
    SequenceLog(KeeperContext(settings, environ))(connection)
    SealLog(settings, environ)(connection)
    PublishLog(settings, environ)(connection)


def recover(connection: Connection, settings: "Settings") -> None:
    """Brings lost events back, as the operator does while the gate is shut and no keeper runs."""
    from events.log import recovery
    from events.log.publisher import withdraw_claim
    from events.log.signing_gate import set_gate
    from service.proof.public_log import archive_of, files_of, origin_of

    files = files_of(settings, origin_of(connection, settings))
    set_gate(connection, is_open=False, reason="recover")
    recovery.recover(connection, files, archive_of(settings))
    withdraw_claim(files)


def note_what_is_shown(journal: Path) -> None:
    """Notes each checkpoint before it is written."""
    from events.log.tile_files import TileFiles

    replace_if = TileFiles.replace_if

    def noted(self: TileFiles, path: str, data: bytes, version: str | None) -> bool:
        done = replace_if(self, path, data, version)
        if done and path in ("checkpoint", "checkpoint.witnessed", "claim"):
            with journal.open("a") as file:
                file.write(json.dumps((path, self.name, data.decode())) + "\n")
        return done

    TileFiles.replace_if = noted  # type: ignore[method-assign]


def shown(journal: Path) -> Iterable[tuple[str, str, str]]:
    """Yields file, place and text of everything that was shown."""
    for line in journal.read_text().splitlines() if journal.exists() else ():
        path, place, text = json.loads(line)
        yield path, place, text


if __name__ == "__main__":
    main()
